import { describe, expect, it } from 'vitest';
import { analyze } from '../../../src/shared/analysis/analyze.ts';
import { sampled } from '../../helpers/tier.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

describe('a sweep', { tags: ['full'] }, () => {
  const bench = realBench();

  it('really has as many connections at each level, on one server, and comes to a curve for each path', async () => {
    const LEVELS = [1, 4, 8];
    const PATHS = sampled(['container-ip', 'published-port'], 2);
    const plan = await smallPlan(bench.runtime, {
      connections: undefined,
      sweep: LEVELS,
      grid: { storages: ['named-volume'], paths: PATHS },
      baseline: 'named-volume.container-ip',
    });
    expect(new Set(plan.scenarios.map(({ serverId }) => serverId)).size).toBe(1);
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    expect(state.trials).toHaveLength(2 * PATHS.length * LEVELS.length);
    for (const { scenarioId, status, totals } of state.trials) {
      expect(status).toBe('measured');
      expect(scenarioId).toMatch(new RegExp(`\\.c${totals?.connections}$`));
    }
    const server = state.servers[plan.scenarios[0]?.serverId ?? ''];
    // The highest level's connections, and some for the test.
    expect(server?.facts?.options).toContain(`--max-connections=${30 + Math.max(...LEVELS)}`);

    const { sweeps, scenarios } = analyze(state);
    expect(sweeps.map(({ id }) => id)).toEqual(PATHS.map((path) => `named-volume.${path}`));
    for (const { levels, knee } of sweeps) {
      expect(levels.map(({ connections }) => connections)).toEqual(LEVELS);
      for (const { tps, lowTps, highTps } of levels) {
        expect(tps).toBeGreaterThanOrEqual(lowTps ?? Infinity);
        expect(tps).toBeLessThanOrEqual(highTps ?? 0);
      }
      expect(knee?.rounds).toBe(2);
      expect(LEVELS).toContain(knee?.connections);
    }
    for (const { id, baselineId, connections } of scenarios) {
      expect(baselineId).toBe(`named-volume.container-ip.c${connections}`);
      expect(id).toMatch(new RegExp(`\\.c${connections}$`));
    }
    expect(await leftOf(bench.runtime, state.runId)).toEqual([]);
  });
});
