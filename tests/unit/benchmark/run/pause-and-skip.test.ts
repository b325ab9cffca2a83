import { describe, expect, it } from 'vitest';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { RunControl } from '../../../../src/benchmark/context/run-control.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makePlan } from '../../plan-builder.ts';
import { CLIENT, RUNNING, runTrialsOn, SHAPE, TOTALS } from './trial-bench.ts';

/** A run of three trials whose load continues until `release` or its signal; `on` sees every event. */
function running(on: (event: UntimedEvent, control: RunControl, release: () => void) => void) {
  const stop = new AbortController();
  const held = { count: 0, atPause: -1 };
  let release = (): void => undefined;
  const client = {
    ...CLIENT,
    run: (_: unknown, tell: (event: unknown) => void, signal: AbortSignal) =>
      new Promise((resolve, reject) => {
        release = () => resolve(TOTALS);
        signal.addEventListener('abort', () => reject(new BenchmarkError('STOPPED')));
        tell({ type: 'phase', phase: 'measure' });
      }),
  };
  const server = {
    start: () => {
      held.count += 1;
      return Promise.resolve({ ...RUNNING, stop: () => Promise.resolve((held.count -= 1)) });
    },
  };
  const run = runTrialsOn(makePlan({ ...SHAPE, rounds: 3 }), {
    ...{ client, server, stop },
    on: (event, control) => {
      if (event.type === 'run-paused') held.atPause = held.count;
      on(event, control, () => release());
    },
  });
  return { ...run, done: run.error, fold: run.state, stop, held };
}

const isMeasuring = (event: UntimedEvent): boolean =>
  event.type === 'trial-phase' && event.phase === 'measure';
/** Acts after the event has been handled. */
const later = (act: () => void): void => void setTimeout(act, 0);

describe('a run that the user pauses', () => {
  it('ends the trial that runs, holds no server meanwhile, and goes on where it was', async () => {
    let trials = 0;
    const { done, events, held, fold, control } = running((event, own, release) => {
      if (isMeasuring(event)) {
        trials += 1;
        if (trials === 1) own.pause();
        later(release);
      }
      if (event.type === 'run-paused') setTimeout(() => own.resume(), 30);
    });
    expect(await done).toBeUndefined();
    // The last server is left to the cleanup.
    expect(held).toEqual({ count: 1, atPause: 0 });
    const told = events
      .map(({ type }) => type)
      .filter((type) => /^(trial-(started|finished)|run-|pause-)/.test(type));
    expect(told).toEqual([
      'trial-started',
      'pause-requested',
      'trial-finished',
      'run-paused',
      'run-resumed',
      'trial-started',
      'trial-finished',
      'trial-started',
      'trial-finished',
    ]);
    expect(fold().trials.map(({ status }) => status)).toEqual(['measured', 'measured', 'measured']);
    // The pause is no time of measuring.
    expect(control.pausedMs).toBeGreaterThanOrEqual(25);
  });

  it('does not pause when that is taken back before the trial has ended', async () => {
    let trials = 0;
    const { done, events } = running((event, control, release) => {
      if (!isMeasuring(event)) return;
      trials += 1;
      if (trials === 1) {
        control.pause();
        control.pause();
        control.resume();
        control.resume();
      }
      later(release);
    });
    await done;
    expect(events.filter(({ type }) => type === 'run-paused')).toEqual([]);
    expect(events.filter(({ type }) => type === 'pause-requested')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'run-resumed')).toHaveLength(1);
  });

  it('can be stopped while it waits', async () => {
    const { done, stop, events } = running((event, control, release) => {
      if (isMeasuring(event)) {
        control.pause();
        later(release);
      }
      if (event.type === 'run-paused') later(() => stop.abort());
    });
    expect(await done).toMatchObject({ code: 'STOPPED' });
    expect(events.filter(({ type }) => type === 'trial-started')).toHaveLength(1);
  });
});

describe('a trial that the user skips', () => {
  it('ends at once, does not count, and its server is shut down', async () => {
    let trials = 0;
    const servers: number[] = [];
    const { done, held, fold } = running((event, control, release) => {
      if (!isMeasuring(event)) return;
      trials += 1;
      servers.push(held.count);
      later(trials === 2 ? () => control.skip() : release);
    });
    expect(await done).toBeUndefined();
    expect(servers).toEqual([1, 1, 1]);
    const state = fold();
    expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'canceled', 'measured']);
    expect(state.trials[1]?.error?.code).toBe('SKIPPED');
    expect(state.trials[1]?.totals).toBeNull();
  });

  it('is no failure of its scenario, however often', async () => {
    const { done, fold } = running((event, control) => {
      if (isMeasuring(event)) later(() => control.skip());
    });
    await done;
    expect(fold().trials.map(({ error }) => error?.code)).toEqual(['SKIPPED', 'SKIPPED', 'SKIPPED']);
  });
});
