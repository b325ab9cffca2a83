import { describe, expect, it } from 'vitest';
import type { SqlAnswer, SqlValue } from '../../../../../../src/benchmark/load/builtin/connection.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { tpccKind, TpccProgram } from '../../../../../../src/benchmark/load/builtin/tpcc/program.ts';
import {
  TPCC_TYPES,
  type TpccType,
  tpccWorkloadSchema,
} from '../../../../../../src/shared/model/workload.ts';
import {
  statementKind,
  type TpccSession,
} from '../../../../../../src/benchmark/load/builtin/tpcc/transactions.ts';
import { decodeHistogram } from '../../../../../../src/shared/histogram/histogram.ts';
import { StatementTimes } from '../../../../../../src/benchmark/load/builtin/statement-times.ts';
import type { Counts } from '../../../../../../src/benchmark/load/builtin/counts.ts';
import { runOnce } from '../../run-once.ts';

const workload = tpccWorkloadSchema.parse({ kind: 'tpcc' });

interface Sent {
  sql: string;
  values: SqlValue[];
}

/** A server that remembers what it is sent and answers by the statement; `fail` may throw instead. */
function scriptedSession({ credit = 'GC', fail }: { credit?: string; fail?: (sql: string) => void } = {}) {
  const sent: Sent[] = [];
  const prepared: string[] = [];
  const rows: Record<string, unknown[]> = {
    ...{ d_next_o_id: [3001, '0.1000'], 'COUNT(*)': [5], c_id: [77], c_credit: [credit] },
    ...{ c_data: ['x'.repeat(490)], w_name: ['House'], d_name: ['Dist'], 'SUM(': ['250.50'] },
  };
  const rowOf = (sql: string, values: SqlValue[]): unknown[][] => {
    if (sql.includes('FROM item')) return values[0] === 100_001 ? [] : [['12.34', 'name', 'data']];
    if (sql.includes('FROM stock')) return [[15, 'info', 'data']];
    // District 4 has nothing to deliver.
    if (sql.includes('FROM new_orders')) return values[1] === 4 ? [] : [[2101]];
    const begin = Object.keys(rows).find((column) => sql.startsWith(`SELECT ${column}`));
    return [rows[begin ?? ''] ?? [9]];
  };
  const answer = async (sql: string, values: SqlValue[]): Promise<SqlAnswer> => {
    sent.push({ sql, values });
    fail?.(sql);
    if (sql.startsWith('SELECT')) return { hasRows: true, rows: rowOf(sql, values), affectedRows: 0 };
    const affectedRows = /^(BEGIN|COMMIT|ROLLBACK)/.test(sql) ? 0 : 1;
    return { hasRows: false, rows: [], affectedRows };
  };
  const session: TpccSession = {
    prepare: (sql) => {
      prepared.push(sql);
      return Promise.resolve((values) => answer(sql, values));
    },
    query: (sql) => answer(sql, []),
    close: () => Promise.resolve(),
    destroy: () => undefined,
  };
  return { session, sent, prepared };
}

async function opened(session: TpccSession, times = new StatementTimes()): Promise<TpccProgram> {
  const draws = { ids: createRandom(1, 0), content: createRandom(1, 1) };
  const program = new TpccProgram(session, workload, { draws, connection: 0, times });
  await program.prepare();
  return program;
}

/** Runs transactions until one of the type has come that `is` accepts. `order`: verbs and tables. */
async function runUntil(
  type: TpccType,
  options: Parameters<typeof scriptedSession>[0] = {},
  is: (counts: Counts, sent: Sent[]) => boolean = () => true,
): Promise<{ counts: Counts; sent: Sent[]; order: string[] }> {
  const { session, sent } = scriptedSession(options);
  const program = await opened(session);
  for (let i = 0; i < 5000; i++) {
    sent.length = 0;
    const counts = await runOnce(program);
    if (counts.mix[type] === 1 && is(counts, sent)) {
      const order = sent.map(({ sql }) =>
        sql
          .replace(/^SELECT.*? FROM (\w+).*$/, '$1')
          .replace(/^(UPDATE \w+|INSERT INTO \w+|DELETE FROM \w+).*/, '$1'),
      );
      return { counts, sent: [...sent], order };
    }
  }
  throw new Error(`no ${type}`);
}

