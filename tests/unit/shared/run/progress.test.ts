import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { currentPass } from '../../../../src/shared/run/current-pass.ts';
import { whatIsLeft } from '../../../../src/shared/run/continuing.ts';
import {
  expectedTrialMs,
  measuredMs,
  progressOf,
  trialFraction,
} from '../../../../src/shared/run/progress.ts';
import { plannedRoundMs } from '../../../../src/shared/run/planned-time.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { GRID, makeEvents, makeState } from '../../builders.ts';

const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 3 };
const events = makeEvents(shape);

const first = events.find(({ type }) => type === 'trial-started');

/** The state after the first events for which `isLast` holds. */
const until = (isLast: (event: (typeof events)[number]) => boolean): RunState =>
  reduceAll(events.slice(0, events.findIndex(isLast) + 1));

describe('how far a run is', () => {
  it('begins at nothing, moves, and knows no time left before the first number', () => {
    const state = until(({ type }) => type === 'run-started');
    const known = { done: 0, all: 6, current: undefined, leftMs: null };
    expect(progressOf(state, state.startedAt)).toMatchObject({ ...known, fraction: 0, elapsedMs: 0 });
    const planned = state.plan.estimate.seconds * 1000;
    const fractions = [0.1, 1, 10, 20].map((share) => progressOf(state, state.startedAt + share * planned));
    for (const [index, late] of fractions.entries()) {
      expect(late).toMatchObject(known);
      expect(late.fraction).toBeGreaterThan(fractions[index - 1]?.fraction ?? 0);
      expect(late.fraction).toBeLessThan(1);
    }
    expect(
      progressOf(
        until(({ type }) => type === 'trial-started'),
        state.startedAt,
      ).leftMs,
    ).toBeNull();
  });

  it('knows nothing before the first task has ended', () => {
    const state = until(({ type }) => type === 'window');
    const task = { ...state, plan: { ...state.plan, task: { kind: 'ready' as const } } };
    const at = state.trials.find(({ startedAt }) => startedAt !== null)?.startedAt ?? 0;
    expect(progressOf(state, at + 1000).leftMs).not.toBeNull();
    expect(progressOf(task, at + 1000).leftMs).toBeNull();
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
    const schedule = { ...started.plan.schedule, untilConclusive: { budgetMinutes: 0.5 } };
    const estimate = { ...started.plan.estimate, seconds: 60 };
    const budgeted = { ...started, plan: { ...started.plan, schedule, estimate } };
    const fresh = reduceAll([budgeted]);
    // The end of this run's last trial is unknown.
    expect(progressOf(fresh, fresh.startedAt)).toMatchObject({ leftMs: null, done: 0, all: null });
    expect(progressOf({ ...fresh, roundsEnded: 'conclusive' }, fresh.startedAt).all).toBe(6);
    const upTo = events.findIndex(({ type }) => type === 'window') + 1;
    const state = reduceAll([budgeted, ...events.slice(1, upTo)]);
    const began = state.trials.find(({ startedAt }) => startedAt !== null)?.startedAt ?? 0;
    expect(progressOf(state, began).leftMs).toBe(30_000 + 5_000);
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
    const state = until(({ type }) => type === 'window');
    const began = state.trials.find(({ status }) => status === 'running')?.startedAt ?? 0;
    const left = (ms: number): number => progressOf(state, began + ms).leftMs ?? 0;
    expect(left(0) - left(4_000)).toBe(4_000);
    // A hanging trial doesn't make the rest shorter.
    expect(left(60_000)).toBe(left(600_000));
  });

  it('counts no time in which the run waited for the user', () => {
    const index = events.findIndex(({ type }) => type === 'trial-finished') + 1;
    const at = events[index - 1]?.at ?? 0;
    const paused = reduceAll([...events.slice(0, index), { type: 'run-paused', at }]);
    const before = reduceAll(events.slice(0, index));
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
    const trial = state.trials.find(({ status }) => status === 'running');
    if (trial === undefined) throw new Error('no running trial');
    // Two seconds of warm-up and one of five measured.
    expect(trialFraction(trial, state)).toBeCloseTo(3 / 7);
  });
});

