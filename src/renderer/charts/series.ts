import { tps, type Window } from '../../shared/model/measurements.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { RunState, TrialState } from '../../shared/model/run-state.ts';

export type Metric = 'tps' | 'p95';
/** All scenarios of a round on top of each other, or trials one after the other as they were measured. */
export type Layout = 'overlay' | 'sequence';

export interface Point {
  /** Measured seconds. */
  x: number;
  /** Null between trials, so that the line is not drawn across. */
  y: number | null;
}

export interface Series {
  scenarioId: string;
  name: string;
  points: Point[];
}

/** One line per scenario: a point per measured second; warm-up does not count and is not shown. */
export function seriesOf(state: RunState, metric: Metric, layout: Layout): Series[] {
  const length = state.plan.schedule.durationSeconds;
  const starts = new Map<string, number>();
  let order = 0;
  for (const trial of state.trials) {
    starts.set(trial.id, (layout === 'overlay' ? trial.round - 1 : order) * length);
    // A trial that never ran takes no room.
    if (trial.windows.length > 0 || trial.status === 'running') order += 1;
  }
  return state.plan.scenarios.map(({ id, name }) => ({
    scenarioId: id,
    name,
    points: state.trials
      .filter((trial) => trial.scenarioId === id && trial.windows.length > 0)
      .flatMap((trial) => pointsOf(trial, metric, starts.get(trial.id) ?? 0)),
  }));
}

function pointsOf(trial: TrialState, metric: Metric, start: number): Point[] {
  const points = trial.windows
    .filter(({ phase }) => phase === 'measure')
    .map((window) => ({
      x: start + (window.startMs + window.durationMs / 2) / 1000,
      y: valueOf(window, metric),
    }));
  const last = points.at(-1);
  return last === undefined ? [] : [...points, { x: last.x, y: null }];
}

/** Transactions per second, or latency in milliseconds. */
function valueOf(window: Window, metric: Metric): number | null {
  if (metric === 'tps') return tps(window);
  return window.latency === null ? null : window.latency.p95Us / 1000;
}

/** How many measured seconds there are. */
export function measuredWindows(state: RunState): number {
  return state.trials.reduce(
    (sum, { windows }) => sum + windows.filter(({ phase }) => phase === 'measure').length,
    0,
  );
}

/** Where rounds begin on the x axis of the overlay, in measured seconds. */
export function roundStarts({ schedule }: Pick<Plan, 'schedule'>): number[] {
  const { rounds, durationSeconds } = schedule;
  return Array.from({ length: rounds + 1 }, (_, round) => round * durationSeconds);
}

/** Mean of a series' points, or null without any. */
export function meanOf(series: Series): number | null {
  const values = series.points.flatMap(({ y }) => (y === null ? [] : y));
  return values.length === 0 ? null : values.reduce((sum, y) => sum + y, 0) / values.length;
}

/** The same numbers as a table: a row per measured second with the values by scenario id. */
export function rowsOf(series: Series[]): [second: number, values: Map<string, number>][] {
  const rows = new Map<number, Map<string, number>>();
  for (const { scenarioId, points } of series) {
    for (const { x, y } of points) {
      if (y === null) continue;
      const second = Math.floor(x) + 1;
      const row = rows.get(second) ?? new Map<string, number>();
      rows.set(second, row.set(scenarioId, y));
    }
  }
  return [...rows].sort(([a], [b]) => a - b);
}