const serverError = (errno: number): Error => Object.assign(new Error(`server says ${errno}`), { errno });
const byName = (_: Counts, sent: Sent[]): boolean =>
  sent.some(({ sql }) => sql.startsWith('SELECT COUNT(*)'));

describe('TpccProgram', () => {
  it('times each statement by kind and each transaction by type', async () => {
    const { session, sent } = scriptedSession();
    const times = new StatementTimes();
    const program = await opened(session, times);
    const mix: Record<string, number> = {};
    for (let i = 0; i < 200; i++) {
      for (const [type, count] of Object.entries((await runOnce(program)).mix))
        mix[type] = (mix[type] ?? 0) + count;
    }
    times.endWindow(true);
    const { statements, transactionTypes } = times.take();
    const counted = (encoded: string | undefined): number => decodeHistogram(encoded ?? '').totalCount;
    for (const type of TPCC_TYPES) expect(counted(transactionTypes[type])).toBe(mix[type]);
    const all = Object.values(statements).reduce((sum, encoded) => sum + counted(encoded), 0);
    const rollbacks = sent.filter(({ sql }) => sql === 'ROLLBACK').length;
    expect(all).toBe(sent.length - rollbacks);
    expect(counted(statements.begin)).toBe(200);
  });

  it('counts reads by how much they read, and writes by their verbs', () => {
    const kinds = {
      'SELECT i_price FROM item WHERE i_id = ?': 'point',
      'SELECT COUNT(*) FROM customer WHERE c_last = ?': 'range',
      'SELECT ol_i_id FROM order_line WHERE ol_o_id = ?': 'range',
      'SELECT no_o_id FROM new_orders ORDER BY no_o_id LIMIT 1 FOR UPDATE': 'lock',
      'UPDATE stock SET s_ytd = ?': 'update',
      'INSERT INTO history VALUES (?)': 'insert',
      'DELETE FROM new_orders WHERE no_o_id = ?': 'delete',
    };
    expect(Object.keys(kinds).map(statementKind)).toEqual(Object.values(kinds));
  });

  it('prepares each statement once, as many as it announces', async () => {
    const { session, prepared } = scriptedSession();
    await opened(session);
    expect(prepared).toHaveLength(tpccKind(workload).preparedStatements);
    expect(new Set(prepared).size).toBe(prepared.length);
    for (const sql of prepared) expect(sql).not.toMatch(/\$|\s{2}/);
  });

  it('runs New-Order', async () => {
    const { counts, sent, order } = await runUntil('new_order', {}, ({ rollbacks }) => rollbacks === 0);
    const lines = sent.filter(({ sql }) => sql.includes('FROM item')).length;
    const head = 'district, UPDATE district, warehouse, INSERT INTO orders, INSERT INTO new_orders';
    const line = 'item, stock, UPDATE stock, INSERT INTO order_line';
    expect(order.join(', ')).toBe(`BEGIN, ${head}, ${`${line}, `.repeat(lines)}COMMIT`);
    expect(counts).toMatchObject({ reads: 2 + 2 * lines, writes: 3 + 2 * lines, other: 2, rollbacks: 0 });
    const district = sent[1]?.values[1];
    const inserted = sent.find(({ sql }) => sql.startsWith('INSERT INTO order_line'))?.values ?? [];
    const quantity = Number(inserted[6]);
    const amount = (12.34 * quantity).toFixed(2);
    expect(inserted).toEqual([3001, district, 1, 1, expect.any(Number), 1, quantity, amount, 'info']);
    const column = `s_dist_${String(district).padStart(2, '0')}`;
    expect(sent.find(({ sql }) => sql.includes('FROM stock'))?.sql).toContain(column);
    const stock = sent.find(({ sql }) => sql.startsWith('UPDATE stock'))?.values ?? [];
    expect(stock.slice(0, 3)).toEqual([15 - quantity + (quantity <= 5 ? 0 : 91), quantity, 0]);
  });

  it('rolls a New-Order with an unknown item back; it is a transaction all the same', async () => {
    const { counts, order } = await runUntil('new_order', {}, ({ rollbacks }) => rollbacks === 1);
    expect(order.slice(-2)).toEqual(['item', 'ROLLBACK']);
    const lines = order.filter((step) => step === 'item').length;
    expect(counts).toEqual({
      ...{ transactions: 1, reads: 2 + 2 * lines - 1, writes: 3 + 2 * (lines - 1), other: 2 },
      ...{ errors: {}, rollbacks: 1, mix: { new_order: 1 } },
    });
  });

  it('runs Payment by last name, with bad credit', async () => {
    const { counts, sent, order } = await runUntil('payment', { credit: 'BC' }, byName);
    expect(order.join(', ')).toBe(
      'BEGIN, UPDATE warehouse, UPDATE district, warehouse, district, customer, customer, customer, customer, ' +
        'UPDATE customer, INSERT INTO history, COMMIT',
    );
    expect(counts).toMatchObject({ reads: 6, writes: 4, other: 2, mix: { payment: 1 } });
    // The third of five namesakes.
    expect(sent[6]?.values[3]).toBe(2);
    const amount = String(sent[1]?.values[0]);
    expect(amount).toMatch(/^\d+\.\d{2}$/);
    const district = sent[2]?.values[2];
    const data = String(sent[9]?.values[2]);
    expect(data.startsWith(`77 ${district} 1 ${district} 1 ${amount} xxx`)).toBe(true);
    expect(data).toHaveLength(500);
    expect(sent[9]?.values.slice(3)).toEqual([1, district, 77]);
    expect(sent[10]?.values).toEqual([77, district, 1, district, 1, amount, 'House    Dist']);
  });

  it('runs Order-Status', async () => {
    const { counts, order } = await runUntil('order_status', {}, byName);
    expect(order.join(', ')).toBe('BEGIN, customer, customer, customer, orders, order_line, COMMIT');
    expect(counts).toMatchObject({ reads: 5, writes: 0, other: 2, mix: { order_status: 1 } });
  });

  it('runs Delivery for all districts at once, and skips those without orders', async () => {
    const { counts, sent, order } = await runUntil('delivery');
    const one =
      'new_orders, DELETE FROM new_orders, orders, UPDATE orders, order_line, UPDATE order_line, UPDATE customer, ';
    expect(order.join(', ')).toBe(`BEGIN, ${one.repeat(3)}new_orders, ${one.repeat(6)}COMMIT`);
    expect(counts).toMatchObject({ reads: 28, writes: 36, other: 2, mix: { delivery: 1 } });
    expect(sent[7]?.values).toEqual(['250.50', 1, 1, 9]);
  });

  it('runs Stock-Level', async () => {
    const { counts, sent, order } = await runUntil('stock_level');
    expect(order.join(', ')).toBe('BEGIN, district, order_line, COMMIT');
    expect(counts).toMatchObject({ reads: 2, writes: 0, other: 2, mix: { stock_level: 1 } });
    expect(sent[2]?.values.slice(0, 4)).toEqual([1, 1, 2981, 3001]);
  });

  it.each([1213, 1020, 1205])('rolls back and runs the same again after error %i', async (errno) => {
    let left = 0;
    const fail = (sql: string): void => {
      if (sql === 'BEGIN' && left === 0) left = 3;
      if (sql.startsWith('INSERT INTO history') && --left > 0) throw serverError(errno);
    };
    const { counts, sent } = await runUntil('payment', { fail }, ({ errors }) => errors[errno] === 2);
    const begins = sent.flatMap(({ sql }, index) => (sql === 'BEGIN' ? [index] : []));
    expect(begins).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = begins;
    const tries = [sent.slice(first, second), sent.slice(second, third), sent.slice(third)];
    for (const attempt of tries) expect(attempt.slice(0, -1)).toEqual(tries[0]?.slice(0, -1));
    expect(tries.map((attempt) => attempt.at(-1)?.sql)).toEqual(['ROLLBACK', 'ROLLBACK', 'COMMIT']);
    const expected = { transactions: 1, errors: { [errno]: 2 }, rollbacks: 0, writes: 3 + 3 + 4, other: 6 };
    expect(counts).toMatchObject(expected);
  });

  it.each([1146, 1062, -104])('ends with any other error (%i)', async (errno) => {
    const fail = (sql: string): void => {
      if (sql.startsWith('UPDATE')) throw serverError(errno);
    };
    await expect(runUntil('payment', { fail })).rejects.toThrow(`server says ${errno}`);
  });
});
