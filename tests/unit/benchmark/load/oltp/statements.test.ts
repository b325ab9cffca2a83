import { describe, expect, it } from 'vitest';
import {
  contentColumn,
  padColumn,
  preparedStatements,
  transaction,
  type Draws,
  type Step,
} from '../../../../src/benchmark/load/node/oltp.ts';
import { createStream } from '../../../../src/benchmark/load/node/prng.ts';
import { workloadSchema, type Workload } from '../../../../src/shared/model/preset.ts';

const readWrite = workloadSchema.parse({ tables: 3, tableSize: 500 });
const readOnly: Workload = { ...readWrite, kind: 'oltp_read_only' };

const draws = (seed: number): Draws => ({ ids: createStream(seed, 0), content: createStream(seed, 1) });

/** What a step sends: its SQL and its table. */
function sent(workload: Workload, step: Step): { shape: string; table: string; parameters: unknown[] } {
  if ('text' in step) return { shape: step.text, table: '', parameters: [] };
  const sql = preparedStatements(workload)[step.prepared] ?? '?';
  const table = /sbtest\d+/.exec(sql)?.[0] ?? '?';
  return { shape: sql.replace(table, 't'), table, parameters: step.parameters };
}

const READS = [
  ...Array.from({ length: 10 }, () => 'SELECT c FROM t WHERE id=?'),
  'SELECT c FROM t WHERE id BETWEEN ? AND ?',
  'SELECT SUM(k) FROM t WHERE id BETWEEN ? AND ?',
  'SELECT c FROM t WHERE id BETWEEN ? AND ? ORDER BY c',
  'SELECT DISTINCT c FROM t WHERE id BETWEEN ? AND ? ORDER BY c',
];
const WRITES = [
  'UPDATE t SET k=k+1 WHERE id=?',
  'UPDATE t SET c=? WHERE id=?',
  'DELETE FROM t WHERE id=?',
  'INSERT INTO t (id, k, c, pad) VALUES (?, ?, ?, ?)',
];

describe('columns', () => {
  it('have sysbench’s format', () => {
    const random = createStream(1, 0);
    for (let i = 0; i < 500; i++) {
      expect(contentColumn(random)).toMatch(/^\d{11}(-\d{11}){9}$/);
      expect(padColumn(random)).toMatch(/^\d{11}(-\d{11}){4}$/);
    }
  });

  it('use every digit equally often', () => {
    const random = createStream(5, 0);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 1000; i++) {
      for (const digit of contentColumn(random).replaceAll('-', '')) {
        counts[Number(digit)] = (counts[Number(digit)] ?? NaN) + 1;
      }
    }
    const chiSquare = counts.reduce((sum, n) => sum + (n - 11_000) ** 2 / 11_000, 0);
    // 9 degrees of freedom: 27.9 is the 99.9th percentile.
    expect(chiSquare).toBeLessThan(27.9);
  });
});

describe('transaction', () => {
  it('of oltp_read_write is sysbench’s twenty statements in its order', () => {
    const steps = transaction(readWrite, draws(1)).map((step) => sent(readWrite, step));
    expect(steps.map(({ shape }) => shape)).toEqual(['BEGIN', ...READS, ...WRITES, 'COMMIT']);
  });

  it('of oltp_read_only is its sixteen', () => {
    const steps = transaction(readOnly, draws(1)).map((step) => sent(readOnly, step));
    expect(steps.map(({ shape }) => shape)).toEqual(['BEGIN', ...READS, 'COMMIT']);
  });

  it('draws one table for each group of statements', () => {
    const random = draws(3);
    const groups = [
      [1, 11],
      [11, 12],
      [12, 13],
      [13, 14],
      [14, 15],
      [15, 16],
      [16, 17],
      [17, 19],
    ];
    const seen = groups.map(() => new Set<string>());
    let differing = 0;
    for (let i = 0; i < 300; i++) {
      const steps = transaction(readWrite, random).map((step) => sent(readWrite, step));
      for (const [group, [from = 0, to = 0]] of groups.entries()) {
        const tables = new Set(steps.slice(from, to).map(({ table }) => table));
        expect(tables.size).toBe(1);
        for (const table of tables) seen[group]?.add(table);
      }
      if (steps[1]?.table !== steps[11]?.table) differing++;
    }
    for (const tables of seen) expect([...tables].sort()).toEqual(['sbtest1', 'sbtest2', 'sbtest3']);
    // Two of three times another table than the group before: 200 ± 5 standard deviations.
    expect(Math.abs(differing - 200)).toBeLessThan(41);
  });

  it('draws ids within the table, ranges of the given size, and inserts the row it deleted', () => {
    const random = draws(9);
    for (let i = 0; i < 200; i++) {
      const steps = transaction(readWrite, random).map((step) => sent(readWrite, step).parameters);
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

  it('draws ids and contents apart: the same ids can be had with new contents', () => {
    const of = (content: number) => {
      const steps = transaction(readWrite, { ids: createStream(1, 0), content: createStream(content, 0) });
      return steps.map((step) => sent(readWrite, step).parameters);
    };
    const numbers = (rows: unknown[][]) => rows.map((row) => row.filter((one) => typeof one === 'number'));
    expect(numbers(of(1))).toEqual(numbers(of(2)));
    expect(of(1)[16]?.[0]).not.toEqual(of(2)[16]?.[0]);
    expect(of(1)[18]?.[2]).not.toEqual(of(2)[18]?.[2]);
  });

  it('never asks for an id that an INT can’t hold', () => {
    const huge: Workload = { ...readWrite, rangeSize: 4e9 };
    const [, to] = sent(huge, transaction(huge, draws(1))[11] ?? { text: '' }).parameters;
    expect(to).toBe(2 ** 31 - 1);
  });
});

describe('preparedStatements', () => {
  it('prepares nine statements a table, or five when nothing is written', () => {
    expect(preparedStatements(readWrite)).toHaveLength(27);
    expect(preparedStatements(readOnly)).toHaveLength(15);
  });
});
