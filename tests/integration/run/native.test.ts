import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeLeftovers } from '../../../src/benchmark/run/leftovers.ts';
import { listBindDirectories } from '../../../src/benchmark/servers/storage/bind-directory.ts';
import { bytesOf, sqlFiles } from '../../../src/benchmark/tasks/sql-files.ts';
import { refusedOption } from '../../../src/shared/options/tuning.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { sampled } from '../../helpers/tier.ts';
import { leftOf, realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';

const MYSQL_IMAGE = process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4';
const MARIADB_IMAGE = process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8';
const NATIVE = {
  scenarios: [
    { storage: 'native', path: 'loopback' },
    { storage: 'named-volume', path: 'host-network' },
  ],
  baseline: 'native.loopback',
};

/** Ids of the processes of this machine that have `text` in their command line; not Whalemark's. */
async function processesWith(text: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids.filter((_, index) => lines[index]?.includes(text));
}

describe('native servers', () => {
  let runtime: ContainerRuntime;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  beforeAll(async () => {
    runtime = await realRuntime();
  });
  beforeEach(async () => {
    home = await temporaryHome();
  });
  afterEach(() => home.remove());
  afterAll(() => vi.unstubAllEnvs());

  const servers = [
    { flavor: 'mariadb', image: MARIADB_IMAGE, program: 'WHALEMARK_TEST_MARIADBD', pool: 10 },
    { flavor: 'mysql', image: MYSQL_IMAGE, program: 'WHALEMARK_TEST_MYSQLD', pool: 200 },
    { flavor: 'mariadb', image: MARIADB_IMAGE, program: 'WHALEMARK_TEST_MARIADBD', pool: 201 },
    { flavor: 'mysql', image: MYSQL_IMAGE, program: 'WHALEMARK_TEST_MYSQLD', pool: 5 },
  ];
  it.each(sampled(servers, 4))(
    'measures $flavor natively and in a container, with a pool of $pool MiB',
    async (server) => {
      vi.stubEnv('WHALEMARK_MYSQLD', process.env[server.program] ?? '');
      const settings = { bufferPool: server.pool, redoLogMiB: 64 };
      const plan = await smallPlan(runtime, {
        ...NATIVE,
        server: { image: server.image, settings },
        schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
      });
      expect(plan.excluded).toEqual([]);
      expect(plan.configs[0]?.native).toMatchObject({ flavor: server.flavor });
      // The very same build: nothing differs but Docker.
      expect(plan.notices.map(({ code }) => code)).not.toContain('NATIVE_DIFFERS');

      const { state, events } = await runPlan(plan, runtime, home.dataDir);
      expect(state.trials.map(({ error }) => error)).toEqual([null, null]);
      const facts = events.flatMap((event) => (event.type === 'server-facts' ? [event.facts] : []));
      expect(facts).toHaveLength(2);
      for (const { variables, datadirFileSystem } of facts) {
        expect(Number(variables['innodb_buffer_pool_size'])).toBe(server.pool * 2 ** 20);
        expect(datadirFileSystem).not.toBeNull();
      }
      expect(new Set(facts.map(({ variables }) => variables['version'])).size).toBe(1);
      expect(await listBindDirectories(join(home.dataDir, 'bind'))).toEqual([]);
      expect(await processesWith(home.dataDir)).toEqual([]);
      expect(await leftOf(runtime, state.runId)).toEqual([]);
    },
  );

  it.each(sampled(servers.slice(0, 2), 2))(
    'imports a dump into $flavor natively and in a container',
    async (server) => {
      vi.stubEnv('WHALEMARK_MYSQLD', process.env[server.program] ?? '');
      const sqlOf = async (name: string, text: string) => {
        await writeFile(join(home.dataDir, name), text);
        return sqlFiles(join(home.dataDir, name));
      };
      const before = await sqlOf('before.sql', 'CREATE TABLE t (id INT PRIMARY KEY);');
      // A second import into the same data would fail.
      const dump = await sqlOf(
        'dump.sql',
        'INSERT INTO t VALUES (1);\nCREATE TABLE copy AS SELECT * FROM t;',
      );
      const plan = await smallPlan(runtime, {
        server: { image: server.image, settings: { bufferPool: 64, redoLogMiB: 64 } },
        task: { kind: 'migrations', count: 1 },
        scenarios: [NATIVE.scenarios[0], { storage: 'named-volume', path: 'published-port' }],
        baseline: NATIVE.baseline,
        schedule: { rounds: 2, warmupSeconds: 0, durationSeconds: 1 },
      });
      const timed = { ...plan, task: { kind: 'dump', bytes: bytesOf(dump) } as const };
      const { state } = await runPlan(timed, runtime, home.dataDir, { own: { dump, before } });
      expect(state.trials.map(({ error }) => error)).toEqual([null, null, null, null]);
      expect(await listBindDirectories(join(home.dataDir, 'bind'))).toEqual([]);
      expect(await processesWith(home.dataDir)).toEqual([]);
      expect(await leftOf(runtime, state.runId)).toEqual([]);
    },
  );

  it.each(sampled(['trial', 'init'], 2))('leaves nothing when it is stopped in its %s', async (when) => {
    vi.stubEnv('WHALEMARK_MYSQLD', process.env['WHALEMARK_TEST_MYSQLD'] ?? '');
    const plan = await smallPlan(runtime, {
      scenarios: NATIVE.scenarios.slice(0, 1),
      baseline: NATIVE.baseline,
    });
    let folders: string[] = [];
    const { state } = await runPlan(plan, runtime, home.dataDir, {
      onEvent: (event, stop) => {
        const isInit = event.type === 'step-started' && event.kind === 'init';
        if (when === 'init' ? !isInit : event.type !== 'window') return;
        void processesWith(home.dataDir)
          .then((ids) => Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`))))
          .then((found) => (folders = found))
          .finally(stop);
      },
    });
    expect(state.outcome).toBe('stopped');
    // The server works in the data folder, not where the test was started.
    if (when === 'trial') expect(folders).not.toHaveLength(0);
    for (const folder of folders) expect(folder).toContain(home.dataDir);
    expect(await processesWith(home.dataDir)).toEqual([]);
    expect(await listBindDirectories(join(home.dataDir, 'bind'))).toEqual([]);
  });

  it.each(servers.slice(0, 2))(
    '$flavor understands no allowed option as one that is refused',
    async (server) => {
      const { stdout } = await promisify(execFile)(
        process.env[server.program] ?? '',
        ['--no-defaults', '--verbose', '--help'],
        { maxBuffer: 2 ** 24 },
      );
      const list = stdout.slice(stdout.indexOf('Variables (--variable-name=value)'));
      const names = [...list.matchAll(/^([a-z][a-z0-9-]+) /gm)].map(([, name = '']) => name);
      expect(names.length).toBeGreaterThan(500);
      const refused = names.filter((name) => refusedOption(`--${name}`) !== undefined);
      const known = new Set(names);
      for (const name of refused) {
        // MariaDB takes any beginning of a name that fits no other.
        for (let length = 1; length < name.length; length++) {
          const begun = name.slice(0, length);
          if (!known.has(begun))
            expect([begun, refusedOption(`--${begun}`)]).toEqual([begun, expect.any(String)]);
        }
      }
      expect(refused).toEqual(
        expect.arrayContaining(['basedir', 'datadir', 'plugin-dir', 'secure-file-priv']),
      );
    },
  );

  it('ends with a run that is killed, and its folder goes at the next start', async () => {
    const preset = join(home.dataDir, 'killed.yaml');
    // JSON is YAML, too.
    await writeFile(
      preset,
      JSON.stringify({
        whalemark: 1,
        id: 'killed',
        name: 'Killed',
        question: 'What is left?',
        server: { image: MYSQL_IMAGE, settings: { bufferPool: 64, redoLogMiB: 64 } },
        workload: { tables: 1, tableSize: 1000 },
        connections: 2,
        scenarios: NATIVE.scenarios.slice(0, 1),
        baseline: NATIVE.baseline,
        aaCheck: false,
        schedule: { rounds: 2, warmupSeconds: 0, durationSeconds: 60 },
      }),
    );
    const child = spawn(process.execPath, ['out/cli/whalemark.cjs', 'run', preset], {
      env: {
        ...process.env,
        WHALEMARK_HOME: home.dataDir,
        WHALEMARK_MYSQLD: process.env['WHALEMARK_TEST_MYSQLD'] ?? '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (part: Buffer) => (said += part.toString()));
    child.stderr.on('data', (part: Buffer) => (said += part.toString()));
    const gone = once(child, 'exit');
    await vi.waitFor(
      async () => {
        if (child.exitCode !== null) throw new Error(said);
        expect(await processesWith(`--pid-file=${home.dataDir}`)).not.toEqual([]);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(await listBindDirectories(join(home.dataDir, 'bind'))).toHaveLength(1);
    child.kill('SIGKILL');
    await gone;
    await vi.waitFor(async () => expect(await processesWith(home.dataDir)).toEqual([]), { timeout: 10_000 });
    const swept = await removeLeftovers(runtime, home.dataDir, '0.0.0-test');
    expect(swept.failed).toEqual([]);
    expect(await listBindDirectories(join(home.dataDir, 'bind'))).toEqual([]);
  });
});
