import { describe, expect, it } from 'vitest';
import { baselineName, nameInGroup, scenarioGroups } from '../../../src/renderer/scenario-groups.ts';
import { createTranslator } from '../../../src/shared/words/i18n.ts';
import { BUFFER_POOLS, GRID, makePlan } from '../builders.ts';

const t = createTranslator('en');

describe('the groups of a plan', () => {
  it('are one without buffer-pool sizes, with nothing dropped and what can’t run in its place', () => {
    const plan = makePlan({
      scenarios: GRID.filter(({ path }) => path !== 'host-network'),
      excluded: [{ storage: 'bind-mount', path: 'host-network', reason: 'no' }],
    });
    const [group, ...others] = scenarioGroups(plan, t);
    expect(others).toEqual([]);
    expect(group?.name).toBeNull();
    const ids = group?.rows.map(({ id }) => id) ?? [];
    expect(ids).toHaveLength(plan.scenarios.length + 1);
    expect(ids[ids.indexOf('bind-mount.host-network') - 1]).toBe('bind-mount.user-bridge');
  });

  it('are the buffer-pool sizes, called as people call them, each with what it can’t run', () => {
    const plan = makePlan({
      scenarios: GRID.slice(0, 2),
      bufferPools: BUFFER_POOLS,
      excluded: [{ storage: 'native', path: 'loopback', bufferPool: 'in-memory', reason: 'none' }],
    });
    const groups = scenarioGroups(plan, t);
    expect(groups.map(({ name }) => name)).toEqual([
      'Small buffer pool (I/O-bound)',
      'Large buffer pool (in memory)',
    ]);
    expect(groups.map(({ rows }) => rows.filter(({ runs }) => !runs).length)).toEqual([0, 1]);
    expect(groups[1]?.rows.at(-1)?.id).toBe('native.loopback.in-memory');
    const [first] = groups;
    const names = first?.scenarios.map((scenario) => nameInGroup(scenario, first, t));
    expect(names?.every((name) => !name.includes('I/O-bound'))).toBe(true);
  });

  it('are the levels of a sweep, within each buffer-pool size, each with what it can’t run', () => {
    const plan = makePlan({
      scenarios: GRID.slice(0, 2),
      bufferPools: BUFFER_POOLS,
      sweep: [1, 4, 16],
      excluded: [
        { storage: 'native', path: 'loopback', bufferPool: 'in-memory', connections: 4, reason: '' },
      ],
    });
    const groups = scenarioGroups(plan, t);
    expect(groups.map(({ name, connections }) => [name, connections])).toEqual([
      ['Small buffer pool (I/O-bound), 1 connection', 1],
      ['Small buffer pool (I/O-bound), 4 connections', 4],
      ['Small buffer pool (I/O-bound), 16 connections', 16],
      ['Large buffer pool (in memory), 1 connection', 1],
      ['Large buffer pool (in memory), 4 connections', 4],
      ['Large buffer pool (in memory), 16 connections', 16],
    ]);
    expect(groups.map(({ rows }) => rows.filter(({ runs }) => !runs).length)).toEqual([0, 0, 0, 0, 1, 0]);
    expect(groups.map((group) => baselineName(group, t))).toEqual(
      Array(6).fill('named volume via published port'),
    );
  });

  it('are the load generators where each has its own baseline', () => {
    const plan = makePlan({ scenarios: GRID.slice(0, 2), loadGenerator: ['builtin', 'sysbench'] });
    const groups = scenarioGroups(plan, t);
    expect(groups.map(({ name }) => name)).toEqual(['Whalemark', 'sysbench']);
    expect(groups.map((group) => baselineName(group, t))).toEqual([
      'named volume via published port',
      'named volume via published port',
    ]);
  });
});
