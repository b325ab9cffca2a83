import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCell } from './cell.ts';
import { ownEngine } from './engine.ts';
import { FAULTS } from './matrix.ts';
import { MOMENTS } from './phases.ts';
import { whalemark } from './program.ts';
import { isOlder } from './report.ts';
import { readResults, withCell, writeResults, type CellResult } from './results.ts';
import { vmEngine } from './vm-engine.ts';

const { values } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true },
    phase: { type: 'string', multiple: true },
    'only-missing': { type: 'boolean', default: false },
    vm: { type: 'boolean', default: false },
  },
});

for (const [given, known] of [
  [values.fault ?? [], FAULTS.map(({ name }) => name)],
  [values.phase ?? [], [...MOMENTS] as string[]],
] as const) {
  const wrong = given.find((one) => !known.includes(one));
  if (wrong !== undefined) {
    console.error(`“${wrong}” is none of ${known.join(', ')}`);
    process.exit(2);
  }
}

const passed = (fault: string, phase: string): boolean =>
  readResults().cells.some(
    (cell) => cell.fault === fault && cell.phase === phase && cell.status !== 'failed' && !isOlder(cell),
  );
const cells = FAULTS.filter(
  ({ name, engine }) => (engine === 'vm') === values.vm && (values.fault?.includes(name) ?? true),
).flatMap((fault) =>
  MOMENTS.filter((phase) => values.phase?.includes(phase) ?? true)
    .filter((phase) => typeof fault.effect(phase) === 'string')
    .filter((phase) => !values['only-missing'] || !passed(fault.name, phase))
    .map((phase) => ({ fault, phase })),
);

const done: CellResult[] = [];
if (cells.length > 0) {
  const engine = values.vm ? await vmEngine() : await ownEngine();
  const datasets = await mkdtemp(join(tmpdir(), 'whalemark-fault-datasets-'));
  let interrupted = false;
  process.once('SIGINT', () => (interrupted = true));
  try {
    for (const { fault, phase } of cells) {
      if (interrupted) break;
      const result = await runCell(fault, phase, engine, datasets);
      done.push(result);
      console.log(lineOf(result));
      // An interrupted matrix keeps what it has measured.
      writeResults(withCell(readResults(), result));
    }
  } finally {
    await whalemark(engine, ['clean', '--datasets'], {
      ...{ home: datasets, dataDir: datasets, datasets },
      deadlineMs: 60_000,
    }).ended;
    await engine.remove();
    await rm(datasets, { recursive: true, force: true });
  }
}

const count = (status: CellResult['status']): number => done.filter((cell) => cell.status === status).length;
console.log(
  `\n${count('passed')} passed, ${count('failed')} failed, ${count('no effect')} had no effect, ${cells.length - done.length} not run; npm run docs writes them to docs/dev/reliability.md`,
);
process.exitCode = count('failed') === 0 ? 0 : 1;

function lineOf({ fault, phase, status, outcome, codes, trials, seconds, remarks }: CellResult): string {
  const mark = { passed: '✓', 'no effect': '○', failed: '✗', none: '–', impossible: '–' }[status];
  const head = `${mark} ${fault.padEnd(18)} ${phase.padEnd(9)}`;
  if (status === 'none' || status === 'impossible') return `${head} ${remarks.join('; ')}`;
  const kept =
    trials === null
      ? ''
      : `${trials.kept} of ${trials.planned} kept, ${trials.after ?? '–'} after continuing`;
  const line = `${head} ${String(outcome ?? 'ended').padEnd(9)} ${codes.join(' ')} (${kept}, ended after ${seconds ?? '–'} s)`;
  return [line, ...remarks.map((remark) => `    ${remark}`)].join('\n');
}
