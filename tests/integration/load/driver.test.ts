import { beforeEach, describe, expect, it } from 'vitest';
import type { LoadEvent, LoadSpec } from '../../../src/benchmark/load/load-client.ts';
import type { Totals, Window } from '../../../src/shared/model/measurements.ts';
import { oltpWorkloadSchema } from '../../../src/shared/model/workload.ts';
import { TRANSPORTS } from '../../../src/shared/model/names.ts';
import { trialFigures } from '../../../src/shared/analysis/trial-figures.ts';
import type { HostClient } from '../../../src/benchmark/load/client/clients.ts';
import { IS_FULL } from '../../helpers/tier.ts';
import { docker } from '../helpers/docker-server.ts';
import { hostClient, IN_THE_WAY, never, prepare } from './loads.ts';
import { counters, difference, openConnections, openConnectionsSoon } from './server-counters.ts';
import { ENDLESS_MS, FLAVORS, full, useServer } from './shared-server.ts';

const ROOMY = oltpWorkloadSchema.parse({ kind: 'oltp_read_write', tables: 2, tableSize: 5000 });
const CROWDED = oltpWorkloadSchema.parse({
  kind: 'oltp_read_write',
  tables: 1,
  tableSize: 100,
  rangeSize: 10,
});

/** The transport matters to the client, so one flavor shows it in the gate. */
const CASES = FLAVORS.flatMap((flavor) => TRANSPORTS.map((transport) => [flavor, transport] as const)).filter(
  ([flavor, transport]) => IS_FULL || flavor === 'mariadb' || transport === 'threads',
);

