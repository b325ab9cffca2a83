import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/shared/analysis/analyse.ts';
import { IS_FULL } from '../../helpers/tier.ts';
import { leftOf, realBench, runPlan, smallPlan } from '../helpers/bench.ts';

describe('a ramp', () => {
  const bench = realBench();

  it('really has as many connections at each level, on one server, and comes to a curve for each path', async () => {
    const LEVELS = IS_FULL ? [1, 4, 8] : [1, 4];
    const plan = await smallPlan(bench.runtime, {
      connections: undefined,
      ramp: LEVELS,
      grid: { storages: ['named-volume'], paths: ['container-ip', 'published-port'] },
      baseline: 'named-volume.container-ip',
    });
    expect(new Set(plan.scenarios.map(({ serverId }) => serverId)).size).toBe(1);
    const { state } = await runPlan(plan, bench.runtime, bench.dataDir);
    expect(state.trials).toHaveLength(2 * 2 * LEVELS.length);
    for (const { scenarioId, status, totals } of state.trials) {
      expect(status).toBe('measured');
      expect(scenarioId).toMatch(new RegExp(`\\.c${totals?.connections}$`));
    }
    const server = state.servers[plan.scenarios[0]?.serverId ?? ''];
    // As many as the highest level needs, and some for ourselves.
    expect(server?.facts?.options).toContain(`--max-connections=${30 + Math.max(...LEVELS)}`);

    const { ramps, scenarios } = analyse(state);
    expect(ramps.map(({ id }) => id)).toEqual(['named-volume.container-ip', 'named-volume.published-port']);
    for (const { levels, knee } of ramps) {
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
