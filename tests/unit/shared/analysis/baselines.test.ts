import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { baselineChoices, comparisonsOf } from '../../../../src/shared/analysis/comparisons.ts';
import { whySentences } from '../../../../src/shared/words/why-wording.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { verdictText } from '../../../../src/shared/words/wording.ts';
import { demoState, makePlan } from '../../builders.ts';

const t = createTranslator('en');

describe('the baselines that a reader may choose', () => {
  it('are all scenarios but the second measurement of the baseline', () => {
    const plan = makePlan();
    const ids = baselineChoices(plan).map(({ id }) => id);
    expect(ids).toEqual(plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ id }) => id));
  });

  it('are there once where buffer-pool sizes, levels and load generators repeat them, and the plan’s own tells its place', () => {
    const scenarios = (['named-volume', 'tmpfs'] as const).flatMap((storage) =>
      (['builtin', 'sysbench'] as const).map((loadGenerator) => ({
        storage,
        path: 'published-port' as const,
        loadGenerator,
      })),
    );
    const plan = makePlan({ scenarios, sweep: [1, 4], baselineId: 'named-volume.published-port.sysbench' });
    expect(baselineChoices(plan).map(({ id }) => id)).toEqual([
      'named-volume.published-port.sysbench.c1',
      'tmpfs.published-port.builtin.c1',
    ]);
  });

  it('make groups, flags and words follow', () => {
    const state = demoState();
    const baselineId = 'container-layer.published-port';
    const analysis = analyze(state, { baselineId });
    expect(comparisonsOf(analysis).map((one) => one.baselineId)).toEqual([baselineId]);
    expect(analysis.scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([
      baselineId,
    ]);
    const own = analysis.scenarios.find(({ id }) => id === 'named-volume.published-port');
    expect(own?.verdict).toBe('faster');
    expect(own === undefined ? '' : verdictText(own, analysis, t)).toMatch(/: 1\.\d× as fast, /);
    expect(whySentences(analysis, t)).toBeDefined();
  });
});
