import { decimate, type Line, type Point } from './decimate.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { RunView, TrialView } from '../../shared/model/run-view.ts';

export type { Point } from './decimate.ts';

export type Metric = 'tps' | 'p95' | 'waiting';

const COLUMNS = { tps: 'tps', p95: 'p95Ms', waiting: 'waiting' } as const;
/** All scenarios of a round on top of each other, or trials one after the other as they were measured. */
export type TrialLayout = 'overlay' | 'sequence';

/** A line at its place on the x axis. */
export interface Placed extends Line {
  /** Is added to every x, measured seconds. */
  shift: number;
  /** Its trial goes on. */
  isGrowing: boolean;
}

export interface Series {
  scenarioId: string;
  name: string;
  /** One a trial; nothing is drawn between them. */
  lines: Placed[];
}

/** One series per scenario: a value per measured second; warm-up does not count and is not shown. */
export function seriesOf(run: RunView, metric: Metric, layout: TrialLayout): Series[] {
  const series = new Map(
    run.plan.scenarios.map(({ id, name }): [string, Series] => [id, { scenarioId: id, name, lines: [] }]),
  );
  for (const { trial, shift } of trialShifts(run, layout)) {
    const { windows, scenarioId, status } = trial;
    if (windows.length === 0) continue;
    series.get(scenarioId)?.lines.push({
      length: windows.length,
      x: windows.seconds,
      y: windows[COLUMNS[metric]],
      shift,
      isGrowing: status === 'running',
    });
  }
  return [...series.values()];
}

/** Where on the x axis each trial begins, measured seconds. */
export function trialShifts(run: RunView, layout: TrialLayout): { trial: TrialView; shift: number }[] {
  const length = run.plan.schedule.durationSeconds;
  let order = 0;
  return run.trials.map((trial) => {
    const shift = (layout === 'overlay' ? trial.round - 1 : order) * length;
    // A trial that never ran takes no room.
    if (trial.windows.elapsedMs > 0 || trial.status === 'running') order += 1;
    return { trial, shift };
  });
}

/** How many measured seconds there are. */
export function measuredWindows(run: RunView): number {
  return run.trials.reduce((sum, { windows }) => sum + windows.length, 0);
}

/** Where rounds begin on the x axis of the overlay, in measured seconds. */
export function roundStarts({ schedule }: Pick<Plan, 'schedule'>): number[] {
  const { rounds, durationSeconds } = schedule;
  return Array.from({ length: rounds + 1 }, (_, round) => round * durationSeconds);
}

/** What of the series lies in a stretch of the x axis, and the point before and after it: lines go on to its edges. */
export function shownPart(series: Series[], part: { from: number; to: number } | undefined): Series[] {
  if (part === undefined) return series;
  return series.map((one) => ({ ...one, lines: one.lines.flatMap((line) => cut(line, part)) }));
}

function cut(line: Placed, { from, to }: { from: number; to: number }): Placed[] {
  const { x, y, shift, length } = line;
  let first = 0;
  while (first < length && (x[first] ?? 0) + shift < from) first += 1;
  let last = first;
  while (last < length && (x[last] ?? 0) + shift <= to) last += 1;
  const [begin, end] = [Math.max(0, first - 1), Math.min(length, last + 1)];
  if (end <= begin) return [];
  return [{ ...line, x: x.subarray(begin, end), y: y.subarray(begin, end), length: end - begin }];
}

/** Where the last value of all series lies, s; 0 without any. */
export function endOf(series: Series[]): number {
  const ends = series.flatMap(({ lines }) =>
    lines.map(({ x, length, shift }) => (x[length - 1] ?? 0) + shift),
  );
  return Math.max(0, ...ends);
}

/** What a line came to when it was looked at last; its values never change, it only grows. */
interface Seen {
  length: number;
  sum: number;
  count: number;
}
const seenBy = new WeakMap<Float32Array, Seen>();

/** Mean of a series' values, or null without any. Values that were there the last time are not read again. */
export function meanOf({ lines }: Series): number | null {
  let [sum, count] = [0, 0];
  for (const { y, length } of lines) {
    const seen = seenBy.get(y);
    const grown = seen === undefined || seen.length > length ? { length: 0, sum: 0, count: 0 } : seen;
    for (; grown.length < length; grown.length++) {
      const value = y[grown.length] ?? NaN;
      if (Number.isNaN(value)) continue;
      grown.sum += value;
      grown.count += 1;
    }
    seenBy.set(y, grown);
    sum += grown.sum;
    count += grown.count;
  }
  return count === 0 ? null : sum / count;
}

interface Drawn {
  key: string;
  points: Point[];
}
const drawnBy = new WeakMap<Float32Array, Drawn>();

/**
 * The points of a line where `step` on the x axis is about as wide as a pen, with a gap at its end. As long as the line
 * does not change it is the same array.
 */
export function pointsOf(line: Placed, step: number): Point[] {
  const key = `${line.length} ${step} ${line.shift}`;
  const drawn = drawnBy.get(line.y);
  if (drawn?.key === key) return drawn.points;
  const points = decimate(line, step, line.shift);
  const last = points.at(-1);
  if (last !== undefined) points.push({ x: last.x, y: null });
  drawnBy.set(line.y, { key, points });
  return points;
}

/** More rows nobody reads, and they would take the page seconds. */
const MOST_ROWS = 600;
const ROW_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 3600];

/** The numbers as a table. */
export interface SeriesRows {
  /** How many measured seconds a row stands for. */
  seconds: number;
  /** First second of the row (from 1) and the values by scenario id. */
  rows: [second: number, values: Map<string, number>][];
}

/**
 * The same numbers as a table: a row per measured second, or of a long run per stretch of seconds, with what `of` makes
 * of a stretch: its mean or its highest value.
 */
export function rowsOf(series: Series[], of: 'mean' | 'highest'): SeriesRows {
  const end = endOf(series);
  const seconds = ROW_SECONDS.find((one) => end / one <= MOST_ROWS) ?? Math.ceil(end / MOST_ROWS);
  const rows = new Map<number, Map<string, Stretch>>();
  for (const { scenarioId, lines } of series) {
    for (const { x, y, length, shift } of lines) {
      for (let index = 0; index < length; index++) {
        const value = y[index] ?? NaN;
        if (Number.isNaN(value)) continue;
        const first = Math.floor(((x[index] ?? 0) + shift) / seconds) * seconds + 1;
        const row = rows.get(first) ?? new Map<string, Stretch>();
        const stretch = row.get(scenarioId) ?? { sum: 0, count: 0, highest: -Infinity };
        stretch.sum += value;
        stretch.count += 1;
        stretch.highest = Math.max(stretch.highest, value);
        rows.set(first, row.set(scenarioId, stretch));
      }
    }
  }
  const valueOf = ({ sum, count, highest }: Stretch): number => (of === 'mean' ? sum / count : highest);
  return {
    seconds,
    rows: [...rows]
      .sort(([a], [b]) => a - b)
      .map(([first, row]) => [first, new Map([...row].map(([id, stretch]) => [id, valueOf(stretch)]))]),
  };
}

interface Stretch {
  sum: number;
  count: number;
  highest: number;
}
