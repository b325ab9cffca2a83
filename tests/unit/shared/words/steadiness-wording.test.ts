import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { steadinessRows, steadinessSentences } from '../../../../src/shared/words/steadiness-wording.ts';
import { makeState } from '../../builders.ts';
import { BASE, BIND, one, TWO } from '../analysis/analysis-helpers.ts';

const t = createTranslator('en');

/** A run in which the bind mount's trials vary by these shares from second to second, and the baseline's by 2%. */
function analyzed(variations: number[], seconds = 20) {
  const state = makeState({ scenarios: TWO, rounds: variations.length });
  const trials = state.trials.map((trial) => {
    const own = trial.scenarioId === BIND ? (variations[trial.round - 1] ?? 0) : 0.02 + trial.round / 1000;
    const steadiness = seconds < 5 ? null : { seconds, variation: own, stalledSeconds: own > 0.3 ? 1 : 0 };
    return { ...trial, steadiness };
  });
  return analyze({ ...state, trials });
}

describe('steadiness in words', () => {
  it('names the scenario that is less steady, with the ratio and its interval', () => {
    const analysis = analyzed([0.1, 0.11, 0.105]);
    expect(one(analysis, BIND).steadiness?.verdict).toBe('less-steady');
    const [sentence, ...others] = steadinessSentences(analysis, t);
    expect(others).toEqual([]);
    expect(sentence).toMatch(/4\.\d+×.*95%/);
    expect(steadinessRows(analysis, t)).toHaveLength(3);
    expect(one(analyzed([0.001, 0.0011, 0.0012]), BIND).steadiness?.verdict).toBe('steadier');
  });

  it('says nothing where none is conclusive, and has no table where all are alike', () => {
    const inconclusive = analyzed([0.01, 0.4, 0.02]);
    expect([steadinessSentences(inconclusive, t), steadinessRows(inconclusive, t)]).toEqual([[], []]);
    const alike = analyzed([0.021, 0.022, 0.023]);
    expect(steadinessSentences(alike, t)).toEqual([t('report:steadiness.allSame')]);
    expect(steadinessRows(alike, t)).toEqual([]);
  });

  it('says nothing of trials that are too short', () => {
    const analysis = analyzed([0.1, 0.1], 4);
    expect(one(analysis, BASE).steadiness).toBeNull();
    expect(steadinessRows(analysis, t)).toEqual([]);
    expect(steadinessSentences(analysis, t)).toEqual([]);
  });
});
