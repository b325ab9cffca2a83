import { describe, expect, it } from 'vitest';
import { baselineChoices } from '../../../../src/shared/analysis/comparisons.ts';
import { makePlan } from '../../builders.ts';

describe('the baselines that a reader may choose', () => {
  it('are all scenarios but the second measurement of the baseline', () => {
    const plan = makePlan();
    const ids = baselineChoices(plan).map(({ id }) => id);
    expect(ids).toEqual(plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ id }) => id));
  });

  it('are there once where buffer-pool sizes, levels and load generators repeat them, and the plan’s own tells its place', () => {
    const plan = makePlan({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'tmpfs', path: 'published-port' },
      ],
      loadGenerator: ['builtin', 'sysbench'],
      sweep: [1, 4],
    });
    const baselineId = 'named-volume.published-port.sysbench.c1';
    expect(baselineChoices({ ...plan, baselineId }).map(({ id }) => id)).toEqual([
      'named-volume.published-port.sysbench.c1',
      'tmpfs.published-port.builtin.c1',
    ]);
  });
});
