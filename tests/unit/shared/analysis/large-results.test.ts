import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { comparisonOf } from '../../../../src/shared/analysis/comparisons.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { demoState } from '../../builders.ts';

const COPIES = [20, 200] as const;

/** A run with so many more scenarios, each with a trial. */
function withCopies(count: number): RunState {
  const state = demoState();
  const [scenario] = state.plan.scenarios.slice(1);
  const trial = state.trials.find(({ scenarioId, totals }) => scenarioId === scenario?.id && totals !== null);
  if (scenario === undefined || trial === undefined) throw new Error('the demo has no second scenario');
  const ids = Array.from({ length: count }, (_, index) => `copy-${index}`);
  return {
    ...state,
    plan: { ...state.plan, scenarios: [...state.plan.scenarios, ...ids.map((id) => ({ ...scenario, id }))] },
    trials: [...state.trials, ...ids.map((id) => ({ ...trial, id: `r1.${id}`, scenarioId: id }))],
  };
}

/** Objects that count how often a property of theirs is read. */
function reads<T extends object>(all: readonly T[], name: keyof T): { watched: T[]; count: () => number } {
  let count = 0;
  const watched = all.map((one) => {
    const value = one[name];
    return Object.defineProperty({ ...one }, name, { enumerable: true, get: () => (count++, value) });
  });
  return { watched, count: () => count };
}

describe('a result with many scenarios', () => {
  it('is analyzed with as many looks at each trial as one with few', () => {
    const [few, many] = COPIES.map((copies) => {
      const state = withCopies(copies);
      const { watched, count } = reads(state.trials, 'scenarioId');
      analyze({ ...state, trials: watched });
      return count() / watched.length;
    });
    expect(many).toBeLessThan(2 * (few ?? 0));
  });

  it('has its rows named with as many looks at each scenario as one with few', () => {
    const [few, many] = COPIES.map((copies) => {
      const { watched, count } = reads(analyze(withCopies(copies)).scenarios, 'baselineId');
      for (const { id } of watched) comparisonOf({ scenarios: watched }, id);
      return count() / watched.length;
    });
    expect(many).toBeLessThan(2 * (few ?? 0));
  });
});
