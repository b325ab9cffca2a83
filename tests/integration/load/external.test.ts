import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownOwner } from '../../../src/benchmark/host/owner.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { MARK_TABLE, schemaName } from '../../../src/benchmark/servers/start/external-server.ts';
import { realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';
import { full, useServer } from './shared-server.ts';
import { englishOf } from '../../../src/shared/message.ts';

const PASSWORD = 'h@sh/very:secret%';

/** Takes away what the tests put onto the server. */
const REMOVAL = ['DROP DATABASE IF EXISTS shop', "DROP USER IF EXISTS 'full'@'%'"];

describe('external servers', () => {
  let runtime: ContainerRuntime;
  const server = useServer('mysql');
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  const dsnOf = (user: string, password = PASSWORD): string =>
    `mysql://${user}:${encodeURIComponent(password)}@${server.target.host}:${server.target.port}`;
  const schemas = async () => (await server.asRoot('SHOW DATABASES')).map(([name]) => String(name));

  beforeAll(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
    for (const sql of [
      ...REMOVAL,
      `CREATE USER 'full'@'%' IDENTIFIED BY '${PASSWORD}'`,
      "GRANT ALL PRIVILEGES ON `whalemark\\_%`.* TO 'full'@'%'",
      'CREATE DATABASE shop',
      'CREATE TABLE shop.orders (id INT PRIMARY KEY)',
      'INSERT INTO shop.orders VALUES (7)',
    ]) {
      await server.asRoot(sql);
    }
  });
  afterAll(async () => {
    for (const sql of REMOVAL) await server.asRoot(sql);
    await home.remove();
  });

  const plan = ({ rounds = 1, durationSeconds = 1 } = {}) =>
    smallPlan(runtime, {
      scenarios: [{ storage: 'external', path: 'external' }],
      baseline: 'external.external',
      server: { image: 'mysql:8.4', dsn: dsnOf('full') },
      schedule: { rounds, warmupSeconds: 0, durationSeconds },
    });

  it('makes a schema of its own, uses it and drops it, and keeps the password to itself', async () => {
    const before = await schemas();
    const made = await plan({ rounds: 2 });
    expect(made.notices.map(({ code }) => code)).toContain('EXTERNAL_SETTINGS');
    let during: Promise<string[]> | undefined;
    const { state, events } = await runPlan(made, runtime, home.dataDir, {
      secrets: { dsn: dsnOf('full') },
      onEvent: (event) => {
        if (event.type === 'window') during ??= schemas();
      },
    });
    expect(state.trials.map(({ error }) => error)).toEqual([null, null]);
    expect(await during).toContain(schemaName(state.runId, 1));
    expect(await schemas()).toEqual(before);
    expect(await server.asRoot('SELECT id FROM shop.orders')).toEqual([[7]]);

    const kept = await everythingIn(home.dataDir);
    expect(kept).toContain(state.runId);
    for (const text of [kept, JSON.stringify(events), JSON.stringify(state), JSON.stringify(made)]) {
      for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), JSON.stringify(PASSWORD).slice(1, -1)]) {
        expect(text.includes(secret)).toBe(false);
      }
    }
  });

  it('drops its schema when it is stopped', async () => {
    const before = await schemas();
    const { state } = await runPlan(await plan({ durationSeconds: 30 }), runtime, home.dataDir, {
      secrets: { dsn: dsnOf('full') },
      onEvent: (event, stop) => {
        if (event.type === 'window') stop();
      },
    });
    expect(state.outcome).toBe('stopped');
    expect(await schemas()).toEqual(before);
  });

  it('drops by its mark what a dead run left, and nothing else', async () => {
    const dead = ownOwner().replace(/\.\d+\.\d+$/, '.4194300.1');
    const make = async (name: string, owner: string | undefined): Promise<string> => {
      await server.asRoot(`CREATE DATABASE ${name}`);
      if (owner === undefined) return name;
      await server.asRoot(`CREATE TABLE ${name}.${MARK_TABLE} (owner VARCHAR(200), run_id VARCHAR(200))`);
      await server.asRoot(`INSERT INTO ${name}.${MARK_TABLE} VALUES ('${owner}', 'r')`);
      return name;
    };
    const before = await schemas();
    const left = await make('whalemark_20200101_000000_dead_1', dead);
    const kept = [
      await make('whalemark_20200101_000000_live_1', ownOwner()),
      await make('whalemark_20200101_000000_away_1', `${'0'.repeat(12)}.9.9`),
      await make('whalemark_20200101_000000_bare_1', undefined),
      // Marked as dead, but no run calls its schema so.
      await make('whalemark_shop', dead),
      await make('shopwhalemark_20200101_000000_dead_1', dead),
    ];
    const { state } = await runPlan(await plan(), runtime, home.dataDir, { secrets: { dsn: dsnOf('full') } });
    expect((await schemas()).sort()).toEqual([...before, ...kept].sort());
    const told = englishOf(state.notices.find(({ code }) => code === 'EXTERNAL_LEFTOVER')?.message ?? '');
    expect(told).toContain('_away_1');
    expect(told).toContain('_bare_1');
    expect(told).toContain('whalemark_shop');
    expect(told).not.toContain('_live_1');
    expect(told).not.toContain(left);
    for (const name of kept) await server.asRoot(`DROP DATABASE ${name}`);
  });

  it('leaves its own schema when somebody took the mark away', full(), async () => {
    const before = await schemas();
    const { state } = await runPlan(await plan(), runtime, home.dataDir, {
      secrets: { dsn: dsnOf('full') },
      onEvent: (event) => {
        if (event.type !== 'dataset-loaded') return;
        void schemas().then((all) => {
          for (const name of all.filter((one) => one.startsWith('whalemark_'))) {
            void server.asRoot(`DELETE FROM ${name}.${MARK_TABLE}`);
          }
        });
      },
    });
    const own = schemaName(state.runId, 1);
    expect(await schemas()).toEqual([...before, own].sort());
    expect(JSON.stringify(state)).toContain('no longer has Whalemark’s mark');
    await server.asRoot(`DROP DATABASE ${own}`);
  });

  it('says nothing to the server that reaches beyond its own schema', async () => {
    await server.asRoot('TRUNCATE mysql.general_log');
    const { state } = await server.withGlobals({ log_output: 'TABLE', general_log: 1 }, async () =>
      runPlan(await plan(), runtime, home.dataDir, { secrets: { dsn: dsnOf('full') } }),
    );
    const own = schemaName(state.runId, 1);
    const said = (
      await server.asRoot(
        "SELECT command_type, CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE user_host LIKE 'full%'",
      )
    ).map(([kind, text]) => [String(kind), String(text)] as const);
    expect(said.length).toBeGreaterThan(20);
    const places = new Set(
      said.filter(([kind]) => kind === 'Connect').map(([, text]) => / on (\S*) using /.exec(text)?.[1] ?? ''),
    );
    expect([...places].filter((place) => place !== '' && place !== own)).toEqual([]);
    const statements = said.filter(([kind]) => kind !== 'Connect' && kind !== 'Quit').map(([, text]) => text);
    expect(
      statements.filter((text) =>
        /^\s*(GRANT|REVOKE|(CREATE|ALTER|DROP|RENAME) USER|SET\s+(GLOBAL|PERSIST|@@GLOBAL|PASSWORD)|FLUSH|RESET|SHUTDOWN|KILL|INSTALL|USE)\b/i.test(
          text,
        ),
      ),
    ).toEqual([]);
    // Every other schema that is named at all is only read about.
    const changes = statements.filter((text) => /^\s*(CREATE|DROP|ALTER|TRUNCATE|RENAME)\b/i.test(text));
    expect(
      changes.filter((text) => /`|\./.test(text) && !text.includes(own) && !/sbtest/.test(text)),
    ).toEqual([]);
    expect(changes.filter((text) => /DATABASE|SCHEMA/i.test(text))).toEqual([
      `CREATE DATABASE \`${own}\``,
      `DROP DATABASE \`${own}\``,
    ]);
  });
});

/** The text of every file in a folder. */
async function everythingIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
    '\n',
  );
}
