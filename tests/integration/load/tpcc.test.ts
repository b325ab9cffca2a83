import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { LoadClient, LoadEvent, LoadSpec } from '../../../src/benchmark/load/load-client.ts';
import { SqlConnection } from '../../../src/benchmark/load/node/connection.ts';
import { CommandedClient } from '../../../src/benchmark/load/client/clients.ts';
import { createRandom } from '../../../src/benchmark/random.ts';
import { queryRows } from '../../../src/benchmark/load/client/queries.ts';
import { checkTpccConsistency } from '../../../src/benchmark/load/node/tpcc/consistency.ts';
import { TPCC_TYPES, type TpccType, tpccWorkloadSchema } from '../../../src/shared/model/workload.ts';
import { StatementTimes } from '../../../src/benchmark/load/node/statement-times.ts';
import { TpccProgram } from '../../../src/benchmark/load/node/tpcc/program.ts';
import { type Counts, emptyCounts } from '../../../src/benchmark/load/node/counts.ts';
import type { Totals } from '../../../src/shared/model/measurements.ts';
import { runOnce } from '../../unit/benchmark/load/run-once.ts';
import { hostClient, IN_THE_WAY, never } from './loads.ts';
import { counters, difference, openConnectionsSoon, type Counters } from './server-counters.ts';
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

  const broken = async () => {
    const { ok, conditions } = await checkTpccConsistency((sql) => queryRows(server.target, sql, never()));
    expect(conditions).toHaveLength(13);
    expect(ok).toBe(conditions.every((condition) => condition.ok));
    return conditions.filter((condition) => !condition.ok);
  };
  const spec = (fields: Partial<LoadSpec> = {}): LoadSpec => ({
    loadGenerator: 'node',
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
    { signal = never(), loadGenerator }: { signal?: AbortSignal; loadGenerator?: LoadClient } = {},
  ): Promise<Totals> => (loadGenerator ?? hostClient()).run(spec(fields), on, signal);

  it('sends what it counts, transaction by transaction', small, async () => {
    const session = await SqlConnection.open(server.target);
    const draws = { ids: createRandom(3, 0), content: createRandom(3, 1) };
    const program = new TpccProgram(session, workload, { draws, connection: 0, times: new StatementTimes() });
    await program.prepare();
    const all = emptyCounts();
    const byType = new Map<TpccType, { counts: Counts; server: Counters }[]>();
    for (let i = 0; i < 10 * 23; i++) {
      const before = await counters(server);
      const counts = await runOnce(program);
      const sent = difference(await counters(server), before);
      const type = TPCC_TYPES.find((one) => counts.mix[one] === 1);
      if (type === undefined) throw new Error('no type');
      byType.set(type, [...(byType.get(type) ?? []), { counts, server: sent }]);
      expect(counts).toMatchObject({ transactions: 1, errors: {}, other: 2 });
      expect(counts.reads).toBe(sent.select);
      expect(counts.writes).toBe(sent.update + sent.insert + sent.delete);
      expect(sent).toMatchObject({ begin: 1, commit: 1 - counts.rollbacks, rollback: counts.rollbacks });
      for (const key of ['transactions', 'reads', 'writes', 'other', 'rollbacks'] as const) {
        all[key] += counts[key];
      }
    }
    await session.close();

    const of = (type: TpccType) => byType.get(type) ?? [];
    expect(TPCC_TYPES.map((type) => of(type).length)).toEqual([100, 100, 10, 10, 10]);
    for (const { counts, server: sent } of of('new_order')) {
      const lines = counts.rollbacks === 1 ? (counts.reads - 3) / 2 : (counts.reads - 2) / 2;
      expect(sent.update).toBe(1 + lines);
      expect(sent.insert).toBe(2 + lines);
    }
    for (const { counts, server: sent } of of('payment')) {
      expect([3, 4, 5, 6]).toContain(counts.reads);
      expect(sent).toMatchObject({ update: 3, insert: 1, delete: 0 });
    }
    for (const { counts } of of('order_status')) {
      expect([3, 5]).toContain(counts.reads);
      expect(counts.writes).toBe(0);
    }
    // Ten districts, all of which have undelivered orders.
    for (const { counts, server: sent } of of('delivery')) {
      expect(counts).toMatchObject({ reads: 30, writes: 40 });
      expect(sent).toMatchObject({ update: 30, delete: 10 });
    }
    for (const { counts } of of('stock_level')) expect(counts).toMatchObject({ reads: 2, writes: 0 });
    // sysbench-tpcc published 13.0 reads, 13.5 writes and 2.0 others a transaction.
    expect(all.reads / all.transactions).toBeCloseTo(13, 0);
    expect(all.writes / all.transactions).toBeCloseTo(13.5, 0);
    expect(all.other).toBe(2 * all.transactions);
    expect(await broken()).toEqual([]);
  });

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
        // Each of the eight decks is at most so far from its shares; dice may be five standard deviations away.
        const slack = mix === 'specification' ? 8 * 23 * p * (1 - p) : 5 * Math.sqrt(n * p * (1 - p));
        expect(Math.abs((totals.mix[type] ?? 0) - n * p), type).toBeLessThanOrEqual(slack);
      }
      // One of a hundred.
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
    const running = run({}, (event) => event.type === 'window' && stop.abort(), { signal: stop.signal });
    await expect(running).rejects.toMatchObject({ code: 'STOPPED' });
    expect(await openConnectionsSoon(server)).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it('is consistent when its client is killed', full(), async () => {
    const process = spawn('node', [inject('clientFile')], { stdio: 'pipe' });
    const ended = once(process, 'exit').then(() => undefined);
    const loadGenerator = new CommandedClient({ ...process, ended });
    const running = run({}, (event) => event.type === 'window' && process.kill('SIGKILL'), { loadGenerator });
    await expect(running).rejects.toMatchObject({ code: 'CLIENT_LOST' });
    expect(await openConnectionsSoon(server)).toBe(0);
    expect(await broken()).toEqual([]);
  });

  it('finds what is not consistent', small, async () => {
    const first = 'WHERE o_w_id = 1 AND o_d_id = 3 AND o_id';
    await server.asRoot(`UPDATE sbtest.orders SET o_ol_cnt = o_ol_cnt + 1 ${first} = 7`);
    await server.asRoot(`UPDATE sbtest.orders SET o_carrier_id = NULL ${first} = 9`);
    await server.asRoot('UPDATE sbtest.district SET d_ytd = d_ytd + 0.01 WHERE d_w_id = 2 AND d_id = 4');
    await server.asRoot('UPDATE sbtest.district SET d_next_o_id = 70 WHERE d_w_id = 2 AND d_id = 5');
    await server.asRoot('DELETE FROM sbtest.new_orders WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 50');
    await server.asRoot(
      'UPDATE sbtest.customer SET c_balance = 1 WHERE c_w_id = 1 AND c_d_id = 1 AND c_id = 5',
    );
    await server.asRoot('UPDATE sbtest.warehouse SET w_ytd = 5 WHERE w_id = 1');
    await server.asRoot('UPDATE sbtest.stock SET s_ytd = 3 WHERE s_w_id = 2 AND s_i_id = 17');
    const found = await broken();
    expect(found.map(({ id, offenders }) => [id, offenders])).toEqual([
      ['1', 2],
      ['2', 1],
      ['3', 1],
      ['4', 1],
      ['5', 2],
      ['6', 1],
      ['7', expect.any(Number)],
      ['8', 1],
      ['9', 1],
      ['10', 1],
      ['11', 1],
      ['12', 1],
      ['stock', 1],
    ]);
    expect(found[0]?.first).toBe('warehouse 1: 5.00, not 6000.00');
    expect(found[8]?.first).toBe('warehouse 2 district 4: 600.01, not 600.00');
    expect(found[12]?.first).toBe('warehouse 2: 3 0 0, not 0 0 0');
  });

  it('is consistent when the server is killed', full(), async () => {
    // What was committed has to survive, as with the server's own setting.
    await server.asRoot('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    let killed: Promise<void> | undefined;
    const running = run({}, (event) => {
      if (event.type === 'window') killed ??= server.kill();
    });
    try {
      await expect(running).rejects.toMatchObject({ code: 'LOAD_FAILED' });
    } finally {
      await killed;
      // With the option that it has for all tests.
      await server.start();
    }
    const [[orders] = []] = await queryRows(server.target, 'SELECT COUNT(*) FROM orders', never());
    expect(Number(orders)).toBeGreaterThan(1200);
    expect(await broken()).toEqual([]);
  });
});
