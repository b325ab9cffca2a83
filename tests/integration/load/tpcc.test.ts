import { beforeEach, describe, expect, it } from 'vitest';
import type { LoadEvent, LoadSpec } from '../../../src/benchmark/load/load-client.ts';
import { queryRows } from '../../../src/benchmark/load/client/queries.ts';
import { TPCC_TYPES, tpccWorkloadSchema } from '../../../src/shared/model/workload.ts';
import type { Totals } from '../../../src/shared/model/measurements.ts';
import { hostClient, IN_THE_WAY, never } from './loads.ts';
import { openConnectionsSoon } from './server-counters.ts';
import { brokenConditions, CONDITIONS } from './tpcc-consistency.ts';
import { FLAVORS, full, useServer } from './shared-server.ts';

const workload = tpccWorkloadSchema.parse({
  kind: 'tpcc',
  warehouses: 2,
  items: 2000,
  customersPerDistrict: 60,
});
describe.each(FLAVORS)('tpcc on %s', (flavor) => {
  const server = useServer(flavor);
  const small = full(flavor !== 'mariadb');
  beforeEach(async () => {
    await server.clear();
    const options = { seed: 1, onProgress: () => undefined, signal: never() };
    await hostClient().prepare(server.target, workload, options);
  });

  const broken = (): Promise<string[]> => brokenConditions((sql) => queryRows(server.target, sql, never()));
  const spec = (fields: Partial<LoadSpec> = {}): LoadSpec => ({
    loadGenerator: 'builtin',
    target: server.target,
    workload,
    connections: 8,
    warmupMs: 0,
    durationMs: 60_000,
    seed: 1,
    ...fields,
  });
  const run = (
    fields: Partial<LoadSpec>,
    on: (event: LoadEvent) => void = () => undefined,
    signal = never(),
  ): Promise<Totals> => hostClient().run(spec(fields), on, signal);

  describe.each(['specification', 'sysbench-tpcc'] as const)('with the mix of %s', (mix) => {
    const inGate = flavor === 'mariadb' && mix === 'specification';
    it('keeps mix and consistency with many terminals', full(!inGate), async () => {
      const totals = await run({ workload: { ...workload, mix }, durationMs: 3000 });
      const n = totals.transactions;
      const sum = Object.values(totals.mix).reduce((all, one) => all + one, 0);
      expect(sum).toBe(n);
      expect(n).toBeGreaterThan(0);
      for (const type of TPCC_TYPES) {
        const p = type === 'new_order' || type === 'payment' ? 10 / 23 : 1 / 23;
        // Each of the eight decks is at most so far from its shares, and dice are within five standard deviations.
        const slack = mix === 'specification' ? 8 * 23 * p * (1 - p) : 5 * Math.sqrt(n * p * (1 - p));
        expect(Math.abs((totals.mix[type] ?? 0) - n * p), type).toBeLessThanOrEqual(slack);
      }
      // One order in a hundred is rolled back.
      const orders = totals.mix['new_order'] ?? 0;
      expect(Math.abs(totals.rollbacks - orders / 100)).toBeLessThan(0.5 * Math.sqrt(orders));
      for (const code of Object.keys(totals.errors)) expect(IN_THE_WAY).toContain(code);
      expect(totals.latency?.count).toBe(totals.transactions);
      expect(await openConnectionsSoon(server)).toBe(0);
      expect(await broken()).toEqual([]);
    });
  });

  it('is consistent when it is stopped', small, async () => {
    const stop = new AbortController();
    const running = run({}, (event) => event.type === 'window' && stop.abort(), stop.signal);
    await expect(running).rejects.toMatchObject({ code: 'STOPPED' });
    expect(await openConnectionsSoon(server)).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it('breaks every condition when its tables are changed', full(), async () => {
    const first = 'WHERE o_w_id = 1 AND o_d_id = 3 AND o_id';
    const changes = [
      `UPDATE orders SET o_ol_cnt = o_ol_cnt + 1 ${first} = 7`,
      `UPDATE orders SET o_carrier_id = NULL ${first} = 9`,
      'UPDATE district SET d_ytd = d_ytd + 0.01 WHERE d_w_id = 2 AND d_id = 4',
      'UPDATE district SET d_next_o_id = 70 WHERE d_w_id = 2 AND d_id = 5',
      'DELETE FROM new_orders WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 50',
      'UPDATE customer SET c_balance = 1 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 5',
      'UPDATE warehouse SET w_ytd = 5 WHERE w_id = 1',
      'UPDATE stock SET s_ytd = 3 WHERE s_w_id = 2 AND s_i_id = 17',
    ];
    for (const sql of changes) await queryRows(server.target, sql, never());
    expect(await broken()).toEqual(CONDITIONS);
  });

  it('is consistent when the server is killed', full(), async () => {
    // Committed transactions have to survive, as with the server's own setting.
    await server.asRoot('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    let killed: Promise<void> | undefined;
    const running = run({}, (event) => {
      if (event.type === 'window') killed ??= server.kill();
    });
    try {
      await expect(running).rejects.toMatchObject({ code: 'LOAD_FAILED' });
    } finally {
      await killed;
      // The start brings back the option of all tests.
      await server.start();
    }
    const [[orders] = []] = await queryRows(server.target, 'SELECT COUNT(*) FROM orders', never());
    expect(Number(orders)).toBeGreaterThan(1200);
    expect(await broken()).toEqual([]);
  });
});
