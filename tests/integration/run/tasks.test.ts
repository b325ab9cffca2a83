import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { OwnTask } from '../../../src/benchmark/context/own-task.ts';
import { sqlFiles } from '../../../src/benchmark/tasks/sql-files.ts';
import type { Task } from '../../../src/shared/model/task.ts';
import { sampled } from '../../helpers/tier.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

const bench = realBench();
/** A word that only the user's own files and words have. */
const CANARY = 'canary-7f3a';

interface Options {
  rounds?: number;
  image?: string;
}

async function timed(task: Task, own: OwnTask, storages: readonly string[], options: Options = {}) {
  const state = await timedRun(task, own, storages, options);
  expect(state.error).toBeNull();
  return state.trials;
}

async function timedRun(
  task: Task,
  own: OwnTask,
  storages: readonly string[],
  { rounds = 1, image = 'mariadb:11.8' }: Options = {},
) {
  const plan = await smallPlan(bench.runtime, {
    server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
    task: { kind: 'migrations', count: 1 },
    connections: 1,
    grid: { storages, paths: ['published-port'] },
    schedule: { rounds, warmupSeconds: 0, durationSeconds: 1 },
  });
  const { state, journalPath } = await runPlan({ ...plan, task }, bench.runtime, bench.dataDir, {
    own,
  });
  expect(await readFile(journalPath, 'utf8')).not.toContain(CANARY);
  expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  return state;
}

const dumpOf = async (text: string | Buffer) => {
  const file = join(bench.dataDir, 'dump.sql.gz');
  await writeFile(file, gzipSync(text));
  return sqlFiles(file);
};

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

const TABLE = `CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(40)) CHARSET utf8mb4;
INSERT INTO t VALUES (1, '${CANARY}'), (2, 'ß漢');
`;
/** Fails where the rows aren't those of the dump. */
const CHECK = `const { createConnection } = require(process.argv[1]);
(async () => {
  const db = await createConnection(process.env.DATABASE_URL);
  const [rows] = await db.query('SELECT name FROM t ORDER BY id');
  const [copy] = await db.query('SELECT COUNT(*) AS n FROM copies');
  console.log('${CANARY}');
  require('node:child_process').spawn('sleep', ['600'], { stdio: 'ignore' });
  require('node:fs').appendFileSync(process.argv[2], process.pid + '\\n');
  const isSame = rows.map(({ name }) => name).join() === '${CANARY},ß漢' && copy[0].n === 2;
  const isAlone = await db.query('CREATE SCHEMA other').then(() => false, () => true);
  process.exit(isSame && isAlone ? 0 : 9);
})();
`;

it('times a command on copies of its starting state, and keeps its words and output to the user', async () => {
  const before = await dumpOf(
    `${TABLE}CREATE TABLE copies LIKE t;
DELIMITER //
CREATE TRIGGER copied AFTER UPDATE ON t FOR EACH ROW BEGIN INSERT INTO copies VALUES (NEW.id, NEW.name); END//
DELIMITER ;
UPDATE t SET name = name WHERE id > 0 ORDER BY id;
INSERT IGNORE INTO copies SELECT * FROM t;
`,
  );
  const pids = join(bench.dataDir, 'pids');
  const told: string[] = [];
  const command = {
    words: [process.execPath, '-e', CHECK, join(process.cwd(), 'node_modules/mysql2/promise.js'), pids],
    folder: bench.dataDir,
    limitSeconds: 30,
    tell: (lines: string[]) => told.push(...lines),
  };
  const task = { kind: 'command', limitSeconds: 30 } as const;
  const storages = sampled(['named-volume', 'tmpfs', 'image-layer', 'container-layer'], 2);
  const trials = await timed(task, { command, before }, storages);
  expect(trials.map(({ status, error }) => ({ status, error }))).toEqual(
    storages.map(() => ({ status: 'measured', error: null })),
  );
  expect(told).toEqual([]);
  const groups = (await readFile(pids, 'utf8')).trim().split('\n').map(Number);
  // Once before them, to show which server it uses.
  expect(groups).toHaveLength(1 + storages.length);
  await expect.poll(() => groups.filter(isAlive)).toEqual([]);
});

