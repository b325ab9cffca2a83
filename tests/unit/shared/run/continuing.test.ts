import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { msg } from '../../../../src/shared/message.ts';
import { currentPass } from '../../../../src/shared/run/current-pass.ts';
import { firstRoundLeft, whatIsLeft, whyNotContinuable } from '../../../../src/shared/run/continuing.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import { measuredMs, pausedMs, progressOf } from '../../../../src/shared/run/progress.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeEvents } from '../../builders.ts';
import { saying } from '../../../helpers/saying.ts';
import { TWO } from '../analysis/analysis-helpers.ts';

const DAY = 86_400_000;
/** Time at which a lost trial begins again. */
const LATER = DAY + 60_000;
/** A run of two scenarios and two rounds; its order is the same in both. */
const SHAPE = {
  scenarios: TWO,
  aaCheck: false,
  rounds: 2,
};
const whole = makeEvents(SHAPE);

/** The events until so many trials have begun; the last of them has windows and no number. */
function cutIn(trial: number): RunEvent[] {
  let begun = 0;
  const end = whole.findIndex(
    (event) =>
      (event.type === 'window' && begun === trial) || (event.type === 'trial-started' && ++begun > trial),
  );
  return whole.slice(0, end + 1);
}

/** The rest of the run, from its `trial`th trial on, told a day later. */
function rest(trial: number): RunEvent[] {
  const starts = whole.flatMap((event, index) => (event.type === 'trial-started' ? [index] : []));
  return whole.slice(starts[trial - 1]).map((event) => ({ ...event, at: event.at + LATER }));
}

function goesOn(events: RunEvent[]): RunEvent {
  const from = events.at(-1)?.at ?? 0;
  return { type: 'run-continued', at: from + DAY, from, owner: 'o' };
}

/** The second round has one measured trial and one that is under way. */
const died = cutIn(4);
const ended: RunEvent[] = [
  ...died,
  {
    type: 'run-finished',
    at: died.at(-1)?.at ?? 0,
    outcome: 'failed',
    error: new BenchmarkError('CORE_LOST').toData(),
  },
];

describe.each([
  ['whose process died', died],
  ['that has ended', ended],
])('a run %s', (_, before) => {
  it('runs again: whole rounds stay, and the one that was under way is pending as a whole', () => {
    const state = reduceAll([...before, goesOn(before)]);
    expect(state).toMatchObject({
      status: 'running',
      outcome: null,
      error: null,
      finishedAt: null,
      steps: [],
    });
    expect(state.trials.slice(0, 2)).toEqual(reduceAll(whole).trials.slice(0, 2));
    for (const trial of state.trials.slice(2)) {
      expect(trial.round).toBe(2);
      expect(trial).toMatchObject({ status: 'pending', phase: null, startedAt: null, totals: null });
      expect(trial.windows).toEqual([]);
    }
    expect(state.pauses).toEqual([
      { from: before.at(-1)?.at, until: (before.at(-1)?.at ?? 0) + DAY, interrupted: true },
    ]);
  });

  it('comes to what it would have been, only later', () => {
    const state = reduceAll([...before, goesOn(before), ...rest(3)]);
    const shifted = reduceAll(whole).trials.map((trial, index) =>
      index < 2
        ? trial
        : {
            ...trial,
            startedAt: (trial.startedAt ?? 0) + LATER,
            finishedAt: (trial.finishedAt ?? 0) + LATER,
          },
    );
    expect(state.trials).toEqual(shifted);
    expect(state.outcome).toBe('completed');
  });
});

