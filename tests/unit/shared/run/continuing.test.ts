import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { msg } from '../../../../src/shared/message.ts';
import {
  asContinued,
  latestPassport,
  machineDifference,
  measuredMs,
  splitRounds,
  trialsWithoutNumbers,
  versionChanges,
  whatIsLeft,
  whyNotContinuable,
} from '../../../../src/shared/run/continuing.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { pausedMs, progressOf } from '../../../../src/shared/run/progress.ts';
import { reduceView, viewOf } from '../../../../src/shared/run/run-view.ts';
import type { RunView } from '../../../../src/shared/model/run-view.ts';
import { makeEvents, makePassport } from '../../builders.ts';
import { saying } from '../../../helpers/saying.ts';

const DAY = 86_400_000;
/** From a trial that was lost to its being begun again. */
const LATER = DAY + 60_000;
/** A run of two scenarios and two rounds; its order is the same in both. */
const SHAPE = {
  scenarios: [
    { storage: 'named-volume' as const, path: 'published-port' as const },
    { storage: 'bind-mount' as const, path: 'published-port' as const },
  ],
  aaCheck: false,
  rounds: 2,
};
const whole = makeEvents(SHAPE);

function folded(events: RunEvent[]): RunState {
  const state = reduceAll(events);
  if (state === undefined) throw new Error('no run-started event');
  return state;
}

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

