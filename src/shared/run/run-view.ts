import type { RunEvent } from '../model/events.ts';
import { tps, type Window } from '../model/measurements.ts';
import type { RunState } from '../model/run-state.ts';
import {
  eachColumn,
  WINDOW_COLUMNS,
  type RunView,
  type WindowColumn,
  type WindowColumns,
} from '../model/run-view.ts';
import { foldStep, type WindowKeeper } from './reduce.ts';
import { comparisonOf } from '../analysis/comparisons.ts';
import type { Analysis } from '../model/analysis.ts';
import type { RunHeadline } from '../model/history-entry.ts';

const FIRST_ROOM = 64;

const written = new WeakMap<Float32Array, number>();

export function noWindows(): WindowColumns {
  const empty = new Float32Array(0);
  return { elapsedMs: 0, last: null, length: 0, ...eachColumn(() => empty) };
}

/** States given before stay valid; only the latest appends to the shared memory, so n windows cost O(n). */
export function withWindow(columns: WindowColumns, window: Window): WindowColumns {
  const elapsedMs = columns.elapsedMs + window.durationMs;
  if (window.phase === 'warmup') return { ...columns, elapsedMs, last: window };
  const { length } = columns;
  const isFree = (written.get(columns.seconds) ?? columns.seconds.length) === length;
  const into = isFree && length < columns.seconds.length ? columns : withRoom(columns);
  const row = rowOf(window);
  for (const column of WINDOW_COLUMNS) into[column][length] = row[column];
  written.set(into.seconds, length + 1);
  return {
    ...eachColumn((column) => into[column]),
    elapsedMs,
    last: window,
    length: length + 1,
  };
}

function rowOf(window: Window): Record<WindowColumn, number> {
  const { durationMs, interrupted, latency } = window;
  const seconds = (window.startMs + durationMs / 2) / 1000;
  if (interrupted) return { ...eachColumn(() => NaN), seconds };
  const p95Ms = (latency?.p95Us ?? NaN) / 1000;
  return { seconds, tps: tps(window), p95Ms };
}

function withRoom(columns: WindowColumns): Record<WindowColumn, Float32Array<ArrayBuffer>> {
  const { length } = columns;
  return eachColumn((column) => {
    const more = new Float32Array(Math.max(FIRST_ROOM, 2 * length));
    more.set(columns[column].subarray(0, length));
    return more;
  });
}

const COLUMNS: WindowKeeper<WindowColumns> = {
  none: noWindows,
  add: withWindow,
  rates: ({ tps: all, length }) => [...all.subarray(0, length)].filter((one) => !Number.isNaN(one)),
};

export function reduceView(run: RunView | undefined, event: RunEvent): RunView | undefined {
  return foldStep(COLUMNS, run, event);
}

export function viewOf(run: RunState): RunView {
  return {
    ...run,
    trials: run.trials.map((trial) => {
      const columns = trial.windows.reduce(withWindow, noWindows());
      const { length } = columns;
      return {
        ...trial,
        windows: {
          ...columns,
          ...eachColumn((column) => columns[column].slice(0, length)),
        },
      };
    }),
  };
}

export function runHeadlineOf(analysis: Analysis): RunHeadline {
  const { headline, scenarios } = analysis;
  const labelOf = (id: string) => scenarios.find((one) => one.id === id)?.label;
  if (headline.kind === 'findings') return headline;
  if (headline.kind === 'difference') {
    const { baselineId, loadGenerator, bufferPool, connections } = comparisonOf(
      analysis,
      headline.scenarioId,
    );
    const [scenario, baseline] = [labelOf(headline.scenarioId), labelOf(baselineId)];
    if (scenario === undefined || baseline === undefined) return { kind: 'inconclusive' };
    const { verdict, ratio } = headline;
    return {
      kind: 'difference',
      verdict,
      scenario,
      baseline,
      said: { loadGenerator, bufferPool, connections },
      ratio,
    };
  }
  const baselines = scenarios.filter(({ isBaseline, measured }) => isBaseline && measured > 0);
  const others = scenarios.some((one) => !one.isBaseline && one.measured > 0);
  const [baseline] = baselines;
  if (headline.kind === 'inconclusive' && baseline !== undefined && !others) {
    return baselines.length > 1
      ? { kind: 'onlyBaselines' }
      : { kind: 'onlyBaseline', tps: baseline.tps, isTask: baseline.isTask };
  }
  return { kind: headline.kind };
}