describe('going on', () => {
  it('is the only thing that counts after the end', () => {
    const late: RunEvent = { type: 'trial-started', at: 5, trialId: 'r1.named-volume.published-port' };
    expect(reduceAll([...ended, late])).toEqual(reduceAll(ended));
    expect(reduceAll([...whole, ...rest(3)])).toEqual(reduceAll(whole));
  });

  it('keeps what failed in the rounds that had ended', () => {
    const failed = makeEvents({
      ...SHAPE,
      rounds: 3,
      outcomes: {
        'named-volume.published-port': [500, 500, 'canceled'],
        'bind-mount.published-port': ['PATH_NO_TRAFFIC', 500, 'canceled'],
      },
      outcome: 'stopped',
    });
    expect(firstRoundLeft(reduceAll(failed))).toBe(3);
    const { trials } = reduceAll([...failed, goesOn(failed)]);
    expect(trials.flatMap(({ status, round }) => (status === 'pending' ? [round] : []))).toEqual([3, 3]);
    expect(trials.filter(({ status }) => status === 'failed')).toHaveLength(1);
  });

  it('ends a pause in which the process died', () => {
    const at = died.at(-1)?.at ?? 0;
    const paused: RunEvent[] = [...died, { type: 'run-paused', at: at + 1 }];
    expect(reduceAll([...paused, goesOn(paused)]).pauses).toEqual([
      { from: at + 1, until: at + 1, interrupted: false },
      { from: at + 1, until: at + 1 + DAY, interrupted: true },
    ]);
  });

  it('is not for a run that goes on, is complete, or has no whole round', () => {
    expect(whyNotContinuable(reduceAll(died))).toEqual(saying(/still running/));
    expect(whyNotContinuable(reduceAll(whole))).toEqual(saying(/is complete/));
    expect(whyNotContinuable({ ...reduceAll(ended), roundsEnded: 'conclusive' })).toEqual(
      saying(/is complete/),
    );
    expect(whyNotContinuable(reduceAll(ended))).toBeUndefined();
    const at = died.at(-1)?.at ?? 0;
    const early = reduceAll([...cutIn(2), { type: 'run-finished', at, outcome: 'stopped', error: null }]);
    expect(whyNotContinuable(early)).toEqual(saying(/no round/));
  });

  it('says what is kept, left, and how long that takes', () => {
    const run = reduceAll(ended);
    const { kept, left, leftMs } = whatIsLeft(run);
    expect({ kept, left }).toEqual({ kept: 2, left: 2 });
    expect(leftMs).toBeGreaterThan(measuredMs(run) / 2);
    expect(leftMs).toBeLessThan(run.plan.estimate.seconds * 1000 + measuredMs(run));
  });

  it('leaves the time between out of progress', () => {
    const state = reduceAll([...ended, goesOn(ended)]);
    const now = (goesOn(ended) as { at: number }).at + 1000;
    expect(pausedMs(state, state.startedAt, now)).toBe(DAY);
    const { done, all, elapsedMs, leftMs } = progressOf(state, now);
    expect([done, all]).toEqual([2, 4]);
    expect(elapsedMs).toBeLessThan(DAY / 24);
    // The known speed is another session's.
    expect(leftMs).toBeNull();
    const later = progressOf(reduceAll([...ended, goesOn(ended), ...rest(3).slice(0, -1)]), now + 60_000);
    expect(later.leftMs).toBeLessThan(DAY / 24);
  });

  it('is said with the numbers', () => {
    const notice = (state: RunState) =>
      analyze(state).notices.find(({ code }) => code === 'RUN_CONTINUED')?.message;
    expect(notice(reduceAll([...ended, goesOn(ended), ...rest(3)]))).toEqual(
      msg('notice.continued', { count: 2 }),
    );
    expect(notice(reduceAll(whole))).toBeUndefined();
  });
});

describe('a run side by side until conclusive', () => {
  const open = makeEvents({ ...SHAPE, sliceSeconds: 1, durationSeconds: 4 }).map((event) =>
    event.type === 'run-started'
      ? {
          ...event,
          plan: {
            ...event.plan,
            schedule: { ...event.plan.schedule, untilConclusive: { budgetMinutes: 5 } },
          },
        }
      : event,
  );
  /** Events up to the end of so many slices of two scenarios. */
  const after = (slices: number): RunEvent[] => {
    let seen = 0;
    return open.slice(0, open.findIndex(({ type }) => type === 'slice-finished' && ++seen === slices) + 1);
  };

  it('continues with another start, and keeps the passes of the one that was under way', () => {
    const events = after(5);
    const state = reduceAll(events);
    expect(firstRoundLeft(state)).toBe(2);
    const continued = reduceAll([...events, goesOn(events)]);
    const kept = continued.trials.filter(({ round }) => round === 1);
    expect(kept.map(({ status, slices }) => [status, slices.length]).sort()).toEqual([
      ['canceled', 2],
      ['canceled', 3],
    ]);
    expect(continued.trials.filter(({ status }) => status === 'pending')).toHaveLength(2);
    const last = reduceAll(after(9));
    expect(whyNotContinuable({ ...last, status: 'finished' })).toMatchObject(msg('continue.complete'));
  });

  it('counts the passes of all starts', () => {
    expect(currentPass(reduceAll(after(5)))).toMatchObject({ round: 1, pass: 3 });
    expect(currentPass(reduceAll(after(9)))).toMatchObject({ round: 2, pass: 5 });
    // Five minutes of two slices of a planned second and a bit.
    expect(currentPass(reduceAll(after(9)))?.passes).toBe(Math.floor(300 / (2 * 1.15)));
  });
});
