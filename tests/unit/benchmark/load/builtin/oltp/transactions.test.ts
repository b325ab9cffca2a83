import { describe, expect, it } from 'vitest';
import {
  preparedStatements,
  type Step,
  transactions,
} from '../../../../../../src/benchmark/load/builtin/oltp/transactions.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import type { Draws } from '../../../../../../src/benchmark/load/builtin/workload-kind.ts';
import type { OltpKind } from '../../../../../../src/shared/kinds/mixes.ts';
import { OLTP_KINDS } from '../../../../../../src/shared/model/names.ts';
import { type OltpWorkload, oltpWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const build = (kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload =>
  oltpWorkloadSchema.parse({ kind, tables: 3, tableSize: 500, ...fields });
const readWrite = build('oltp_read_write');
const draws = (seed: number): Draws => ({ ids: createRandom(seed, 0), content: createRandom(seed, 1) });

interface Sent {
  shape: string;
  table: string;
  parameters: (string | number)[];
}

/** The SQL and the table of a step. */
function sent(workload: OltpWorkload, step: Step): Sent {
  if ('text' in step) return { shape: step.text, table: '', parameters: [] };
  const sql = preparedStatements(workload)[step.prepared] ?? '?';
  const table = /sbtest\d+/.exec(sql)?.[0] ?? '?';
  return { shape: sql.replace(table, 't'), table, parameters: step.parameters };
}

/** The first transaction of a workload. */
function first(workload: OltpWorkload, seed = 1): Sent[] {
  return transactions(workload, draws(seed))().map((step) => sent(workload, step));
}

const READS = [
  ...Array.from({ length: 10 }, () => 'SELECT c FROM t WHERE id=?'),
  'SELECT c FROM t WHERE id BETWEEN ? AND ?',
  'SELECT SUM(k) FROM t WHERE id BETWEEN ? AND ?',
  'SELECT c FROM t WHERE id BETWEEN ? AND ? ORDER BY c',
  'SELECT DISTINCT c FROM t WHERE id BETWEEN ? AND ? ORDER BY c',
];
const INDEX_UPDATE = 'UPDATE t SET k=k+1 WHERE id=?';
const NON_INDEX_UPDATE = 'UPDATE t SET c=? WHERE id=?';
const DELETE = 'DELETE FROM t WHERE id=?';
const INSERT = 'INSERT INTO t (id, k, c, pad) VALUES (?, ?, ?, ?)';
const WRITES = [INDEX_UPDATE, NON_INDEX_UPDATE, DELETE, INSERT];

describe('transactions', () => {
  it.each([
    ['oltp_read_write', ['BEGIN', ...READS, ...WRITES, 'COMMIT'], 20],
    ['oltp_read_only', ['BEGIN', ...READS, 'COMMIT'], 16],
    ['oltp_write_only', ['BEGIN', ...WRITES, 'COMMIT'], 6],
    ['oltp_point_select', [READS[0]], 1],
    ['oltp_update_index', [INDEX_UPDATE], 1],
    ['oltp_update_non_index', [NON_INDEX_UPDATE], 1],
    ['oltp_delete', [DELETE], 1],
    [
      'oltp_complex',
      ['BEGIN', ...READS, INDEX_UPDATE, NON_INDEX_UPDATE, INDEX_UPDATE, DELETE, INSERT, 'COMMIT'],
      21,
    ],
  ] as const)('of %s are sysbench’s statements in its order', (kind, shapes, count) => {
    expect(shapes).toHaveLength(count);
    expect(first(build(kind)).map(({ shape }) => shape)).toEqual(shapes);
    const inside = shapes.filter((shape) => shape !== 'BEGIN' && shape !== 'COMMIT');
    expect(first(build(kind, { skipTransactions: true })).map(({ shape }) => shape)).toEqual(inside);
  });

  it.each(OLTP_KINDS)('of %s are the same as text', (kind) => {
    const workload = build(kind);
    const text = build(kind, { preparedStatements: false });
    const prepared = transactions(workload, draws(5));
    const asText = transactions(text, draws(5));
    for (let i = 0; i < 20; i++) {
      const filledIn = prepared().map((step) => {
        const { shape, table, parameters } = sent(workload, step);
        let next = 0;
        return shape.replace(/\bt\b/, table).replaceAll('?', () => {
          const value = parameters[next++];
          return typeof value === 'number' ? String(value) : `'${value}'`;
        });
      });
      expect(asText().map((step) => ('text' in step ? step.text : 'prepared'))).toEqual(filledIn);
    }
  });

  it.each([
    ['oltp_read_write', 17, 2],
    ['oltp_complex', 17, 3],
  ] as const)('draw one table for each group of statements (%s)', (kind, last, lastLength) => {
    const workload = build(kind);
    const next = transactions(workload, draws(3));
    const singles = Array.from({ length: 6 }, (_, index) => [11 + index, 12 + index]);
    const groups = [[1, 11], ...singles, [last, last + lastLength]];
    const seen = groups.map(() => new Set<string>());
    let differing = 0;
    for (let i = 0; i < 300; i++) {
      const steps = next().map((step) => sent(workload, step));
      for (const [group, [from = 0, to = 0]] of groups.entries()) {
        const tables = new Set(steps.slice(from, to).map(({ table }) => table));
        expect(tables.size).toBe(1);
        for (const table of tables) seen[group]?.add(table);
      }
      if (steps[1]?.table !== steps[11]?.table) differing++;
    }
    for (const tables of seen) expect([...tables].sort()).toEqual(['sbtest1', 'sbtest2', 'sbtest3']);
    // Two of three groups have another table than the group before: 200 ± 5 standard deviations.
    expect(Math.abs(differing - 200)).toBeLessThan(41);
  });

  it('draw ids within the table, ranges of the given size, and insert the row they deleted', () => {
    const next = transactions(readWrite, draws(9));
    for (let i = 0; i < 200; i++) {
      const steps = next().map((step) => sent(readWrite, step).parameters);
      for (const [id] of [...steps.slice(1, 11), ...steps.slice(11, 15), ...[steps[15] ?? []]]) {
        expect(id).toBeGreaterThanOrEqual(1);
        expect(id).toBeLessThanOrEqual(500);
      }
      for (const [from, to] of steps.slice(11, 15)) expect(to).toBe(Number(from) + 99);
      const [deleted] = steps[17] ?? [];
      const [inserted, k, c, pad] = steps[18] ?? [];
      expect(inserted).toBe(deleted);
      expect(k).toBeGreaterThanOrEqual(1);
      expect(k).toBeLessThanOrEqual(500);
      expect(c).toHaveLength(119);
      expect(pad).toHaveLength(59);
    }
  });

  it('of oltp_complex touch the row before they replace it, and keep their ranges inside the table', () => {
    const workload = build('oltp_complex');
    const next = transactions(workload, draws(9));
    let highest = 0;
    for (let i = 0; i < 300; i++) {
      const steps = next().map((step) => sent(workload, step).parameters);
      const [updated] = steps[17] ?? [];
      expect([steps[18]?.[0], steps[19]?.[0]]).toEqual([updated, updated]);
      for (const [from, to] of steps.slice(11, 14)) expect(to).toBe(Number(from) + 99);
      const [from, to] = steps[14] ?? [];
      expect(to).toBe(Number(from) + 100);
      highest = Math.max(highest, Number(to));
    }
    expect(highest).toBe(500);
    const tiny = build('oltp_complex', { tableSize: 100, rangeSize: 400 });
    expect(first(tiny)[11]?.parameters).toEqual([1, 400]);
    // An INT can't hold more.
    expect(first(build('oltp_read_write', { rangeSize: 4e9 }))[11]?.parameters[1]).toBe(2 ** 31 - 1);
  });

  it('draw ids and contents apart: the same ids can be had with new contents', () => {
    const of = (content: number) => {
      const next = transactions(readWrite, { ids: createRandom(1, 0), content: createRandom(content, 0) });
      return next().map((step) => sent(readWrite, step).parameters);
    };
    const numbers = (rows: unknown[][]) => rows.map((row) => row.filter((one) => typeof one === 'number'));
    expect(numbers(of(1))).toEqual(numbers(of(2)));
    expect(of(1)[16]?.[0]).not.toEqual(of(2)[16]?.[0]);
    expect(of(1)[18]?.[2]).not.toEqual(of(2)[18]?.[2]);
  });
});
