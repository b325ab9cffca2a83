import type { RunEvent } from './model/events.ts';
import { tps } from './model/measurements.ts';
import type { RunState } from './model/run-state.ts';
import type { RunView, RunViewEvent, WindowColumns, WindowSummary } from './model/run-view.ts';
import { foldStep, type WindowKeeper } from './reduce.ts';

const FIRST_ROOM = 64;

/** How far a column has been written to, for the states that share it. */
const written = new WeakMap<Float32Array, number>();

/** Columns without a window. */
export function noWindows(): WindowColumns {
  const empty = new Float32Array(0);
  return { elapsedMs: 0, last: null, length: 0, seconds: empty, tps: empty, p95Ms: empty, waiting: empty };
}

/**
 * The columns with one window more; what was given stays right. Earlier and later columns share their memory, and only
 * an append to the latest writes into it, so n windows cost O(n) altogether.
 */
export function withWindow(columns: WindowColumns, window: WindowSummary): WindowColumns {
  const elapsedMs = columns.elapsedMs + window.durationMs;
  if (window.phase === 'warmup') return { ...columns, elapsedMs, last: window };
  const { length } = columns;
  const isFree = (written.get(columns.seconds) ?? columns.seconds.length) === length;
  const {
    seconds,
    tps: rates,
    p95Ms,
    waiting,
  } = isFree && length < columns.seconds.length ? columns : withRoom(columns);
  seconds[length] = (window.startMs + window.durationMs / 2) / 1000;
  // A gap in the chart where the window counts nowhere.
  rates[length] = window.interrupted ? NaN : tps(window);
  p95Ms[length] = window.interrupted || window.latency === null ? NaN : window.latency.p95Us / 1000;
  waiting[length] = window.interrupted ? NaN : (window.waiting ?? NaN);
  written.set(seconds, length + 1);
  return { elapsedMs, last: window, length: length + 1, seconds, tps: rates, p95Ms, waiting };
}

function withRoom({
  length,
  seconds,
  tps: rates,
  p95Ms,
  waiting,
}: WindowColumns): Pick<WindowColumns, 'seconds' | 'tps' | 'p95Ms' | 'waiting'> {
  const grown = (column: Float32Array): Float32Array<ArrayBuffer> => {
    const more = new Float32Array(Math.max(FIRST_ROOM, 2 * length));
    more.set(column.subarray(0, length));
    return more;
  };
  return {
    seconds: grown(seconds),
    tps: grown(rates),
    p95Ms: grown(p95Ms),
    waiting: grown(waiting),
  };
}

const COLUMNS: WindowKeeper<WindowSummary, WindowColumns> = { none: noWindows, add: withWindow };

/** One step of the fold to what the window shows; a state that was given stays right. */
export function reduceView(run: RunView | undefined, event: RunViewEvent): RunView | undefined {
  return foldStep(COLUMNS, run, event);
}

/** What the window gets of a whole run; its columns have no room to spare. */
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
          last: columns.last === null ? null : summaryOf(columns.last),
          seconds: columns.seconds.slice(0, length),
          tps: columns.tps.slice(0, length),
          p95Ms: columns.p95Ms.slice(0, length),
          waiting: columns.waiting.slice(0, length),
        },
      };
    }),
  };
}

/** What the window gets of an event: a histogram would only be copied from process to process. */
export function viewOfEvent(event: RunEvent): RunViewEvent {
  return event.type === 'window' ? { ...event, window: summaryOf(event.window) } : event;
}

function summaryOf(window: WindowSummary & { histogram?: string }): WindowSummary {
  const summary = { ...window };
  delete summary.histogram;
  return summary;
}