describe.each(CASES)('HostClient on %s by %s', (flavor, transport) => {
  const server = useServer(flavor);
  /** The flavor doesn't matter. */
  const once = full(flavor !== 'mariadb');
  const alone = { tags: ['quiet', ...(once.tags ?? [])] };
  /** The transport doesn't matter. */
  const perFlavor = full(transport === 'loop');

  beforeEach(() => server.clear());

  const run = async (
    fields: Partial<LoadSpec>,
    options: { on?: (event: LoadEvent) => void; signal?: AbortSignal; client?: HostClient } = {},
  ): Promise<{ totals: Totals; events: LoadEvent[]; windows: Window[] }> => {
    const { on, signal, client = hostClient() } = options;
    const spec: LoadSpec = {
      loadGenerator: 'builtin',
      transport,
      target: server.target,
      workload: ROOMY,
      connections: 4,
      warmupMs: 0,
      durationMs: 1000,
      seed: 1,
    };
    const events: LoadEvent[] = [];
    const totals = await client.run(
      { ...spec, ...fields },
      (event) => {
        events.push(event);
        on?.(event);
      },
      signal ?? never(),
    );
    const windows = events.flatMap((event) => (event.type === 'window' ? [event.window] : []));
    return { totals, events, windows };
  };

  it('does the same work again for the same seed on the same data, and times each kind', once, async () => {
    const tiny = { ...ROOMY, tables: 1, tableSize: 200 };
    await prepare(server, tiny);
    for (let trial = 0; trial < 2; trial++) {
      const { totals } = await run({ workload: tiny, connections: 1, durationMs: 500 });
      // With the same contents, the second trial's updates would have changed nothing.
      expect(totals.writes).toBe(4 * totals.transactions);
      const { statements } = trialFigures([{ totals, evidence: null }]);
      const rounded = Object.entries(statements).map(([kind, { each }]) => [kind, Math.round(each)]);
      const perTransaction = { point: 10, range: 4, update: 2, delete: 1, insert: 1, begin: 1, commit: 1 };
      expect(Object.fromEntries(rounded)).toEqual(perTransaction);
    }
  });

  it('has all connections in use', alone, async () => {
    await prepare(server, ROOMY);
    const { totals } = await run({ connections: 5, workers: 2, warmupMs: 500, durationMs: 8000 });
    // Little's law: connections = throughput × latency, as nothing waits in a closed loop.
    const busy = (totals.transactions * (totals.latency?.meanUs ?? 0)) / 1000 / totals.durationMs;
    expect(busy).toBeCloseTo(5, 1);
  });

  it('goes on in slices with the same connections, and counts nothing of a frozen server', once, async () => {
    await prepare(server, ROOMY);
    const never = new AbortController().signal;
    const load = await hostClient().open(
      {
        loadGenerator: 'builtin',
        transport,
        target: server.target,
        workload: ROOMY,
        connections: 4,
        workers: 2,
        seed: 1,
      },
      never,
    );
    try {
      const opened = await openConnections(server);
      const slice = () => load.slice({ warmupMs: 100, durationMs: 500 }, () => undefined, never);
      const slices = [await slice()];
      await docker('pause', server.id);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await docker('unpause', server.id);
      slices.push(await slice(), await slice());
      for (const { transactions, durationMs, latency } of slices) {
        expect(transactions).toBeGreaterThan(0);
        expect((transactions * (latency?.meanUs ?? 0)) / 1000 / durationMs).toBeCloseTo(4, 1);
        expect(latency?.maxUs).toBeLessThan(1_400_000);
      }
      expect(await openConnections(server)).toBe(opened);
    } finally {
      await load.close();
    }
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('runs transactions again that met a deadlock, and counts the errors', once, async () => {
    await prepare(server, CROWDED);
    const before = await counters(server);
    // So many connections meet locks even if the machine is slow for a moment.
    const { totals } = await run({ workload: CROWDED, connections: 64, durationMs: 2000 });
    const counted = difference(await counters(server), before);
    const errors = Object.values(totals.errors).reduce((sum, n) => sum + n, 0);
    expect(errors).toBeGreaterThan(0);
    for (const code of Object.keys(totals.errors)) expect(IN_THE_WAY).toContain(code);
    // A transaction that waits for locks too long after the end is cut: it may be committed without being counted.
    const cut = (counted.commit ?? NaN) - totals.transactions - totals.uncounted;
    expect(cut).toBeGreaterThanOrEqual(0);
    expect(cut).toBeLessThanOrEqual(64);
    expect(counted.rollback).toBeGreaterThanOrEqual(errors);
    expect(totals.latency?.count).toBe(totals.transactions);
    // Statements before an error count, too; the failed one does not.
    expect(totals.reads).toBe(14 * (totals.transactions + errors));
    // Deleting and inserting are one transaction: the table keeps its rows.
    expect(await server.asRoot('SELECT COUNT(*), MIN(id), MAX(id) FROM sbtest.sbtest1')).toEqual([
      [100, 1, 100],
    ]);
  });

  it('stops and leaves no connection open', once, async () => {
    await prepare(server, ROOMY);
    const stop = new AbortController();
    const windows: Window[] = [];
    const running = run(
      { connections: 8, durationMs: ENDLESS_MS },
      {
        signal: stop.signal,
        on: (event) => {
          if (event.type !== 'window') return;
          windows.push(event.window);
          stop.abort();
        },
      },
    );
    await expect(running).rejects.toMatchObject({ code: 'STOPPED' });
    expect(windows).toHaveLength(1);
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('stops while it connects', once, async () => {
    await prepare(server, ROOMY);
    const stop = new AbortController();
    const stopAmidst = async (): Promise<void> => {
      while ((await openConnections(server)) === 0);
      stop.abort();
    };
    const on = (event: LoadEvent): void => {
      if (event.type === 'phase' && event.phase === 'connect') void stopAmidst();
    };
    const running = run({ connections: 64, workers: 2, durationMs: ENDLESS_MS }, { signal: stop.signal, on });
    await expect(running).rejects.toMatchObject({ code: 'STOPPED' });
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('refuses more connections or prepared statements than the server allows', perFlavor, async () => {
    await prepare(server, ROOMY);
    await server.withGlobals({ max_connections: 20 }, () =>
      expect(run({ connections: 32 })).rejects.toMatchObject({
        code: 'CONNECTIONS_REFUSED',
        params: { connections: '32', reason: 'max_connections is 20' },
      }),
    );
    await server.withGlobals({ max_prepared_stmt_count: 100 }, () =>
      expect(run({ connections: 8 })).rejects.toMatchObject({
        code: 'TOO_MANY_STATEMENTS',
        params: { needed: '144', limit: '100' },
      }),
    );
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('ends with the server’s words on any other error', once, async () => {
    await expect(run({})).rejects.toMatchObject({
      code: 'LOAD_FAILED',
      params: { reason: expect.stringMatching(/^42S02 \(1146\): Table 'sbtest\.sbtest1' doesn't exist/) },
    });
    await prepare(server, ROOMY);
    const running = run(
      { durationMs: 20_000 },
      { on: (event) => void (event.type === 'window' && server.asRoot('DROP TABLE sbtest.sbtest2')) },
    );
    await expect(running).rejects.toMatchObject({ code: 'LOAD_FAILED' });
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('does not wait for a server that hangs', once, async () => {
    await prepare(server, ROOMY);
    try {
      const { windows } = await run(
        { durationMs: 3000 },
        {
          on: (event) =>
            void (event.type === 'window' && event.window.index === 0 && docker('pause', server.id)),
        },
      );
      expect(windows.at(-1)).toMatchObject({ index: 2, transactions: 0 });
    } finally {
      await docker('unpause', server.id);
    }
    expect(await openConnectionsSoon(server)).toBe(0);
  });

  it('fails when the server is killed', once, async () => {
    await prepare(server, ROOMY);
    let killed: Promise<void> | undefined;
    const running = run(
      { durationMs: ENDLESS_MS },
      {
        on: (event) => {
          if (event.type === 'window') killed ??= server.kill();
        },
      },
    );
    try {
      await expect(running).rejects.toMatchObject({ code: 'LOAD_FAILED' });
    } finally {
      await killed;
      await server.start();
    }
  });
});