it(
  'times the migrations of a project with knex, and tells what its tool says of one that fails',
  { tags: ['full'] },
  async () => {
    const told: string[] = [];
    const cli = join(process.cwd(), 'node_modules/knex/bin/cli.js');
    const words = [process.execPath, cli, 'migrate:latest', '--knexfile', 'knexfile.cjs'];
    const folder = join(process.cwd(), 'tests/fixtures/knex');
    const command = { words, folder, limitSeconds: 30, tell: (lines: string[]) => told.push(...lines) };
    const task = { kind: 'command', limitSeconds: 30 } as const;
    const trials = await timed(task, { command }, ['named-volume', 'tmpfs']);
    expect(trials.map(({ error }) => error)).toEqual([null, null]);
    expect(told).toEqual([]);

    const failing = { ...command, words: ['env', 'SEED_TWICE=1', ...words] };
    const failed = await timedRun(task, { command: failing }, ['named-volume']);
    expect(failed.error?.code).toBe('TASK_FAILED');
    expect(told.join('\n')).toContain('3_seed.cjs');
  },
);

it('times a command in a container on the server’s network, if it uses the server', async () => {
  const image = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? '';
  const task = { kind: 'command', limitSeconds: 30, image } as const;
  const own = (script: string): OwnTask => ({
    command: {
      ...{ words: ['sh', '-c', script], folder: bench.dataDir, limitSeconds: 30 },
      tell: () => undefined,
    },
  });
  const uses = `mariadb -h "$DB_HOST" -P "$DB_PORT" -u "$DB_USER" "$DB_DATABASE" -e 'CREATE TABLE made (id INT)' && touch made`;
  const [measured] = await timed(task, own(uses), ['named-volume']);
  expect(measured).toMatchObject({ status: 'measured', error: null });
  expect(measured?.totals?.durationMs).toBeGreaterThan(1);
  await rm(join(bench.dataDir, 'made'));
  const { error, trials } = await timedRun(task, own('true'), ['named-volume']);
  expect(error?.code).toBe('COMMAND_ELSEWHERE');
  expect(trials.map(({ status }) => status)).toEqual(['canceled']);
});

/**
 * A command of these words: the script, mysql2, a file that counts its calls, and how many calls use the server. Other calls
 * knock at its port and are refused a login, as a script does that only waits for a database.
 */
const SOMETIMES = `const { createConnection } = require(process.argv[1]);
const fs = require('node:fs');
(async () => {
  fs.appendFileSync(process.argv[2], 'x');
  const isUsing = fs.readFileSync(process.argv[2]).length <= Number(process.argv[3]);
  const { DB_HOST: host, DB_PORT: port, DB_USER: user, DB_PASSWORD: password } = process.env;
  await new Promise((done) => require('node:net').connect(port, host, done)).catch(() => undefined);
  const db = await createConnection({ host, port, user, password: isUsing ? password : 'x' }).catch(() => undefined);
  await db?.query('SELECT 1');
  process.exit(0);
})();
`;

async function timedSometimes(uses: number, options: Options = {}) {
  const calls = join(bench.dataDir, 'calls');
  await rm(calls, { force: true });
  const mysql2 = join(process.cwd(), 'node_modules/mysql2/promise.js');
  const command = {
    words: [process.execPath, '-e', SOMETIMES, mysql2, calls, String(uses)],
    folder: bench.dataDir,
    limitSeconds: 30,
    tell: () => undefined,
  };
  const state = await timedRun({ kind: 'command', limitSeconds: 30 }, { command }, ['named-volume'], options);
  return { ...state, calls: (await readFile(calls, 'utf8')).length };
}

it.each(sampled(['mariadb:11.8', 'mysql:8.4'], 2))(
  'fails a trial whose command sends nothing to its server any more, %s, and never runs it again',
  async (image) => {
    const { error, trials, calls } = await timedSometimes(2, { rounds: 3, image });
    expect(error).toBeNull();
    expect(trials.map((trial) => trial.error?.code ?? trial.status)).toEqual([
      'measured',
      'COMMAND_ELSEWHERE',
      'COMMAND_ELSEWHERE',
    ]);
    expect(calls).toBe(3);
  },
);

