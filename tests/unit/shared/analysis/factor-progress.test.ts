import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import {
  endedRounds,
  factorProgress,
  type FactorState,
} from '../../../../src/shared/analysis/factor-progress.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { factorStateText } from '../../../../src/shared/words/effect-table.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';
import { BASE, BIND, TWO } from './analysis-helpers.ts';

const HOST = 'named-volume.host-network';
const CROSS: ScenarioShape[] = [...TWO, { storage: 'named-volume', path: 'host-network' }];

/** A run that continues; rounds without an outcome are pending. */
function running(
  outcomes: Record<string, TrialOutcome[]>,
  rounds: number,
  untilConclusive?: { budgetMinutes: number },
): RunState {
  const state = makeState({ scenarios: CROSS, aaCheck: false, rounds, outcomes, outcome: null });
  const { schedule } = state.plan;
  return untilConclusive === undefined
    ? state
    : { ...state, plan: { ...state.plan, schedule: { ...schedule, untilConclusive } } };
}

function statesOf(run: RunState): Record<string, FactorState> {
  return Object.fromEntries(factorProgress(run, analyze(run)).map(({ factor, state }) => [factor, state]));
}

const clear = [1600, 1584, 1616];
const base = [800, 800, 800];

describe('how far a run is with each factor', () => {
  it('is known from the start: the round of the first verdict', () => {
    const nothing = { [BASE]: [], [BIND]: [], [HOST]: [] };
    const first = { kind: 'first-verdict', round: 3 };
    expect(statesOf(running(nothing, 5))).toEqual({ storage: first, path: first });
    expect(statesOf(running({ ...nothing, [BASE]: [800], [BIND]: [790] }, 5))).toMatchObject({
      storage: first,
    });
    expect(statesOf(running(nothing, 2))).toMatchObject({ path: { kind: 'beyond' } });
    expect(statesOf(running(nothing, 1))).toMatchObject({ path: { kind: 'beyond' } });
  });

  it('is conclusive for one while the other needs more rounds', () => {
    const noisy = { [BASE]: base, [BIND]: [700, 790, 760], [HOST]: clear };
    const states = statesOf(running(noisy, 20));
    expect(states['path']).toEqual({ kind: 'conclusive' });
    expect(states['storage']).toMatchObject({ kind: 'more-rounds' });
    // The next look no longer fits into this plan.
    expect(statesOf(running(noisy, 4))).toMatchObject({ storage: { kind: 'beyond' } });
  });

  it('ends with the time limit in a run until conclusive', () => {
    const noisy = { [BASE]: base, [BIND]: [770, 790, 760], [HOST]: clear };
    const { storage } = statesOf(running(noisy, 32, { budgetMinutes: 60 }));
    expect(storage).toMatchObject({ kind: 'more-rounds' });
    expect(statesOf(running(noisy, 32, { budgetMinutes: 0.5 }))).toMatchObject({
      storage: { kind: 'beyond' },
    });
  });

  it('is known at once, however much the rounds vary', () => {
    const wild = { [BASE]: base, [BIND]: [100, 6400, 820], [HOST]: clear };
    expect(statesOf(running(wild, 32, { budgetMinutes: 600 }))).toMatchObject({
      storage: { kind: 'beyond' },
    });
  });

  it('does not wait for a level without numbers', () => {
    const run = makeState({
      scenarios: [...CROSS, { storage: 'named-volume', path: 'user-bridge' }],
      aaCheck: false,
      rounds: 5,
      outcomes: {
        [BASE]: base,
        [BIND]: base,
        [HOST]: clear,
        'named-volume.user-bridge': ['LOAD_FAILED', 'LOAD_FAILED', 'LOAD_FAILED'],
      },
      outcome: null,
    });
    expect(statesOf(run)).toMatchObject({ path: { kind: 'conclusive' } });
  });

  it('is over when the run is', () => {
    const outcomes = { [BASE]: base, [BIND]: [700, 790, 760], [HOST]: clear };
    expect(statesOf(makeState({ scenarios: CROSS, aaCheck: false, rounds: 3, outcomes }))).toEqual({
      storage: { kind: 'inconclusive' },
      path: { kind: 'conclusive' },
    });
  });

  it('counts a round once all its trials have ended', () => {
    expect(endedRounds(running({ [BASE]: [800], [BIND]: [], [HOST]: [800] }, 3))).toBe(0);
    expect(endedRounds(running({ [BASE]: [800], [BIND]: ['LOAD_FAILED'], [HOST]: [800] }, 3))).toBe(1);
    expect(endedRounds(running({ [BASE]: base, [BIND]: base, [HOST]: base }, 3))).toBe(3);
  });

  it('is said with its size where a factor has one level', () => {
    const run = running({ [BASE]: base, [BIND]: base, [HOST]: clear }, 5);
    const texts = factorProgress(run, analyze(run)).map((one) => factorStateText(one, ENGLISH));
    expect(texts[1]).toMatch(/2\.0× as fast$/);
  });
});
