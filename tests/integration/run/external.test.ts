import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { schemaName } from '../../../src/benchmark/run/external-server.ts';
import { probeExternal } from '../../../src/benchmark/target/external-probe.ts';
import { realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';
import { startServer, type TestServer } from '../helpers/docker-server.ts';

const PASSWORD = 'h@sh/very:secret%';

describe('external servers', () => {
  let runtime: ContainerRuntime;
  let server: TestServer;
  let home: Awaited<ReturnType<typeof temporaryHome>>;
  const dsnOf = (user: string, password = PASSWORD): string =>
    `mysql://${user}:${encodeURIComponent(password)}@${server.target.host}:${server.target.port}`;
  const schemas = async () => (await server.asRoot('SHOW DATABASES')).map(([name]) => String(name));

  beforeAll(async () => {
    runtime = await realRuntime();
    home = await temporaryHome();
    server = await startServer('mysql');
    for (const sql of [
      `CREATE USER 'full'@'%' IDENTIFIED BY '${PASSWORD}'`,
      "GRANT ALL PRIVILEGES ON `whalemark\\_%`.* TO 'full'@'%'",
      `CREATE USER 'little'@'%' IDENTIFIED BY '${PASSWORD}'`,
      'CREATE DATABASE shop',
      'CREATE TABLE shop.orders (id INT PRIMARY KEY)',
      'INSERT INTO shop.orders VALUES (7)',
    ]) {
      await server.asRoot(sql);
    }
  });
  afterAll(async () => {
    await server.remove();
    await home.remove();
  });

  const plan = () =>
    smallPlan(runtime, {
      scenarios: [{ storage: 'external', path: 'external' }],
      baseline: 'external.external',
      server: { image: 'mysql:8.4', dsn: dsnOf('full') },
    });

  it('makes a schema of its own, uses it and drops it, and keeps the password to itself', async () => {
    const before = await schemas();
    const made = await plan();
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
    const { state } = await runPlan(await plan(), runtime, home.dataDir, {
      secrets: { dsn: dsnOf('full') },
      onEvent: (event, stop) => {
        if (event.type === 'window') stop();
      },
    });
    expect(state.outcome).toBe('stopped');
    expect(await schemas()).toEqual(before);
  });

  it('tells of a schema that another run left, and leaves it', async () => {
    await server.asRoot('CREATE DATABASE whalemark_20200101_000000_aaaa_1');
    const { state } = await runPlan(await plan(), runtime, home.dataDir, { secrets: { dsn: dsnOf('full') } });
    expect(state.notices).toContainEqual(
      expect.objectContaining({
        code: 'EXTERNAL_LEFTOVER',
        message: expect.stringContaining('whalemark_20200101_000000_aaaa_1'),
      }),
    );
    expect(await schemas()).toContain('whalemark_20200101_000000_aaaa_1');
    await server.asRoot('DROP DATABASE whalemark_20200101_000000_aaaa_1');
  });

  it('says what can’t be used, without the password', async () => {
    expect(await probeExternal(dsnOf('full'))).toMatchObject({ flavour: 'mysql' });
    const little = await probeExternal(dsnOf('little'));
    expect(little).toEqual({ reason: expect.stringContaining('may not make a schema') });
    const denied = await probeExternal(dsnOf('full', 'wrong-hush'));
    expect(denied).toEqual({ reason: expect.stringContaining('Access denied') });
    expect(JSON.stringify(denied)).not.toContain('wrong-hush');
    await server.asRoot('SET GLOBAL read_only = 1');
    expect(await probeExternal(dsnOf('full'))).toEqual({ reason: expect.stringContaining('read-only') });
    await server.asRoot('SET GLOBAL read_only = 0');
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
