import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { LoadEvent, LoadSpec, LoadTarget } from '../../../src/benchmark/load/load-client.ts';
import type { CommandedClient } from '../../../src/benchmark/load/client/clients.ts';
import type { Totals, Window } from '../../../src/shared/model/measurements.ts';
import type { OltpKind } from '../../../src/shared/kinds/mixes.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../../src/shared/model/workload.ts';
import { docker } from '../helpers/docker-server.ts';
import { startClient, type ContainerClient } from './container-client.ts';
import { IN_THE_WAY, never } from './loads.ts';
import { counters, difference, openConnectionsSoon } from './server-counters.ts';
import { SOCKETS } from './shared-containers.ts';
import { ENDLESS_MS, FLAVORS, full, useServer } from './shared-server.ts';

const build = (kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload =>
  oltpWorkloadSchema.parse({ kind, tables: 2, tableSize: 5000, ...fields });
const sum = (of: number[]): number => of.reduce((total, one) => total + one, 0);
const total = (counts: Record<string, number>): number => sum(Object.values(counts));

for (const flavor of FLAVORS) {
  describe(`sysbench in a client container, against ${flavor}`, full(flavor !== 'mysql'), () => {
    const server = useServer(flavor);
    let client: ContainerClient;
    let loadGenerator: CommandedClient;

    beforeAll(async () => {
      client = await startClient(inject('clientFile'), ['--volumes-from', server.id]);
      ({ loadGenerator } = client);
      const options = { seed: 1, onProgress: () => undefined, signal: never() };
      await loadGenerator.prepare(server.bridgeTarget, build('oltp_read_write'), options);
    });
    afterAll(() => client.remove());

    const specOf = (fields: Partial<LoadSpec> = {}): LoadSpec => ({
      loadGenerator: 'sysbench',
      target: server.bridgeTarget,
      workload: build('oltp_read_write'),
      connections: 4,
      warmupMs: 0,
      durationMs: 1000,
      seed: 7,
      ...fields,
    });
    async function load(fields: Partial<LoadSpec> = {}) {
      const events: LoadEvent[] = [];
      const totals = await loadGenerator.run(specOf(fields), (event) => events.push(event), never());
      const windows = events.flatMap((event) => (event.type === 'window' ? [event.window] : []));
      return { events, totals, windows };
    }
    const failing = (fields: Partial<LoadSpec>): Promise<Totals> =>
      loadGenerator.run(specOf(fields), () => undefined, never());
    const inClient = (script: string): Promise<string> => docker('exec', client.id, 'sh', '-c', script);

    function expectSums(windows: Window[], totals: Totals): void {
      for (const name of ['transactions', 'reads', 'writes', 'other'] as const) {
        expect(sum(windows.map((window) => window[name])), name).toBe(totals[name]);
      }
      expect(sum(windows.map(({ errors }) => total(errors)))).toBe(total(totals.errors));
      expect(sum(windows.map(({ durationMs }) => durationMs))).toBeCloseTo(totals.durationMs, 1);
      expect(sum(windows.map(({ latency }) => latency?.count ?? 0))).toBe(totals.transactions);
      expect(totals.latency?.count).toBe(totals.transactions);
      expect(windows.map(({ index }) => index)).toEqual(windows.map((_, index) => index));
    }

    it('measures oltp_read_write after a warm-up, and agrees with the server', async () => {
      const before = await counters(server);
      const { events, totals, windows } = await load({ warmupMs: 1000, durationMs: 3000 });
      const counted = difference(await counters(server), before);
      expect(events.map((event) => (event.type === 'phase' ? event.phase : event.window.phase))).toEqual([
        'connect',
        'warmup',
        'warmup',
        'measure',
        'measure',
        'measure',
        'measure',
      ]);
      const measured = windows.filter(({ phase }) => phase === 'measure');
      expectSums(measured, totals);
      expect(totals.transactions).toBeGreaterThan(0);
      expect(totals).toMatchObject({ connections: 4, rollbacks: 0, mix: {} });
      expect(totals.durationMs).toBeGreaterThanOrEqual(3000);
      expect(totals.client.cpuSeconds).toBeGreaterThan(0.05);
      expect(totals.client.cpuShare).toBeLessThan(1.1);

      // In both runs every transaction was answered. sysbench does not count a statement that met an ignored error.
      const all = (of: (window: Window) => number): number => sum(windows.map(of));
      const transactions = all((window) => window.transactions);
      const retried = all(({ errors }) => total(errors));
      expect(counted.commit).toBe(transactions);
      expect(counted.begin).toBe(transactions + retried);
      expect(counted.select).toBe(all(({ reads }) => reads));
      expect(counted.update + counted.delete + counted.insert).toBe(
        all(({ writes, other }) => writes + other) - counted.begin - counted.commit + retried,
      );
    });

    it('keeps all its connections busy', { tags: ['quiet', 'full'] }, async () => {
      const { totals } = await load({ durationMs: 3000 });
      // In a closed loop, the throughput gives the mean latency.
      const mean = (totals.durationMs * 1000 * 4) / totals.transactions;
      expect(totals.latency?.meanUs).toBeGreaterThan(0.9 * mean);
      expect(totals.latency?.meanUs).toBeLessThan(1.01 * mean);
    });

    it('logs in over TCP without TLS although the server has not seen the account before', async () => {
      // Empties the cache that spares caching_sha2_password its key exchange.
      await server.asRoot('FLUSH PRIVILEGES');
      expect((await load()).totals.transactions).toBeGreaterThan(0);
      await server.asRoot('FLUSH PRIVILEGES');
      const socket: LoadTarget = {
        ...server.bridgeTarget,
        host: 'localhost',
        socketPath: `${SOCKETS}/mysqld.sock`,
      };
      expect((await load({ target: socket })).totals.transactions).toBeGreaterThan(0);
    });

    it('takes passwords with any sign but both quotes', async () => {
      const password = 'p #a=b, "q;\\x é$%s ';
      await server.asRoot('DROP USER IF EXISTS odd');
      await server.asRoot(`CREATE USER odd IDENTIFIED BY '${password.replaceAll('\\', '\\\\')}'`);
      await server.asRoot('GRANT ALL ON sbtest.* TO odd');
      const target = { ...server.bridgeTarget, user: 'odd', password };
      expect((await load({ target })).totals.transactions).toBeGreaterThan(0);
      await expect(failing({ target: { ...target, password: `'"` } })).rejects.toMatchObject({
        code: 'LOAD_FAILED',
        params: { reason: expect.stringContaining('mysql-password') },
      });
    });

    it('counts ignored errors by the server’s codes', async () => {
      const workload = build('oltp_write_only', { tables: 1, tableSize: 100 });
      // So many connections meet locks even if the machine is slow for a moment.
      const { totals, windows } = await load({ workload, connections: 64 });
      expectSums(windows, totals);
      expect(total(totals.errors)).toBeGreaterThan(0);
      expect(IN_THE_WAY).toEqual(expect.arrayContaining(Object.keys(totals.errors)));
    });

    it('shows the password nowhere and leaves no file behind', async () => {
      const { password } = server.bridgeTarget;
      const stop = new AbortController();
      let look = (): void => undefined;
      const measuring = new Promise<void>((resolve) => (look = resolve));
      const run = loadGenerator.run(
        specOf({ connections: 1, durationMs: ENDLESS_MS }),
        (event) => {
          if (event.type === 'phase' && event.phase === 'measure') look();
        },
        stop.signal,
      );
      run.catch(() => undefined);
      await Promise.race([measuring, run]);
      const processes = await inClient("cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' '\\n'");
      const files = await inClient('stat --format "%a %n" /tmp/whalemark-* /tmp/whalemark-*/*');
      stop.abort();
      await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
      expect(processes).toContain('--config-file=/tmp/whalemark-sysbench-');
      expect(processes).not.toContain(password);
      expect(files.split('\n').map((line) => line.slice(0, 3))).toEqual(['700', '600', '600']);
      expect(await inClient('ls /tmp')).toBe('client.cjs');
    });

    it('stops and leaves neither connection nor process', async () => {
      const stop = new AbortController();
      const run = loadGenerator.run(
        // With one connection, the process that is to stop has a CPU on a small machine.
        specOf({ connections: 1, durationMs: ENDLESS_MS }),
        (event) => {
          if (event.type === 'window') stop.abort();
        },
        stop.signal,
      );
      await expect(run).rejects.toMatchObject({ code: 'STOPPED' });
      expect(await docker('top', client.id)).not.toContain('sysbench');
      expect(await openConnectionsSoon(server)).toBe(0);
      expect(await inClient('ls /tmp')).toBe('client.cjs');
    });
  });
}