it('names number and line of a statement of a dump that fails', { tags: ['full'] }, async () => {
  const comments = '-- nothing\n'.repeat(90_000 - TABLE.split('\n').length + 1);
  const dump = await dumpOf(`${TABLE}${comments}INSERT INTO t VALUES (1, '${CANARY}');\n`);
  const trials = await timed({ kind: 'dump', bytes: 200 }, { dump }, ['named-volume']);
  expect(trials.map(({ error }) => error?.code)).toEqual(['TASK_FAILED']);
  expect(trials[0]?.error?.params['reason']).toMatchObject({ params: { number: '1062', line: '90001' } });
});

it('takes a dump for UTF-8', { tags: ['full'] }, async () => {
  const latin1 = Buffer.concat([
    Buffer.from("CREATE TABLE t (name VARCHAR(40)) CHARSET utf8mb4;\nINSERT INTO t VALUES ('"),
    Buffer.from([0xfc]),
    Buffer.from("');\n"),
  ]);
  const own = { dump: await dumpOf(latin1) };
  const [trial] = await timed({ kind: 'dump', bytes: latin1.length }, own, ['named-volume']);
  expect(trial?.error?.params['reason']).toMatchObject({ params: { number: '1366', line: '2' } });
});

it.each(sampled(['as', 'before'], 2))('ends SQL %s a task that takes longer than the limit', async (when) => {
  const endless = await dumpOf('SELECT SLEEP(1000);\n');
  const task = { kind: 'dump', bytes: 20, limitSeconds: 2 } as const;
  const { error, trials } =
    when === 'before'
      ? await timedRun({ ...task, beforeBytes: 20 }, { dump: endless, before: endless }, ['named-volume'])
      : await timedRun(task, { dump: endless }, ['named-volume']);
  const late = { code: 'TASK_FAILED', params: { reason: { code: 'task.limit' } } };
  expect(when === 'before' ? error : trials[0]?.error).toMatchObject(late);
});

it.each(sampled(['mariadb:11.8', 'mysql:8.4'], 2))('reads no file for a dump, in %s', async (image) => {
  const dump = await dumpOf(
    `${TABLE}LOAD DATA LOCAL INFILE '/etc/hostname' INTO TABLE t (name) SET id = 7;\n`,
  );
  const [trial] = await timed({ kind: 'dump', bytes: 200 }, { dump }, ['named-volume'], { image });
  expect(trial?.error?.params['reason']).toMatchObject({ code: 'task.sqlErrorAt', params: { line: '3' } });
});

it('splits the time until a server is ready by what its log says', async () => {
  const plan = await smallPlan(bench.runtime, {
    task: { kind: 'ready' },
    connections: 1,
    storages: { empty: { kind: 'named-volume', starts: 'empty' } },
    grid: { storages: ['named-volume', 'empty'], paths: ['published-port'] },
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
  });
  const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
  const starts = plan.scenarios.map(({ id }) => state.trials.find(({ scenarioId }) => scenarioId === id));
  for (const trial of starts) {
    const parts = Object.values(trial?.evidence?.start ?? {});
    const sum = parts.reduce((all, one) => all + one, 0);
    expect(sum).toBeCloseTo(trial?.totals?.durationMs ?? NaN, 3);
  }
  const [filled, empty] = starts.map((trial) => trial?.evidence?.start);
  expect(filled).toMatchObject({ initialization: 0, timeZones: 0 });
  for (const part of ['initialization', 'timeZones'] as const) expect(empty?.[part]).toBeGreaterThan(0);
  for (const start of [filled, empty])
    for (const part of ['container', 'recovery', 'server', 'login'] as const)
      expect(start?.[part]).toBeGreaterThan(0);
});

it('leaves nothing when stopped while the server of a trial shuts down', { tags: ['full'] }, async () => {
  const plan = await smallPlan(bench.runtime, {
    task: { kind: 'migrations', count: 1 },
    connections: 1,
    grid: { storages: ['named-volume', 'tmpfs'], paths: ['published-port'] },
  });
  let hasMeasured = false;
  const { state, events } = await runPlan(plan, bench.runtime, bench.dataDir, {
    onEvent: (event, stop) => {
      hasMeasured ||= event.type === 'trial-finished';
      const isShutdown = event.type === 'server-log' && event.lines.some((line) => /shutdown/i.test(line));
      if (hasMeasured && isShutdown) stop();
    },
  });
  expect(state.outcome).toBe('stopped');
  expect(events.filter(({ type }) => type === 'notice')).toEqual([]);
  expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
});
