import { describe, expect, it } from 'vitest';
import {
  contentColumn,
  drawId,
  padColumn,
  preparedStatements,
  transaction,
} from '../../../../src/benchmark/load/node/oltp.ts';
import { workloadSchema } from '../../../../src/shared/model/preset.ts';
import { createRandom } from '../../../../src/shared/random.ts';

const workload = workloadSchema.parse({ tables: 3, tableSize: 1000 });

/** A transaction as text: the statements that would be sent. */
function statements(kind: 'oltp_read_write' | 'oltp_read_only', seed: number) {
  const chosen = { ...workload, kind };
  const prepared = preparedStatements(chosen);
  return transaction(chosen, createRandom(seed)).map((step) =>
    'text' in step
      ? { sql: step.text, parameters: [] }
      : { sql: prepared[step.prepared] ?? '', parameters: step.parameters },
  );
}

const verb = ({ sql }: { sql: string }): string => sql.split(' ')[0] ?? '';

describe('oltp workloads', () => {
  it('have the statements of sysbench in its order', () => {
    const sent = statements('oltp_read_write', 1);
    expect(sent.map(verb)).toEqual([
      'BEGIN',
      ...Array.from({ length: 14 }, () => 'SELECT'),
      'UPDATE',
      'UPDATE',
      'DELETE',
      'INSERT',
      'COMMIT',
    ]);
    expect(sent[11]?.sql).toMatch(/SELECT c FROM sbtest\d WHERE id BETWEEN/);
    expect(sent[12]?.sql).toContain('SUM(k)');
    expect(sent[13]?.sql).toMatch(/ORDER BY c$/);
    expect(sent[14]?.sql).toContain('DISTINCT c');
    expect(sent[15]?.sql).toContain('k=k+1');
    expect(statements('oltp_read_only', 1).map(verb)).toEqual(
      sent.map(verb).filter((_, i) => i < 15 || i > 18),
    );
  });

  it('keep a group of point selects on one table, and delete and insert on one row', () => {
    for (let seed = 0; seed < 50; seed++) {
      const sent = statements('oltp_read_write', seed);
      expect(new Set(sent.slice(1, 11).map(({ sql }) => sql)).size).toBe(1);
      const [remove, insert] = [sent[17], sent[18]];
      expect(remove?.sql.match(/sbtest\d/)?.[0]).toBe(insert?.sql.match(/sbtest\d/)?.[0]);
      expect(remove?.parameters[0]).toBe(insert?.parameters[0]);
      const [low, high] = sent[11]?.parameters ?? [];
      expect(Number(high) - Number(low)).toBe(99);
    }
  });

  it('use every table', () => {
    const used = new Set(
      Array.from(
        { length: 30 },
        (_, seed) => statements('oltp_read_only', seed)[1]?.sql.match(/sbtest\d/)?.[0],
      ),
    );
    expect([...used].sort()).toEqual(['sbtest1', 'sbtest2', 'sbtest3']);
  });

  it('draw ids uniformly over the whole table', () => {
    const random = createRandom(3);
    const bins = Array.from({ length: 20 }, () => 0);
    let [low, high] = [Infinity, 0];
    for (let i = 0; i < 40_000; i++) {
      const id = drawId(workload, random);
      low = Math.min(low, id);
      high = Math.max(high, id);
      const bin = Math.floor((id - 1) / 50);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    expect([low, high]).toEqual([1, 1000]);
    // Chi-square with 19 degrees of freedom: 43.8 is its 99.9th percentile.
    expect(bins.reduce((sum, n) => sum + (n - 2000) ** 2 / 2000, 0)).toBeLessThan(43.8);
  });

  it('fill columns in the format of sysbench', () => {
    const random = createRandom(4);
    for (let i = 0; i < 200; i++) {
      expect(contentColumn(random)).toMatch(/^(\d{11}-){9}\d{11}$/);
      expect(padColumn(random)).toMatch(/^(\d{11}-){4}\d{11}$/);
    }
  });
});
