import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { copyFiles } from '../../../scripts/build/files.mjs';
import { nodeEntry } from '../../../scripts/build/node-entry.mjs';
import { findPreset } from '../../../src/benchmark/presets/preset-file.ts';
import { runCommand } from '../../../src/cli/commands.ts';
import type * as argsModule from '../../../src/cli/options/args.ts';
import { parsePlanArguments } from '../../../src/cli/options/plan-options.ts';
import { withOptions } from '../../../src/cli/options/preset-options.ts';
import { presetScenarios, type Preset } from '../../../src/shared/model/preset.ts';
import { shortForm } from '../../../src/shared/model/preset-forms.ts';
import {
  DOCUMENTED_COMMANDS,
  twinArguments,
  type Execution,
  type Place,
  type TwinRun,
} from './support/documented-commands.ts';
import { commandsOf } from './support/page-commands.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const SAMPLE = 'tests/fixtures/results/sample-result.json';

const pages = [
  ...['README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const shown = pages.flatMap((page) => commandsOf(read(page)).map((one) => ({ page, ...one })));
const entries = Object.entries(DOCUMENTED_COMMANDS);
const isTwin = (execution: Execution): execution is Execution & TwinRun =>
  execution.how === 'here' || execution.how === 'engine';
const twinRuns = entries.flatMap(([command, execution]) =>
  isTwin(execution) ? [[command, execution] as const] : [],
);

/** Ends a command behind its arguments: its real options have been parsed by then, and nothing else was done. */
class Parsed extends Error {}
const gate = vi.hoisted(() => ({ ends: false }));
vi.mock('../../../src/cli/options/args.ts', async (original) => {
  const real = await original<typeof argsModule>();
  const parse: typeof real.parse = (argv, options, positionals) => {
    const parsed = real.parse(argv, options, positionals);
    if (gate.ends) throw new Parsed();
    return parsed;
  };
  return { ...real, parse };
});
// What the bundler puts into the program.
vi.mock('../../../src/cli/installation.ts', () => ({ paths: { appVersion: '1.2.3' } }));
vi.mock('../../../src/cli/command-log.ts', () => ({ startCommandLog: () => undefined }));

const PLACES: Record<Place, string> = {
  preset: 'compare-my-setup',
  'preset file': join(root, 'presets/compare-my-setup.yaml'),
  'kept preset': 'mine',
  workload: 'oltp_write_only',
  'ended early': '20260102-030405-abc',
  context: 'default',
  result: join(root, SAMPLE),
  'other result': join(root, SAMPLE),
};

describe('the commands of the pages', () => {
  it('are found, in blocks and in sentences', () => {
    expect(shown.filter(({ from }) => from === 'block').length).toBeGreaterThan(80);
    expect(shown.filter(({ from }) => from === 'text').length).toBeGreaterThan(80);
  });

  it('stand all in the table that says what executes them', () => {
    const missing = shown.filter(({ command }) => !Object.hasOwn(DOCUMENTED_COMMANDS, command));
    expect(missing.map(({ page, command }) => `${page}: ${command}`)).toEqual([]);
  });

  it('are all that the table has', () => {
    const known = new Set(shown.map(({ command }) => command));
    expect(entries.map(([command]) => command).filter((command) => !known.has(command))).toEqual([]);
  });

  it('name only scripts and programs that are there', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const wrong = entries
      .map(([command]) => command)
      .filter((command) => {
        const script = /\bnpm (?:run (?:--silent )?)?([\w:-]+)/.exec(command)?.[1];
        const program = /\bnpx ([\w-]+)/.exec(command)?.[1];
        const file = /^node (\S+)/.exec(command)?.[1];
        return (
          (script !== undefined && !Object.hasOwn(scripts, script) && !['ci', 'version'].includes(script)) ||
          (program !== undefined && !existsSync(join(root, 'node_modules/.bin', program))) ||
          (file !== undefined && !existsSync(join(root, file)))
        );
      });
    expect(wrong).toEqual([]);
    expect(scripts['whalemark']).toBe('node scripts/cli.mjs');
  });

  it('are executed by the files that the table names', () => {
    const wrong = entries.filter(
      ([, execution]) =>
        execution.how === 'by' &&
        !(existsSync(join(root, execution.file)) && read(execution.file).includes(execution.contains)),
    );
    expect(wrong.map(([command]) => command)).toEqual([]);
  });

  it('run tests that the stage has', () => {
    const named = entries.flatMap(([command]) => {
      const [, project = 'e2e'] = /--project (\w+)/.exec(command) ?? [];
      return (command.match(/\btests\/\S+/g) ?? [])
        .filter(() => /vitest|playwright/.test(command))
        .map((path) => [project, path] as const);
    });
    expect(named.length).toBeGreaterThan(8);
    const wrong = named.filter(
      ([project, path]) => !path.startsWith(`tests/${project}/`) || !existsSync(join(root, path)),
    );
    expect(wrong).toEqual([]);
  });

  it('are, where a sentence only names them, executed in full elsewhere', () => {
    const wrong = entries.filter(([, execution]) => {
      if (execution.how !== 'mention') return false;
      const full = DOCUMENTED_COMMANDS[execution.of];
      return full === undefined || full.how === 'shown' || full.how === 'mention';
    });
    expect(wrong.map(([command]) => command)).toEqual([]);
  });

  it('that nobody executes are few, have a reason, and are not of the terminal twin', () => {
    const reasons = entries.flatMap(([command, execution]) =>
      execution.how === 'shown' ? [{ command, why: execution.why }] : [],
    );
    expect(reasons.filter(({ command, why }) => why.length < 20 || /^whalemark\b/.test(command))).toEqual([]);
    expect(reasons.length).toBeLessThan(25);
  });

  it('of the same page are those of its translation', () => {
    const of = (page: string): string[] =>
      [...new Set(commandsOf(read(page)).map(({ command }) => command))].sort();
    expect(of('README.zh-CN.md')).toEqual(of('README.md'));
    expect(of('docs/method.zh-CN.md')).toEqual(of('docs/method.md'));
  });
});

describe('a page’s commands', () => {
  it('are lines of shell blocks without prompt and remark, and code that starts one of our programs', () => {
    const page = [
      'Say `npm test` or `ls`, not `npm`; `npm run whalemark -- plan X`.',
      '```sh\nnpm run whalemark -- doctor   # which runtimes\n# a remark\n\nnpm run build \\\n  --now\n```',
      '```console\n$ whalemark history\n```',
      '```yaml\nnode: 1\n```',
      '```sh\ngrep "a#b" src\n```',
    ].join('\n\n');
    expect(commandsOf(page).map(({ command }) => command)).toEqual([
      ...['npm test', 'whalemark plan X', 'whalemark doctor', 'npm run build --now', 'whalemark history'],
      'grep "a#b" src',
    ]);
  });
});

describe('the terminal twin', () => {
  it.each(twinRuns)('takes the arguments of “%s”', async (command, execution) => {
    const print = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    gate.ends = true;
    try {
      const args = twinArguments(command, execution, PLACES);
      const ending: unknown = await runCommand(args).catch((error: unknown) => error);
      if (args[0]?.startsWith('--') === true) expect(ending).not.toBeInstanceOf(Error);
      else expect(ending).toBeInstanceOf(Parsed);
    } finally {
      gate.ends = false;
      print.mockRestore();
    }
  });

  const planned = twinRuns.filter(([command]) => /^whalemark (?:plan|run) /.test(command));

  /** The preset that a command comes to. */
  async function presetOf(argv: string[]): Promise<Preset> {
    const { values, positionals } = parsePlanArguments(argv);
    const name = positionals[0] === 'mine' ? 'compare-my-setup' : (positionals[0] ?? '');
    const found = await findPreset(name, join(root, 'presets'));
    return withOptions(values.short === true ? shortForm(found) : found, values);
  }

  it.each(planned)('makes a preset of “%s” as it stands', async (command, execution) => {
    const asShown = { ...execution, append: [] };
    await expect(presetOf(twinArguments(command, asShown, PLACES).slice(1))).resolves.toBeDefined();
  });

  it.each(planned.filter(([command]) => command.startsWith('whalemark run ')))(
    'measures a few seconds of “%s” in the integration tests',
    async (command, execution) => {
      const preset = await presetOf(twinArguments(command, execution, PLACES).slice(1));
      expect(preset.schedule).toMatchObject({ rounds: 1, warmupSeconds: 0, durationSeconds: 1 });
      expect(presetScenarios(preset).length).toBeLessThan(4);
      expect(preset.noiseFloor).toBe(false);
    },
  );
});

describe('executed without an engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-commands-'));
  const program = join(folder, 'program');
  const work = join(folder, 'work');
  const home = join(folder, 'home');
  const places = { ...PLACES, result: 'whalemark-report/result.json', 'other result': join(root, SAMPLE) };

  beforeAll(async () => {
    await build(
      nodeEntry({
        entry: 'src/cli/main.ts',
        outDir: join(program, 'cli'),
        fileName: 'whalemark.cjs',
        target: 'node20',
      }),
    );
    copyFiles(program);
    mkdirSync(join(work, 'whalemark-report'), { recursive: true });
    cpSync(join(root, SAMPLE), join(work, 'whalemark-report/result.json'));
    cpSync(join(root, 'tests/fixtures/sysbench/1.0-real-plain.txt'), join(work, 'sysbench.log'));
    const { state } = z.object({ state: z.object({ runId: z.string() }) }).parse(JSON.parse(read(SAMPLE)));
    const kept = join(home, 'runs', state.runId);
    mkdirSync(kept, { recursive: true });
    cpSync(join(root, SAMPLE), join(kept, 'result.json'));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function execute(
    args: string[],
    input: string | undefined,
  ): Promise<{ code: number | null; said: string }> {
    const child = spawn(process.execPath, [join(program, 'cli/whalemark.cjs'), ...args], {
      cwd: work,
      // No engine, wherever this machine has one.
      env: { ...process.env, WHALEMARK_HOME: home, DOCKER_HOST: 'unix:///nonexistent.sock' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => (said += part.toString()));
    }
    child.stdin.end(input === undefined ? '' : read(input));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, said };
  }

  it.each(twinRuns.filter(([, execution]) => execution.how === 'here'))(
    '“%s” does what it says',
    async (command, execution) => {
      const { code, said } = await execute(twinArguments(command, execution, places), execution.input);
      expect(said).toMatch(execution.says);
      expect(code, said).toBe(0);
    },
    // A program of its own each; the picture alone takes seconds of CPU time, and a busy machine more.
    120_000,
  );

  it('a file that a command names is there afterwards', () => {
    expect(readdirSync(work).sort()).toEqual([
      ...['card.png', 'mine.yaml', 'report.html', 'result.whalemark', 'sysbench.log', 'whalemark-report'],
    ]);
    expect(readFileSync(join(work, 'report.html'), 'utf8')).toMatch(/<html lang="zh-CN"/);
  });

  // bash and the tools that these lines start are no part of Windows; sha256sum is none of every Mac.
  describe.runIf(process.platform === 'linux')('in a shell', () => {
    const shell = entries.flatMap(([command, execution]) =>
      execution.how === 'shell' ? [[command, execution.says] as const] : [],
    );

    it.each(shell)('“%s” finds what the page says', (command, says) => {
      const ran = spawnSync('bash', ['-c', command], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
      expect(ran.status, ran.stderr).toBe(0);
      expect(ran.stdout).toMatch(says);
    });

    it('every line of a block can be read', () => {
      const lines = [...new Set(shown.filter(({ from }) => from === 'block').map(({ command }) => command))];
      const ran = spawnSync('bash', ['-n'], { input: lines.join('\n'), encoding: 'utf8' });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
    });
  });
});
