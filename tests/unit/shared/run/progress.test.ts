import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { progressOf, trialFraction } from '../../../../src/shared/run/progress.ts';
import { viewOf } from '../../../../src/shared/run/run-view.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { GRID, makeEvents, makeState } from '../../builders.ts';

const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 3 };
const events = makeEvents(shape);

const first = events.find(({ type }) => type === 'trial-started');

/** The state after the first events for which `isLast` holds. */
function until(isLast: (event: (typeof events)[number]) => boolean): RunState {
  const state = reduceAll(events.slice(0, events.findIndex(isLast) + 1));
  if (state === undefined) throw new Error('no state');
  return state;
}

describe('how far a run is', () => {
  it('begins at nothing and goes by the plan’s estimate', () => {
    const state = until(({ type }) => type === 'run-started');
    const progress = progressOf(state, state.startedAt);
    expect(progress).toMatchObject({ fraction: 0, done: 0, all: 6, current: undefined });
    expect(progress.leftMs).toBe(state.plan.estimate.seconds * 1000);
  });

  it('never runs backwards while preparing takes longer than estimated', () => {
    const state = until(({ type }) => type === 'run-started');
    const late = progressOf(state, state.startedAt + 10 * state.plan.estimate.seconds * 1000);
    expect(late.leftMs).toBeGreaterThan(0);
    expect(late.fraction).toBeLessThan(1);
  });

  it('corrects itself from the trials already done', () => {
    const state = until(({ type }) => type === 'trial-finished');
    const [first] = state.trials.filter(({ status }) => status === 'measured');
    const took = (first?.finishedAt ?? 0) - (first?.startedAt ?? 0);
    const { leftMs, done } = progressOf(state, first?.finishedAt ?? 0);
    expect(done).toBe(1);
    expect(leftMs).toBe(5 * took + 5_000);
  });

  it('expects no more than the time budget of a run that goes on until it is settled', () => {
    const started = events[0];
    if (started?.type !== 'run-started') throw new Error('no start');
    const schedule = { ...started.plan.schedule, untilConclusive: { budgetMinutes: 0.25 } };
    const estimate = { ...started.plan.estimate, seconds: 60 };
    const budgeted = { ...started, plan: { ...started.plan, schedule, estimate } };
    const fresh = reduceAll([budgeted]);
    if (fresh === undefined) throw new Error('no state');
    // Its last trial is unknown.
    expect(progressOf(fresh, fresh.startedAt)).toMatchObject({ leftMs: 60_000, done: 0, all: null });
    expect(progressOf({ ...fresh, roundsEnded: 'conclusive' }, fresh.startedAt).all).toBe(6);
    const upTo = events.findIndex(({ type }) => type === 'trial-started') + 1;
    const state = reduceAll([budgeted, ...events.slice(1, upTo)]);
    const began = state?.trials.find(({ startedAt }) => startedAt !== null)?.startedAt ?? 0;
    if (state === undefined) throw new Error('no state');
    expect(progressOf(state, began).leftMs).toBe(15_000 + 5_000);
    expect(progressOf(state, began + 60_000).leftMs).toBe(5_000);
  });

  it('counts the shutdown after a trial as part of it', () => {
    const second = until(
      (event) => event.type === 'trial-started' && event.trialId.startsWith('r1') && event !== first,
    );
    const [one, two] = second.trials;
    const pace = (two?.startedAt ?? 0) - (one?.startedAt ?? 0);
    expect(pace).toBeGreaterThan((one?.finishedAt ?? 0) - (one?.startedAt ?? 0));
    expect(progressOf(second, two?.startedAt ?? 0).leftMs).toBe(5 * pace + 5_000);
  });

  it('counts the running trial down', () => {
    const state = until(({ type }) => type === 'trial-started');
    const began = state.trials.find(({ status }) => status === 'running')?.startedAt ?? 0;
    const left = (ms: number): number => progressOf(state, began + ms).leftMs ?? 0;
    expect(left(0) - left(4_000)).toBe(4_000);
    // One that hangs does not make the rest shorter.
    expect(left(60_000)).toBe(left(600_000));
  });

  it('counts no time in which the run waited for the user', () => {
    const index = events.findIndex(({ type }) => type === 'trial-finished') + 1;
    const at = events[index - 1]?.at ?? 0;
    const paused = reduceAll([...events.slice(0, index), { type: 'run-paused', at }]);
    const before = reduceAll(events.slice(0, index));
    if (paused === undefined || before === undefined) throw new Error('no state');
    expect(progressOf(paused, at + 3_600_000)).toEqual(progressOf(before, at));
    // The next trial begins an hour later: the one before it took no longer for that.
    const next = events.slice(index).map((event) => ({ ...event, at: event.at + 3_600_000 }));
    const upTo = next.findIndex(({ type }) => type === 'trial-started') + 1;
    const then = events[index + upTo - 1]?.at ?? 0;
    const resumed = reduceAll([
      ...events.slice(0, index),
      { type: 'run-paused', at },
      { type: 'run-resumed', at: at + 3_600_000 },
      ...next.slice(0, upTo),
    ]);
    const straight = reduceAll(events.slice(0, index + upTo));
    if (resumed === undefined || straight === undefined) throw new Error('no state');
    expect(progressOf(resumed, then + 3_600_000)).toMatchObject({
      fraction: progressOf(straight, then).fraction,
      leftMs: progressOf(straight, then).leftMs,
    });
  });

  it('is complete when the run has ended, whatever was left out', () => {
    const stopped = makeState({
      ...shape,
      outcome: 'stopped',
      outcomes: { 'named-volume.published-port': [1] },
    });
    expect(progressOf(stopped, Date.now())).toMatchObject({ fraction: 1, leftMs: null, done: 6 });
  });

  it('counts warm-up and measured seconds of a trial', () => {
    const state = until((event) => event.type === 'window' && event.window.phase === 'measure');
    const trial = viewOf(state).trials.find(({ status }) => status === 'running');
    if (trial === undefined) throw new Error('no running trial');
    // Two seconds of warm-up and one of five measured.
    expect(trialFraction(trial, state)).toBeCloseTo(3 / 7);
  });
});
