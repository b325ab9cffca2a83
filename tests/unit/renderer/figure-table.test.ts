import { describe, expect, it } from 'vitest';
import {
  nextOrder,
  sortedScenarios,
  variableTable,
} from '../../../src/renderer/components/result/figure-table.ts';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { demoState } from '../builders.ts';

const { scenarios } = analyze(demoState());
describe('a table of figures', () => {
  it('is sorted upwards, downwards, and then as the plan has it', () => {
    const up = nextOrder(undefined, 'tps');
    const down = nextOrder(up, 'tps');
    expect([up?.direction, down?.direction]).toEqual(['ascending', 'descending']);
    expect(nextOrder(down, 'tps')).toBeUndefined();
    expect(nextOrder(down, 'qps')).toEqual({ column: 'qps', direction: 'ascending' });
  });

  it('puts what is not known last, whichever way it is sorted', () => {
    const some = scenarios.slice(0, 4).map((one, index) => (index === 1 ? { ...one, tps: null } : one));
    for (const direction of ['ascending', 'descending'] as const) {
      const rates = sortedScenarios(some, { column: 'tps', direction }, 'en').map(({ tps }) => tps);
      expect(rates.at(-1)).toBeNull();
      const known = rates.slice(0, -1) as number[];
      const rising = [...known].sort((a, b) => a - b);
      expect(known).toEqual(direction === 'ascending' ? rising : rising.reverse());
    }
  });

  it('sorts names by their numbers', () => {
    const named = ['pool 100', 'pool 5', 'pool 25'].flatMap((name) =>
      scenarios.slice(0, 1).map((one) => ({ ...one, name })),
    );
    const order = { column: 'scenario', direction: 'ascending' as const };
    expect(sortedScenarios(named, order, 'en').map(({ name }) => name)).toEqual([
      'pool 5',
      'pool 25',
      'pool 100',
    ]);
  });
});

describe('the settings that servers report', () => {
  it('share a column where they agree, and what differs is marked', () => {
    const { servers } = demoState();
    const [first] = Object.values(servers);
    const facts = first?.facts ?? null;
    if (facts === null) throw new Error('no facts');
    const other = { ...facts, variables: { ...facts.variables, innodb_flush_method: 'fsync' } };
    const table = variableTable({
      a: { facts, consistency: null, log: [] },
      b: { facts, consistency: null, log: [] },
      c: { facts: other, consistency: null, log: [] },
      d: { facts: null, consistency: null, log: [] },
    });
    expect(table.groups.map((one) => one.servers)).toEqual([['a', 'b'], ['c']]);
    expect(table.rows.filter(({ differs }) => differs)).toEqual([
      { name: 'innodb_flush_method', values: [null, 'fsync'], differs: true },
    ]);
  });
});
