import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureClientImage } from '../../../src/benchmark/load/client-image.ts';
import type { LoadEvent, LoadSpec } from '../../../src/benchmark/load/driver.ts';
import { ContainerNodeDriver, HostNodeDriver } from '../../../src/benchmark/load/node/node-driver.ts';
import { prepareTables } from '../../../src/benchmark/load/node/prepare.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { createLabels } from '../../../src/benchmark/runtime/labels.ts';
import { tarOf } from '../../../src/benchmark/runtime/tar.ts';
import { mergeHistograms } from '../../../src/shared/histogram.ts';
import { workloadSchema } from '../../../src/shared/model/preset.ts';
import { realRuntime } from '../helpers/bench.ts';
import { CLIENT_FILE, startTestServer, type TestServer } from '../helpers/test-server.ts';

const never = new AbortController().signal;
const driver = new HostNodeDriver({ workerFile: CLIENT_FILE });

describe.each(['mysql:8.4', 'mariadb:11.8'])('the Node driver against %s', (image) => {
  let runtime: ContainerRuntime;
  let server: TestServer;
  const workload = workloadSchema.parse({ tables: 3, tableSize: 2000 });
  const spec = (more: Partial<LoadSpec> = {}): LoadSpec => ({
    target: server.target,
    workload,
    connections: 3,
    warmupMs: 0,
    durationMs: 1500,
    seed: 5,
    ...more,
  });
  beforeAll(async () => {
    runtime = await realRuntime();
    server = await startTestServer(runtime, image);
    await prepareTables(server.target, workload, { seed: 1, onProgress: () => undefined, signal: never });
  });
  afterAll(() => server.remove());

  it('makes the tables that sysbench makes', async () => {
    for (const number of [1, 2, 3]) {
      const [created] = await server.query(`SHOW CREATE TABLE sbtest.sbtest${number}`);
      const sql = String(created?.['Create Table']).toLowerCase();
      expect(sql).toMatch(/`id` int(\(11\))? not null auto_increment/);
      expect(sql).toMatch(/`k` int(\(11\))? not null default '?0'?/);
      expect(sql).toMatch(/`c` char\(120\)[^,]* not null default ''/);
      expect(sql).toMatch(/`pad` char\(60\)[^,]* not null default ''/);
      expect(sql).toContain(`key \`k_${number}\` (\`k\`)`);
      expect(sql).toContain('engine=innodb');
    }
    const [row] = await server.query(
      "SELECT COUNT(*) n, MIN(id) low, MAX(id) high, SUM(c REGEXP '^([0-9]{11}-){9}[0-9]{11}$') c," +
        " SUM(pad REGEXP '^([0-9]{11}-){4}[0-9]{11}$') pad, MIN(k) kLow, MAX(k) kHigh FROM sbtest.sbtest2",
    );
    expect(Number(row?.['n'])).toBe(2000);
    expect([Number(row?.['low']), Number(row?.['high'])]).toEqual([1, 2000]);
    expect([Number(row?.['c']), Number(row?.['pad'])]).toEqual([2000, 2000]);
    expect(Number(row?.['kLow'])).toBeGreaterThanOrEqual(1);
    expect(Number(row?.['kHigh'])).toBeLessThanOrEqual(2000);
  });

  it.each([
    ['oltp_read_write', { select: 14, update: 2, delete: 1, insert: 1 }, [14, 4, 2]],
    ['oltp_read_only', { select: 14, update: 0, delete: 0, insert: 0 }, [14, 0, 2]],
  ] as const)("counts %s as the server's own counters do", async (kind, per, [reads, writes, other]) => {
    const before = await server.status();
    const windows: LoadEvent[] = [];
    const totals = await driver.run(
      // One connection: no deadlock, and at most one transaction after the last window.
      spec({ connections: 1, workload: { ...workload, kind } }),
      (event) => windows.push(event),
      never,
    );
    const after = await server.status();
    const delta = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
    const begun = delta('Com_begin');
    expect(begun - totals.transactions).toBeGreaterThanOrEqual(0);
    expect(begun - totals.transactions).toBeLessThanOrEqual(1);
    expect(delta('Com_select')).toBe(begun * per.select);
    expect(delta('Com_update')).toBe(begun * per.update);
    expect(delta('Com_delete')).toBe(begun * per.delete);
    expect(delta('Com_insert')).toBe(begun * per.insert);
    expect(delta('Com_commit')).toBe(begun);
    expect(totals.reads).toBe(totals.transactions * reads);
    expect(totals.errors).toEqual({});
    // An update that changes nothing, or a delete of a row that is gone, counts as other: as in sysbench.
    expect(totals.writes + totals.other).toBe(totals.transactions * (writes + other));
    expect(totals.writes).toBeGreaterThan(totals.transactions * writes * 0.95 - 1);
    // The rows stay as many as they were.
    const [row] = await server.query('SELECT COUNT(*) n FROM sbtest.sbtest1');
    expect(Number(row?.['n'])).toBe(2000);
  });

  it('gives windows of one second whose sums are exactly the totals', async () => {
    const events: LoadEvent[] = [];
    const totals = await driver.run(
      spec({ warmupMs: 1200, durationMs: 2300 }),
      (event) => events.push(event),
      never,
    );
    const windows = events.flatMap((event) => (event.type === 'window' ? [event.window] : []));
    const measured = windows.filter(({ phase }) => phase === 'measure');
    expect(windows.map(({ phase, index, durationMs }) => [phase, index, durationMs])).toEqual([
      ['warmup', 0, 1000],
      ['warmup', 1, 200],
      ['measure', 0, 1000],
      ['measure', 1, 1000],
      ['measure', 2, 300],
    ]);
    const sum = (field: 'transactions' | 'reads' | 'writes' | 'other'): number =>
      measured.reduce((total, window) => total + window[field], 0);
    for (const field of ['transactions', 'reads', 'writes', 'other'] as const) {
      expect(sum(field)).toBe(totals[field]);
    }
    const merged = mergeHistograms(measured.map(({ histogram }) => histogram));
    expect(merged.totalCount).toBe(totals.transactions);
    expect(merged.getValueAtPercentile(95)).toBe(totals.latency?.p95Us);
    expect(totals.durationMs).toBe(2300);
    expect(totals.client.cpuSeconds).toBeGreaterThan(0);
  });

  it('runs deadlocked transactions again and counts the error', async () => {
    const tight = { ...workload, tables: 1, tableSize: 100 };
    const totals = await driver.run(
      spec({ workload: tight, connections: 16, durationMs: 3000 }),
      () => undefined,
      never,
    );
    // MySQL says deadlock; MariaDB's snapshot isolation often says first that the record has changed.
    expect((totals.errors['1213'] ?? 0) + (totals.errors['1020'] ?? 0)).toBeGreaterThan(0);
    expect(totals.transactions).toBeGreaterThan(0);
    expect(totals.latency?.count).toBe(totals.transactions);
  });

  it('stops within a second and leaves no connection', async () => {
    const abort = new AbortController();
    let stoppedAt = 0;
    const run = driver.run(
      spec({ durationMs: 60_000 }),
      (event) => {
        if (event.type !== 'window' || stoppedAt !== 0) return;
        stoppedAt = Date.now();
        abort.abort();
      },
      abort.signal,
    );
    await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
    expect(Date.now() - stoppedAt).toBeLessThan(1000);
    const connected = "SELECT COUNT(*) n FROM information_schema.processlist WHERE user='whalemark'";
    await expect
      .poll(async () => Number((await server.query(connected))[0]?.['n']), { timeout: 5000 })
      .toBe(0);
  });

  it('says how many connections or statements would be too many', async () => {
    await expect(driver.run(spec({ connections: 500 }), () => undefined, never)).rejects.toMatchObject({
      code: 'CONNECTIONS_REFUSED',
      message: expect.stringContaining('max_connections is 110') as string,
    });
    await server.query('SET GLOBAL max_prepared_stmt_count = 20');
    try {
      await expect(driver.run(spec(), () => undefined, never)).rejects.toMatchObject({
        code: 'TOO_MANY_STATEMENTS',
        params: { needed: '81', limit: '20' },
      });
    } finally {
      await server.query('SET GLOBAL max_prepared_stmt_count = 100000');
    }
  });

  it('tells refused accounts and missing tables apart from a dead path', async () => {
    const check = { path: 'published port', budgetMs: 1000, times: 1, signal: never };
    await expect(
      driver.check({ ...server.target, password: 'wrong' }, { ...check, budgetMs: 20_000 }),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(driver.check({ ...server.target, port: 9 }, check)).rejects.toMatchObject({
      code: 'PATH_NO_TRAFFIC',
    });
    await expect(
      driver.run(spec({ workload: { ...workload, tables: 9 } }), () => undefined, never),
    ).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      message: expect.stringContaining('sbtest4') as string,
    });
  });

  it('runs the same load from a client container, and notices when that one dies', async () => {
    const labels = createLabels({ runId: 'load-client', appVersion: '0.0.0-test', role: 'client' });
    const files = { Dockerfile: await readFile('assets/client-image/Dockerfile', 'utf8') };
    const image = await ensureClientImage(runtime, { files, labels }, () => undefined, never);
    const id = await runtime.createContainer({
      name: `whalemark-load-client-${image.slice(-6)}`,
      image,
      labels,
      entrypoint: ['node', '/tmp/client.cjs'],
      network: server.network,
      stdin: true,
    });
    try {
      await runtime.putArchive(id, '/tmp', tarOf({ 'client.cjs': await readFile(CLIENT_FILE) }));
      const attachment = await runtime.attach(id);
      await runtime.startContainer(id);
      const inside = new ContainerNodeDriver(attachment);
      const check = { path: 'bridge', budgetMs: 10_000, times: 2, signal: never };
      expect((await inside.check(server.inside, check)).roundTripUs).toBeGreaterThan(0);
      await expect(
        inside.check({ ...server.inside, port: 9 }, { ...check, budgetMs: 500 }),
      ).rejects.toMatchObject({ code: 'PATH_NO_TRAFFIC' });

      const events: LoadEvent[] = [];
      const totals = await inside.run(spec({ target: server.inside }), (event) => events.push(event), never);
      expect(totals.transactions).toBeGreaterThan(0);
      expect(events.filter(({ type }) => type === 'window').length).toBe(2);

      const dying = inside.run(
        spec({ target: server.inside, durationMs: 60_000 }),
        (event) => {
          if (event.type === 'window') void runtime.killContainer(id);
        },
        never,
      );
      await expect(dying).rejects.toMatchObject({ code: 'CLIENT_LOST' });
    } finally {
      await runtime.removeContainer(id);
    }
  });

  it('ends with an error, not a hang, when the server is killed', async () => {
    const run = driver.run(
      spec({ durationMs: 60_000 }),
      (event) => {
        if (event.type === 'window') void runtime.killContainer(server.containerId);
      },
      never,
    );
    await expect(run).rejects.toMatchObject({ code: 'LOAD_FAILED' });
  });
});
