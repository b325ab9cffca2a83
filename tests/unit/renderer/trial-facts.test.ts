import { reduceAll } from '../../helpers/journals.ts';
import { describe, expect, it } from 'vitest';
import { chartsOf, trialSeries } from '../../../src/renderer/charts/series.ts';
import { liveFigures, trialFacts } from '../../../src/renderer/trial-facts.ts';
import type { RunEvent } from '../../../src/shared/model/events.ts';
import { tps } from '../../../src/shared/model/measurements.ts';
import type { RunView, TrialView } from '../../../src/shared/model/run-view.ts';
import { reduceView, viewOf, viewOfEvent } from '../../../src/shared/run/run-view.ts';
import { GRID, makeEvents } from '../builders.ts';

const CONTAINER = { cores: 1.5, blockReadPerSecond: 0, blockWritePerSecond: 4096 };

/** The first trial after so many of its windows; all of them: measured. */
function trialAfter(windows: number, container?: typeof CONTAINER): TrialView {
  let seen = 0;
  const events: RunEvent[] = [];
  for (const event of makeEvents({
    scenarios: GRID.slice(0, 1),
    aaCheck: false,
    rounds: 1,
    errors: { '1213': 2 },
  })) {
    if (seen === windows && event.type !== 'trial-finished') continue;
    if (event.type !== 'window') {
      events.push(event);
      continue;
    }
    seen += 1;
    events.push({ ...event, window: { ...event.window, ...(container === undefined ? {} : { container }) } });
  }
  const state = reduceAll(windows === 7 ? events : events.filter(({ type }) => type !== 'trial-finished'));
  const trial = state === undefined ? undefined : viewOf(state).trials[0];
  if (trial === undefined) throw new Error('no trial');
  return trial;
}

describe('the figures of one trial', () => {
  it('are the last second’s while it runs, with the errors of all', () => {
    const trial = trialAfter(5, CONTAINER);
    const facts = trialFacts(trial);
    const { last } = trial.windows;
    expect(facts).toMatchObject({ of: 'second', cores: 1.5, blockWrite: 4096, received: null });
    expect(facts.p99Us).toBe(last?.latency?.p99Us);
    expect(facts.qps).toBeCloseTo((facts.reads ?? 0) + (facts.writes ?? 0) + (facts.other ?? 0));
    // The builder's errors happen in the first measured second, not in the last one.
    expect(last?.errors).toEqual({});
    expect(facts.errors).toEqual({ '1213': 2 });
  });

  it('are the whole trial’s when it was measured, those of its container by its counters', () => {
    const measured = trialAfter(7);
    const used = {
      cpuSeconds: 14,
      throttledSeconds: 0,
      blockReadBytes: 0,
      blockWriteBytes: 7_000,
      networkReceivedBytes: 700,
      networkSentBytes: null,
    };
    const evidence = {
      transactions: 1,
      trend: null,
      path: { connectUs: 1, roundTripUs: 1 },
      server: null,
      container: used,
      memoryBytes: null,
      hostBytesWritten: null,
      host: null,
    };
    const facts = trialFacts({ ...measured, evidence });
    expect(facts).toMatchObject({ of: 'trial', cores: 2, blockWrite: 1_000, received: 100, sent: null });
    expect(facts.p95Us).toBe(measured.totals?.latency?.p95Us);
  });

  it('have a chart wherever there is something to show', () => {
    expect(chartsOf(trialAfter(5))).toEqual(['tps', 'statements', 'latency']);
    expect(chartsOf(trialAfter(5, CONTAINER))).toEqual(['tps', 'statements', 'latency', 'cpu', 'block']);
    const series = trialSeries(trialAfter(5), 'statements', (line) => line);
    expect(series.map(({ name }) => name)).toEqual(['reads', 'writes', 'other']);
    expect(series[0]?.lines).toMatchObject([{ length: 3, isGrowing: true, shift: 0 }]);
  });
});

describe('the figures while a run continues', () => {
  const events = makeEvents({ scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 1, warmupSeconds: 2 });
  const after = (type: string, nth: number): RunView => {
    let left = nth;
    let run: RunView | undefined;
    for (const event of events) {
      run = reduceView(run, viewOfEvent(event));
      if (event.type === type && (left -= 1) === 0) break;
    }
    if (run === undefined) throw new Error('no run');
    return run;
  };

  it('are none before the first second', () => {
    expect(liveFigures(after('trial-started', 1))).toBeUndefined();
  });

  it('are those of the second that has just passed, with its phase', () => {
    const run = after('window', 1);
    const [trial] = run.trials.filter(({ status }) => status === 'running');
    const { last } = trial?.windows ?? {};
    expect(liveFigures(run)).toEqual({
      tps: last && tps(last),
      p95Us: last?.latency?.p95Us,
      scenarioId: trial?.scenarioId,
      of: 'warmup',
    });
    expect(liveFigures(after('window', 3))).toMatchObject({ of: 'measure' });
  });

  it('are those of the last whole trial until the next one has a second', () => {
    const run = after('trial-started', 2);
    const [trial] = run.trials.filter(({ status }) => status === 'measured');
    expect(liveFigures(run)).toEqual({
      tps: trial?.totals && tps(trial.totals),
      p95Us: trial?.totals?.latency?.p95Us,
      scenarioId: trial?.scenarioId,
      of: 'last',
    });
  });
});