describe('how far a side by side run is', () => {
  const side = { ...shape, sliceSeconds: 1, durationSeconds: 4, rounds: 2 };
  const slices = makeEvents(side);
  const after = (count: number): RunState => {
    let seen = 0;
    const end = slices.findIndex(({ type }) => type === 'slice-finished' && ++seen === count);
    return reduceAll(slices.slice(0, end + 1));
  };
  const leftAfter = (count: number): number => {
    const state = after(count);
    return progressOf(state, Math.max(...state.trials.map(({ finishedAt }) => finishedAt ?? 0))).leftMs ?? 0;
  };

  /** A start takes 8 s in this run, a slice 1.1 s. */
  const [START, SLICE] = [8_000, 1_100];
  const PLANNED_START = 5_000;

  it('counts slices and starts, not trials, which overlap, as long as they have taken', () => {
    expect(leftAfter(2)).toBeCloseTo(START + 14 * SLICE + 5_000);
    expect(leftAfter(2) - leftAfter(6)).toBeCloseTo(4 * SLICE);
    // The second round’s start follows the last slice of the first round.
    expect(leftAfter(8)).toBeCloseTo(START + 8 * SLICE + 5_000);
    expect(expectedTrialMs(after(6))).toBeCloseTo((PLANNED_START + 8 * SLICE) / 2);
  });

  it('counts a start down, and then waits for its end', () => {
    const begun = slices.findIndex(({ type, at }) => type === 'step-started' && at > (slices[9]?.at ?? 0));
    const state = reduceAll(slices.slice(0, begun + 1));
    const at = slices[begun]?.at ?? 0;
    const left = (ms: number): number => progressOf(state, at + ms).leftMs ?? 0;
    expect(left(0)).toBeCloseTo(START + 8 * SLICE + 5_000);
    expect(left(0) - left(6_000)).toBeCloseTo(6_000);
    expect(left(20_000)).toBeCloseTo(8 * SLICE + 5_000);
  });

  it('counts down while servers start and while a slice runs', () => {
    const state = after(5);
    const end = Math.max(...state.trials.map(({ finishedAt }) => finishedAt ?? 0));
    const left = (ms: number): number => progressOf(state, end + ms).leftMs ?? 0;
    expect(left(0) - left(600)).toBeCloseTo(600);
    expect(left(60_000)).toBe(left(600_000));
  });

  it('shows the pass and the share of a trial’s slices', () => {
    const state = after(5);
    expect(currentPass(state)).toEqual({ round: 1, pass: 3, passes: 4 });
    expect(currentPass(after(4))).toMatchObject({ pass: 3 });
    expect(currentPass(after(3))).toMatchObject({ pass: 2 });
    const shares = state.trials.map((trial) => trialFraction(trial, state));
    expect(shares.sort()).toEqual([0, 0, 0.5, 0.75]);
  });

  it('keeps the slices of an ended trial as measured, and the time of none twice', () => {
    const end = slices.findIndex((event) => event.type === 'trial-finished');
    const at = slices[end]?.at ?? 0;
    const stopped = reduceAll([
      ...slices.slice(0, end),
      { type: 'run-finished', at, outcome: 'stopped', error: null },
    ]);
    const round = plannedRoundMs(stopped);
    expect(measuredMs(stopped)).toBeCloseTo(round - PLANNED_START);
    // The second round hadn't ended.
    const preparing = stopped.plan.estimate.seconds * 1000 - 2 * round;
    expect(whatIsLeft(stopped)).toMatchObject({ kept: 0, left: 4 });
    expect(whatIsLeft(stopped).leftMs).toBeCloseTo(2 * (PLANNED_START + 8 * SLICE) + preparing);
  });
});
