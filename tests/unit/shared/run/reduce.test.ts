import { reduceAll } from '../../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { LOG_LINES_KEPT, reduce } from '../../../../src/shared/run/reduce.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makeEvents } from '../../builders.ts';
import type { RunEvent } from '../../../../src/shared/model/events.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';

/** Freezes a state all the way down, but for its windows: a fold that changes it in place throws. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const [key, part] of Object.entries(value)) if (key !== 'windows') frozen(part);
  }
  return value;
}

describe('the fold of a run', () => {
  const events = makeEvents();

  it('never changes a state in place, but for the windows that it appends to', () => {
    let state: RunState | undefined;
    for (const event of events) state = frozen(reduce(state, event));
    expect(state?.status).toBe('finished');
    expect(state?.trials.every(({ windows }) => windows.length > 0)).toBe(true);
  });

  it('knows every trial from the start, in the order of measuring', () => {
    const state = reduceAll(events.slice(0, 1));
    const planned = state.plan.rounds.flatMap((ids, index) => ids.map((id) => `r${index + 1}.${id}`));
    expect(state.trials.map(({ id }) => id)).toEqual(planned);
    expect(state.trials.every(({ status }) => status === 'pending')).toBe(true);
  });

  it('forgets the rounds that a settled run does not need', () => {
    const lastOfTwo = events.findIndex(
      ({ type, ...rest }) => type === 'trial-started' && 'trialId' in rest && rest.trialId.startsWith('r3.'),
    );
    const state = reduceAll([
      ...events.slice(0, lastOfTwo),
      { type: 'rounds-ended', at: 1, after: 2, because: 'conclusive' },
      { type: 'run-finished', at: 2, outcome: 'completed', error: null },
    ]);
    expect(state.roundsEnded).toBe('conclusive');
    expect(state.plan.rounds).toHaveLength(2);
    expect(Math.max(...state.trials.map(({ round }) => round))).toBe(2);
    expect(state.trials.some(({ status }) => status === 'canceled')).toBe(false);
  });

  it('forgets later trials of scenarios that were decided before', () => {
    const [id = ''] = events.flatMap((event) =>
      event.type === 'run-started' ? event.plan.scenarios.map((one) => one.id) : [],
    );
    const decided: RunEvent = { type: 'scenarios-decided', at: 1, after: 1, scenarioIds: [id] };
    const { plan, trials } = reduceAll([...events.slice(0, 1), decided]);
    expect(plan.rounds.map((ids) => ids.includes(id))).toEqual(plan.rounds.map((_, index) => index === 0));
    expect(trials.map((trial) => trial.id)).toEqual(
      plan.rounds.flatMap((ids, index) => ids.map((one) => `r${index + 1}.${one}`)),
    );
  });

  it('knows when it was paused, and that it is to pause', () => {
    const told = (...more: RunEvent[]) => reduceAll([...events.slice(0, 1), ...more]);
    const requested: RunEvent = { type: 'pause-requested', at: 1 };
    const paused: RunEvent = { type: 'run-paused', at: 2 };
    expect(told(requested)).toMatchObject({ pauseRequested: true, pauses: [] });
    expect(told(requested, { type: 'run-resumed', at: 2 })).toMatchObject({
      pauseRequested: false,
      pauses: [],
    });
    expect(told(requested, paused)).toMatchObject({
      pauseRequested: false,
      pauses: [{ from: 2, until: null, interrupted: false }],
    });
    expect(told(requested, paused, { type: 'run-resumed', at: 7 }).pauses).toEqual([
      { from: 2, until: 7, interrupted: false },
    ]);
    expect(
      told(requested, paused, { type: 'run-finished', at: 9, outcome: 'stopped', error: null }).pauses,
    ).toEqual([{ from: 2, until: 9, interrupted: false }]);
  });

  it('keeps why a trial was lost if the run ends before it is measured again', () => {
    const started = events.findIndex(({ type }) => type === 'trial-started') + 1;
    const trial = events[started - 1];
    if (trial?.type !== 'trial-started') throw new Error('no trial');
    const { trialId } = trial;
    const error = new BenchmarkError('CLIENT_LOST', { reason: 'it ended' }).toData();
    const lost: RunEvent[] = [...events.slice(0, started), { type: 'trial-lost', at: 1, trialId, error }];
    const ended: RunEvent = { type: 'run-finished', at: 3, outcome: 'completed', error: null };
    const stateOf = (told: RunEvent[]) => reduceAll(told).trials.find(({ id }) => id === trialId);
    expect(stateOf([...lost, ended])).toMatchObject({ status: 'failed', error: { code: 'CLIENT_LOST' } });
    const again: RunEvent[] = [...lost, { type: 'trial-started', at: 2, trialId }];
    expect(stateOf([...again, ended])).toMatchObject({ status: 'canceled', error: null });
  });

  it('closes what was open when the run ends', () => {
    const middle = events.findIndex(({ type }) => type === 'window') + 1;
    const state = reduceAll([
      ...events.slice(0, middle),
      { type: 'stop-requested', at: 1 },
      { type: 'run-finished', at: 2, outcome: 'stopped', error: null },
    ]);
    expect(state.outcome).toBe('stopped');
    expect(state.trials.every(({ status }) => status === 'canceled' || status === 'measured')).toBe(true);
  });

  it('ignores events without a run and after its end', () => {
    const notice: RunEvent = { type: 'notice', at: 1, notice: { code: 'X', message: plain('x') } };
    expect(reduce(undefined, notice)).toBeUndefined();
    const state = reduceAll(events);
    expect(reduce(state, notice)).toBe(state);
  });

  it('keeps the tail of a log', () => {
    const lines = Array.from({ length: LOG_LINES_KEPT + 50 }, (_, index) => `line ${index}`);
    const state = reduceAll([
      ...events.slice(0, 1),
      { type: 'server-log', at: 1, serverId: 's', lines: lines.slice(0, 100) },
      { type: 'server-log', at: 2, serverId: 's', lines: lines.slice(100) },
    ]);
    expect(state.servers['s']?.log).toEqual(lines.slice(-LOG_LINES_KEPT));
  });
});
