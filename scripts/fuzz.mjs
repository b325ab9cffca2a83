// `npm run fuzz -- [TARGET…] [--cases N] [--seed N] [--path P]`: feeds 10,000 broken inputs to each target,
// and prints the outcomes. A run's seed repeats its cases; `--path` repeats a single one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { optionsOf } from './setup/options.mjs';
import { tool } from './tool.mjs';

/** @typedef {import('../tests/fuzz/support/figures.ts').TargetFigures} Figures */

const { values, positionals } = optionsOf(
  `npm run fuzz -- [TARGET…] [--cases N] [--seed N] [--path P]

  --cases  cases of each target (default: 10000)
  --seed   draw the cases of an earlier run again
  --path   repeat a single case of one target`,
  {
    cases: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    path: { type: 'string', default: '' },
  },
  true,
);
for (const name of /** @type {const} */ (['cases', 'seed'])) {
  if (!/^\d{1,10}$/.test(values[name])) {
    console.error(`--${name} takes a whole number, not “${values[name]}”.`);
    process.exit(2);
  }
}
if (values.path !== '' && positionals.length !== 1) {
  console.error('--path repeats a case of one target: name it.');
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'whalemark-fuzz-'));
const figuresFile = join(folder, 'figures.ndjson');
const began = performance.now();
console.log(`${values.cases} cases a target, seed ${values.seed}`);

const args = ['run', '--project', 'fuzz'];
if (positionals.length > 0) {
  args.push('-t', `^(?:${positionals.map((name) => name.replace(/[^\w-]/g, '')).join('|')})$`);
}
const [node, vitest] = tool('vitest');
const child = spawn(node, [vitest, ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    FUZZ_CASES: values.cases,
    FUZZ_SEED: values.seed,
    FUZZ_PATH: values.path,
    FUZZ_FIGURES: figuresFile,
    // Test files make folders even without targets, and Vitest doesn't remove those.
    TMPDIR: folder,
  },
});
const exitCode = await new Promise((resolve) => {
  child.on('error', () => resolve(1));
  child.on('close', (code) => resolve(code ?? 1));
});

/** @type {Figures[]} */
const figures = existsSync(figuresFile)
  ? (await readFile(figuresFile, 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : [];
await rm(folder, { recursive: true, force: true });

console.table(
  Object.fromEntries(
    figures
      .sort((a, b) => (a.target < b.target ? -1 : 1))
      .map(({ target, slowestMs, heapGrowthMiB, seconds, ...counts }) => [
        target,
        {
          ...counts,
          'slowest ms': Math.round(slowestMs),
          'heap MiB': Math.round(heapGrowthMiB),
          seconds: Math.round(seconds),
        },
      ]),
  ),
);
const cases = figures.reduce((sum, one) => sum + one.cases, 0);
const seconds = Math.round((performance.now() - began) / 1000);
// An unknown target matches no test, and Vitest doesn't complain.
const isSound = exitCode === 0 && cases > 0;
console.log(
  `\n${cases} cases in ${seconds} s, seed ${values.seed}: ${isSound ? 'all as they should be' : 'FAILED'}`,
);
process.exitCode = isSound ? 0 : 1;
