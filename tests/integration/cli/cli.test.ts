import { spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { datasetCache } from '../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { readResultHere } from '../../../src/benchmark/store/stored-result.ts';
import { t } from '../../helpers/words.ts';
import { takingTurns } from '../../helpers/taking-turns.ts';
import { leftOf, realRuntime, temporaryHome } from '../helpers/bench.ts';

const summarySchema = z.object({
  result: z.string(),
  image: z.object({ requested: z.string(), used: z.string(), substituted: z.boolean() }),
  effects: z.array(
    z.object({
      factor: z.string(),
      level: z.string(),
      reference: z.string(),
      ratio: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      verdict: z.string(),
      dependsOn: z.string().nullable(),
    }),
  ),
  recommendations: z.array(z.object({ code: z.string(), costs: z.string().nullable() })),
  scenarios: z.array(
    z.object({
      id: z.string(),
      baseline: z.boolean(),
      baselineId: z.string(),
      loadGenerator: z.enum(['builtin', 'sysbench']),
      tps: z.number().nullable(),
      p95Us: z.number().nullable(),
      ratio: z.number().nullable(),
      low: z.number().nullable(),
      high: z.number().nullable(),
      verdict: z.enum(['slower', 'faster', 'same', 'inconclusive']),
    }),
  ),
  errors: z.array(z.object({ trial: z.string(), code: z.string() })),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});

const logLineSchema = z.looseObject({
  process: z.literal('cli'),
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
});

const INIT = new RegExp(`^${t('live.step.init')}: `, 'm');

describe('the terminal twin', () => {
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  beforeAll(async () => {
    home = await temporaryHome();
  });
  afterAll(() => home.remove());

  function start(args: string[], env: Record<string, string> = {}): ChildProcess {
    return spawn(process.execPath, ['out/cli/whalemark.cjs', ...args], {
      env: { ...process.env, WHALEMARK_HOME: home.dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function run(args: string[], env: Record<string, string> = {}) {
    return outputOf(start(args, env));
  }

  async function outputOf(child: ChildProcess) {
    let [stdout, stderr] = ['', ''];
    child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
    child.stderr?.on('data', (part: Buffer) => (stderr += part.toString()));
    const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { exitCode, stdout, stderr };
  }

  /** Options for a run of seconds; the two paths of one storage. */
  const small = [
    ...['--connections', '2'],
    ...takingTurns(2),
    ...['--set', 'workload={"tables":1,"tableSize":1000}'],
    // Up in half of MySQL's time; MySQL runs in other files.
    ...['--set', 'server.image=mariadb:11.8'],
    ...['--set', 'server.settings.bufferPool=64', '--set', 'server.settings.redoLogMiB=64'],
    ...['--set', 'grid={"storages":["named-volume","bind-mount"],"paths":["published-port"]}'],
  ];

  it('doctor without a runtime ends with 3 and says what was tried', async () => {
    const { exitCode, stdout } = await run(['doctor'], { DOCKER_HOST: 'unix:///nonexistent.sock' });
    expect(exitCode).toBe(3);
    expect(stdout).toContain('unix:///nonexistent.sock');
    const planned = await run(['run', 'docker-options'], { DOCKER_HOST: 'unix:///nonexistent.sock' });
    expect(planned.exitCode).toBe(3);
    expect(planned.stderr).toContain('WRONG_CONTEXT');
  });

  describe('a run with --json', () => {
    let own: Awaited<ReturnType<typeof temporaryHome>>;
    let env: Record<string, string>;
    let [out, datasetDir] = ['', ''];
    let ran: Awaited<ReturnType<typeof run>>;
    beforeAll(async () => {
      own = await temporaryHome();
      out = join(own.dataDir, 'out');
      datasetDir = join(own.dataDir, 'datasets');
      env = { WHALEMARK_HOME: own.dataDir, WHALEMARK_DATASETS: datasetDir };
      const args = ['run', 'docker-options', '--json', '--output', out, ...small, '--set', 'aaCheck=false'];
      // A single second has passed without a transaction on a busy machine, and then there is no interval.
      ran = await run([...args, '--set', 'schedule.rounds=3', '--set', 'schedule.durationSeconds=3'], env);
    });
    afterAll(async () => {
      await datasetCache(await realRuntime(), { datasetDir, appVersion: '0.0.0-test' })?.clear();
      await own.remove();
    });

    it('prints one object, writes the report, and analyze and report read it again', async () => {
      const { exitCode, stdout, stderr } = ran;
      expect(stderr).toContain('named volume via published port, round 1');
      expect(exitCode).toBe(0);
      const summary = summarySchema.parse(JSON.parse(stdout));
      expect(summary.scenarios.map(({ id }) => id).sort()).toEqual([
        'bind-mount.published-port',
        'named-volume.published-port',
      ]);
      expect(summary.effects).toMatchObject([
        { factor: 'storage', level: 'bind-mount', reference: 'named-volume', dependsOn: null },
      ]);
      for (const scenario of summary.scenarios) {
        expect(scenario.tps).toBeGreaterThan(0);
        expect(scenario.p95Us).toBeGreaterThan(0);
        expect(scenario.low).toBeLessThanOrEqual(scenario.ratio ?? 0);
        expect(scenario.high).toBeGreaterThanOrEqual(scenario.ratio ?? Infinity);
        if (scenario.baseline) expect([scenario.ratio, scenario.verdict]).toEqual([1, 'same']);
      }
      if (summary.image.substituted) {
        expect(summary.warnings.map(({ code }) => code)).toContain('IMAGE_SUBSTITUTED');
        expect(await readFile(join(out, 'summary.csv'), 'utf8')).toContain(summary.image.used);
      }
      expect((await readdir(out)).sort()).toEqual([
        'card.png',
        'per-second.csv',
        'report.html',
        'report.md',
        'result.json',
        'summary.csv',
      ]);

      const again = await run(['analyze', summary.result, '--json']);
      expect(summarySchema.parse(JSON.parse(again.stdout)).scenarios).toEqual(summary.scenarios);
      const csv = await run(['report', summary.result, 'csv']);
      expect(csv.stdout.trim().split('\n').length).toBe(1 + summary.scenarios.length);
      const windows = await run(['report', summary.result, 'csv-per-second']);
      const { trials } = await readResultHere(summary.result, 'result');
      const measured = trials.flatMap((trial) => trial.windows);
      expect(windows.stdout.trim().split('\n').length).toBe(1 + measured.length);
      // Six trials of 3 s; what each slice begins with isn't recorded.
      expect(measured.length).toBeGreaterThanOrEqual(6 * 3);
      expect(new Set(measured.map(({ phase }) => phase))).toEqual(new Set(['measure']));
    });

    it('is in the log and in a bug report by its trials, without any of its passwords', async () => {
      const { result } = summarySchema.parse(JSON.parse(ran.stdout));
      const text = await readFile(join(own.dataDir, 'logs', 'whalemark.log'), 'utf8');
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => logLineSchema.parse(JSON.parse(line)));
      const ended = lines.findIndex(({ message }) => message === 'process ends');
      const said = lines.slice(0, ended + 1).map(({ message }) => message);
      expect(said[0]).toBe('command started');
      expect(said).toEqual(
        expect.arrayContaining(['runtime found', 'run started', 'step finished', 'dataset loaded']),
      );
      expect(said.filter((message) => message === 'trial started')).toHaveLength(6);
      expect(said.filter((message) => message === 'trial finished')).toHaveLength(6);
      expect(said.slice(-2)).toEqual(['run finished', 'process ends']);
      // A window has more lines than these.
      expect(said.length).toBeLessThan(100);

      // The dataset's record holds the password that its server really had.
      const [record = ''] = await readdir(datasetDir);
      const { account } = z
        .object({ account: z.object({ password: z.string().min(8) }) })
        .parse(JSON.parse(await readFile(join(datasetDir, record), 'utf8')));
      const file = join(own.dataDir, 'report.md');
      expect((await run(['doctor', '--output', file], env)).exitCode).toBe(0);
      const told = await readFile(file, 'utf8');
      expect(told).toContain('### Whalemark diagnostics');
      expect(told).toContain(basename(dirname(result)));
      expect(told).toMatch(/cli \d+ info: trial finished /);
      expect(told).toContain('- trials: 6 measured');
      for (const secret of [account.password, own.dataDir]) {
        expect(text).not.toContain(secret);
        expect(told).not.toContain(secret);
      }
    });

    it(
      'leaves its tables to the next run, until clean --datasets removes them',
      { tags: ['full'] },
      async () => {
        const once = [
          ...['run', 'docker-options', ...small, '--set', 'schedule.rounds=1', '--set', 'aaCheck=false'],
          ...['--set', 'grid={"storages":["named-volume"],"paths":["published-port"]}'],
        ];
        expect(ran.stderr).toMatch(INIT);
        // A report that can't be written hides nothing of the run.
        const gone = join(own.dataDir, 'gone');
        const child = start([...once, '--output', gone], env);
        const ended = outputOf(child);
        await untilPrinted(child, /^\[ ?1\b/m);
        await rm(gone, { recursive: true });
        const next = await ended;
        expect(next.stderr).not.toMatch(INIT);
        expect(next).toMatchObject({
          exitCode: 4,
          stdout: expect.stringContaining('Result: '),
          stderr: expect.stringContaining('[EXPORT_FAILED]'),
        });

        const named = await run(['clean'], env);
        const [, volume = ''] =
          /^Cached dataset for later runs: .+ \((whalemark-dataset-\S+)\)/m.exec(named.stderr) ?? [];
        expect(volume).not.toBe('');
        const cleaned = await run(['clean', '--datasets', '--json'], env);
        expect(cleaned.exitCode).toBe(0);
        expect(JSON.parse(cleaned.stdout)).toEqual({
          removed: [{ kind: 'volume', name: volume }],
          failed: [],
          undecided: [],
          datasets: [],
        });
      },
    );
  });

  it('a scenario that fails gives 4, nothing measured gives 5', { tags: ['full'] }, async () => {
    const once = [
      ...[...small, '--set', 'schedule.rounds=1', '--set', 'aaCheck=false'],
      ...['--set', 'storages={"tiny":{"kind":"tmpfs","sizeMiB":65}}'],
    ];
    const some = await run([
      ...['run', 'docker-options', '--json', ...once],
      ...['--set', 'grid={"storages":["named-volume","tiny"],"paths":["published-port"]}'],
    ]);
    expect(some.exitCode).toBe(4);
    const codes = summarySchema.parse(JSON.parse(some.stdout)).errors.map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['STORAGE_FULL']));
    const none = await run([
      ...['run', 'docker-options', '--json', ...once],
      ...['--set', 'grid={"storages":["tiny"],"paths":["published-port"]}'],
      ...['--set', 'baseline=tiny.published-port'],
    ]);
    expect(none.exitCode).toBe(5);
    expect(summarySchema.parse(JSON.parse(none.stdout)).scenarios.every(({ tps }) => tps === null)).toBe(
      true,
    );
  });

  it('a wrong preset ends with 2, its error, and a hint', async () => {
    const { exitCode, stdout, stderr } = await run(['run', 'docker-options', '--set', 'workload.tabels=1']);
    expect(stderr).toContain('[PRESET_INVALID]');
    expect(stderr).toContain('→');
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
  });

  it(
    'an export overwrites nothing unless --force says so, and its own result never',
    { tags: ['full'] },
    async () => {
      const own = join(home.dataDir, 'own.json');
      const whole = await readFile('tests/fixtures/results/sample-result.json', 'utf8');
      await writeFile(own, whole);
      const csv = ['report', own, 'csv', '--output', join(home.dataDir, 'own.csv')];
      const onto = ['report', own, 'json', '--output', own];
      expect((await run(csv)).exitCode).toBe(0);
      for (const args of [
        csv,
        onto,
        ['doctor', '--output', own],
        ['presets', 'export', 'nfs-vs-local', own],
      ]) {
        const { exitCode, stderr } = await run(args);
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('[EXPORT_EXISTS]')]);
      }
      expect((await run([...csv, '--force'])).exitCode).toBe(0);
      expect((await run([...onto, '--force'])).stderr).toContain('[USAGE]');
      expect(await readFile(own, 'utf8')).toBe(whole);
      const before = await run([
        'run',
        'docker-options',
        ...small,
        '--output',
        join(home.dataDir, 'own.csv'),
      ]);
      expect([before.exitCode, before.stdout]).toEqual([4, '']);
    },
  );

  it('Ctrl+C keeps what was measured, leaves nothing else, and ends with 130', async () => {
    const child = start([
      ...['run', 'docker-options', '--json', ...small],
      // Servers that wait frozen, with clients in containers.
      ...['--set', 'grid.paths=["user-bridge"]', '--set', 'baseline=named-volume.user-bridge'],
      ...['--set', 'schedule.rounds=5', '--set', 'aaCheck=false'],
    ]);
    let stdout = '';
    child.stdout?.on('data', (part: Buffer) => (stdout += part.toString()));
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    await untilPrinted(child, /^\[ ?2\b/m);
    child.kill('SIGINT');
    expect(await closed).toBe(130);
    const summary = summarySchema.parse(JSON.parse(stdout));
    expect(summary.scenarios.some(({ tps }) => tps !== null)).toBe(true);
    expect(await leftOf(await realRuntime(), basename(dirname(summary.result)))).toEqual([]);
  });
});

/** Resolves when the program has printed something on stderr that matches. */
function untilPrinted(child: ChildProcess, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr?.on('data', (part: Buffer) => {
      text += part.toString();
      if (pattern.test(text)) resolve();
    });
    child.on('close', () => reject(new Error(`ended before it printed ${String(pattern)}:\n${text}`)));
  });
}