const died = cutIn(2);
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
  it('runs again: what has a number stays, all else is pending', () => {
    const state = folded([...before, goesOn(before)]);
    expect(state).toMatchObject({
      status: 'running',
      outcome: null,
      error: null,
      finishedAt: null,
      steps: [],
    });
    const [first, ...others] = state.trials;
    expect(first).toEqual(folded(whole).trials[0]);
    for (const trial of others) {
      expect(trial).toMatchObject({ status: 'pending', phase: null, startedAt: null, finishedAt: null });
      expect(trial.windows).toEqual([]);
    }
    expect(state.pauses).toEqual([
      { from: before.at(-1)?.at, until: (before.at(-1)?.at ?? 0) + DAY, interrupted: true },
    ]);
  });

  it('comes to what it would have been, only later', () => {
    const state = folded([...before, goesOn(before), ...rest(2)]);
    const shifted = folded(whole).trials.map((trial, index) =>
      index === 0
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

  it('looks the same in the window', () => {
    const events = [...before, goesOn(before), ...rest(2)];
    const view = events.reduce<RunView | undefined>((run, event) => reduceView(run, event), undefined);
    const { trials, ...outline } = viewOf(folded(events));
    expect(view).toMatchObject(outline);
    expect(
      view?.trials.map(({ id, status, windows }) => [id, status, windows.length, windows.elapsedMs]),
    ).toEqual(trials.map(({ id, status, windows }) => [id, status, windows.length, windows.elapsedMs]));
  });
});

describe('going on', () => {
  it('is the only thing that counts after the end', () => {
    const late: RunEvent = { type: 'trial-started', at: 5, trialId: 'r1.named-volume.published-port' };
    expect(folded([...ended, late])).toEqual(folded(ended));
    expect(folded([...whole, ...rest(2)])).toEqual(folded(whole));
  });

  it('measures failed trials again, and no skipped ones', () => {
    const failed = makeEvents({
      ...SHAPE,
      outcomes: { 'bind-mount.published-port': ['PATH_NO_TRAFFIC', 500] },
    });
    const skipped = failed.map((event): RunEvent =>
      event.type === 'trial-failed' ? { ...event, error: new BenchmarkError('SKIPPED').toData() } : event,
    );
    expect(trialsWithoutNumbers(folded(failed)).map(({ id }) => id)).toEqual([
      'r1.bind-mount.published-port',
    ]);
    expect(whyNotContinuable(folded(failed))).toBeUndefined();
    expect(whyNotContinuable(folded(skipped))).toEqual(saying(/every trial/));
    expect(folded([...skipped, goesOn(skipped)]).trials.filter(({ status }) => status === 'pending')).toEqual(
      [],
    );
  });

  it('ends a pause in which the process died', () => {
    const at = died.at(-1)?.at ?? 0;
    const paused: RunEvent[] = [...died, { type: 'run-paused', at: at + 1 }];
    expect(folded([...paused, goesOn(paused)]).pauses).toEqual([
      { from: at + 1, until: at + 1, interrupted: false },
      { from: at + 1, until: at + 1 + DAY, interrupted: true },
    ]);
  });

  it('is not for a run that goes on, has all its numbers, or is complete', () => {
    expect(whyNotContinuable(folded(died))).toEqual(saying(/still running/));
    expect(whyNotContinuable(folded(whole))).toEqual(saying(/every trial/));
    expect(whyNotContinuable({ ...folded(ended), roundsEnded: 'conclusive' })).toEqual(saying(/is complete/));
    expect(whyNotContinuable(folded(ended))).toBeUndefined();
  });

  it('says what is kept, left, and how long that takes', () => {
    const run = folded(ended);
    const { kept, left, leftMs } = whatIsLeft(run);
    expect({ kept, left }).toEqual({ kept: 1, left: 3 });
    expect(leftMs).toBeGreaterThan(3 * measuredMs(run));
    expect(leftMs).toBeLessThan(run.plan.estimate.seconds * 1000 + 3 * measuredMs(run));
  });

  it('leaves the time between out of progress', () => {
    const state = folded([...ended, goesOn(ended)]);
    const now = (goesOn(ended) as { at: number }).at + 1000;
    expect(pausedMs(state, state.startedAt, now)).toBe(DAY);
    const { done, all, elapsedMs, leftMs } = progressOf(state, now);
    expect([done, all]).toEqual([1, 4]);
    expect(elapsedMs).toBeLessThan(DAY / 24);
    // Its speed is another session's.
    expect(leftMs).toBeNull();
    const later = progressOf(folded([...ended, goesOn(ended), ...rest(2).slice(0, -1)]), now + 60_000);
    expect(later.leftMs).toBeLessThan(DAY / 24);
  });

  it('is said with the numbers, with the rounds that it splits', () => {
    const split = folded([...ended, goesOn(ended), ...rest(2)]);
    expect(splitRounds(split)).toEqual([1]);
    const notice = (state: RunState) =>
      analyze(state).notices.find(({ code }) => code === 'RUN_CONTINUED')?.message;
    const first = msg('notice.continued.sessions', { count: 2 });
    const rest1 = msg('notice.continued.split', { count: 1, rounds: '1' });
    expect(notice(split)).toEqual(msg('list.sentences', { first, rest: rest1 }));
    const before = cutIn(3).slice(0, -1);
    const between = folded([...before, goesOn(before), ...rest(3)]);
    expect(splitRounds(between)).toEqual([]);
    expect(notice(between)).toEqual(msg('list.sentences', { first, rest: msg('notice.continued.whole') }));
    expect(notice(folded(whole))).toBeUndefined();
  });
});

describe('a run that continues after an update', () => {
  const passport = makePassport({ name: 'Docker Engine 99.0', engineVersion: '99.0', kernel: '99' });
  const before = cutIn(4);
  const state = folded([
    ...before,
    { ...goesOn(before), type: 'run-continued', from: 0, owner: 'o', passport },
  ]);

  it('keeps whole rounds and measures the others again as a whole', () => {
    const measured = (run: RunState): number[] =>
      run.trials.flatMap(({ status, round }) => (status === 'measured' ? [round] : []));
    expect(measured(folded(before))).toEqual([1, 1, 2]);
    expect(measured(state)).toEqual([1, 1]);
    expect(state.trials.at(-2)).toMatchObject({ status: 'pending', totals: null, windows: [] });
    expect(whatIsLeft(asContinued(folded(before), passport))).toMatchObject({ kept: 2, left: 2 });
  });

  it('remembers what was updated, and counts from there on', () => {
    expect(latestPassport(state)).toEqual(passport);
    expect(asContinued(state, passport)).toBe(state);
    expect(versionChanges(state.plan.passport, passport)).toEqual([
      expect.objectContaining({ is: 'Docker Engine 99.0' }),
      expect.objectContaining({ is: '99' }),
    ]);
  });

  it('continues as before where nothing was updated', () => {
    const run = folded(before);
    expect(asContinued(run, run.plan.passport)).toBe(run);
  });
});

describe('the machine of a run', () => {
  const passport = makePassport();
  const { host, runtime } = passport;

  it('is the same with a little more or less memory', () => {
    expect(machineDifference(passport, passport)).toBeUndefined();
    expect(
      machineDifference(passport, { host: { ...host, memoryBytes: host.memoryBytes * 1.005 }, runtime }),
    ).toBeUndefined();
  });

  it.each([
    [{ host: { ...host, cpuModel: 'Other' }, runtime }, 'the processor was'],
    [{ host: { ...host, memoryBytes: host.memoryBytes * 2 }, runtime }, 'the memory was'],
    [{ host, runtime: { ...runtime, storageDriver: '99' } }, 'the storage driver was'],
    [{ host, runtime: { ...runtime, architecture: '99' } }, 'the engine’s architecture was'],
    [{ host, runtime: { ...runtime, remote: true } }, 'the location of the engine was'],
  ])('is another one when one thing differs', (other, says) => {
    expect(machineDifference(passport, other)).toEqual(saying(says));
  });
});
