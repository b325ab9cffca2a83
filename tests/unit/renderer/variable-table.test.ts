import { describe, expect, it } from 'vitest';
import { variableTable } from '../../../src/renderer/components/result/variable-table.ts';
import { demoState } from '../builders.ts';

describe('the settings that servers report', () => {
  it('share a column where they agree, and what differs is marked', () => {
    const { servers } = demoState();
    const [first] = Object.values(servers);
    const facts = first?.facts ?? null;
    if (facts === null) throw new Error('no facts');
    const other = { ...facts, variables: { ...facts.variables, innodb_flush_method: 'fsync' } };
    const table = variableTable({
      a: { facts, log: [] },
      b: { facts, log: [] },
      c: { facts: other, log: [] },
      d: { facts: null, log: [] },
    });
    expect(table.groups.map((one) => one.servers)).toEqual([['a', 'b'], ['c']]);
    expect(table.rows.filter(({ differs }) => differs)).toEqual([
      { name: 'innodb_flush_method', values: [null, 'fsync'], differs: true },
    ]);
  });
});
