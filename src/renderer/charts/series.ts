import { decimate, type Line, type Point } from './decimate.ts';
import { tps } from '../../shared/model/measurements.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { measuringMs, passesOf } from '../../shared/run/progress.ts';
import type { RunView, TrialView } from '../../shared/model/run-view.ts';
import type { HostConditionKind } from '../../shared/model/evidence.ts';
import type { Band } from './chart-options.ts';

export type { Point } from './decimate.ts';

export type Metric = 'tps' | 'p95';

const COLUMNS = { tps: 'tps', p95: 'p95Ms' } as const;
/** `load`: in order, with the warm-up of trials. */
export type TrialLayout = 'overlay' | 'sequence' | 'load';

export interface Placed extends Line {
  shift: number;
  isGrowing: boolean;
}

export interface Series {
  scenarioId: string;
  name: string;
  lines: Placed[];
}

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

interface Shifted {
  trial: TrialView;
  shift: number;
}

function trialShifts(run: RunView, layout: TrialLayout): Shifted[] {
  const isSideBySide = passesOf(run.plan) > 0;
  if (layout === 'load') return isSideBySide ? roundShifts(run) : loadShifts(run);
  const length = roundSeconds(run);
  let order = 0;
  return run.trials.map((trial) => {
    const shift = (layout === 'overlay' || isSideBySide ? trial.round - 1 : order) * length;
    if (trial.windows.elapsedMs > 0 || trial.status === 'running') order += 1;
    return { trial, shift };
  });
}

function roundShifts({ plan, trials }: RunView): Shifted[] {
  const slice = plan.schedule.sliceSeconds ?? 0;
  let end = 0;
  return plan.rounds.flatMap((_, index) => {
    const own = trials.filter(({ round, windows }) => round === index + 1 && windows.length > 0);
    if (own.length === 0) return [];
    const first = Math.min(...own.map(({ windows }) => windows.seconds[0] ?? 0)) - slice / 2;
    const shift = end - first;
    end = shift + Math.max(...own.map(({ windows }) => lastOf(windows.seconds, windows))) + slice / 2;
    return own.map((trial) => ({ trial, shift }));
  });
}

function loadShifts({ trials }: RunView): Shifted[] {
  let end = 0;
  const begun = trials.filter(({ windows }) => windows.elapsedMs > 0);
  return begun
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
    .map((trial) => {
      const { windows } = trial;
      end += windows.elapsedMs / 1000;
      const half = (windows.last?.durationMs ?? 0) / 2000;
      return { trial, shift: windows.length === 0 ? end : end - half - lastOf(windows.seconds, windows) };
    });
}

function lastOf(column: Float32Array, { length }: { length: number }): number {
  return column[length - 1] ?? NaN;
}

export interface LatestSecond {
  trial: TrialView;
  /** NaN without a completed transaction. */
  values: { tps: number; p95: number };
  /** On the x axis of the layout `load`. */
  at: number;
  isWarmup: boolean;
}

export function latestSecond(run: RunView): LatestSecond | undefined {
  const ends = trialShifts(run, 'load').map(({ trial, shift }) => {
    const { windows } = trial;
    const { last, length } = windows;
    if (length === 0 && last !== null) {
      const p95 = (last.latency?.p95Us ?? NaN) / 1000;
      return { trial, at: shift, values: { tps: tps(last), p95 }, isWarmup: true };
    }
    const values = { tps: lastOf(windows.tps, windows), p95: lastOf(windows.p95Ms, windows) };
    return { trial, at: shift + lastOf(windows.seconds, windows), values, isWarmup: false };
  });
  return ends.sort((a, b) => a.at - b.at).at(-1);
}

export function measuredWindows(run: RunView): number {
  return run.trials.reduce((sum, { windows }) => sum + windows.length, 0);
}

/** What a round takes on the x axis; slices of slow scenarios are longer than planned. */
export function roundSeconds({ plan, trials }: Pick<RunView, 'plan' | 'trials'>): number {
  const planned = measuringMs(plan) / 1000;
  if (passesOf(plan) === 0) return planned;
  const ends = trials.map(({ windows }) => windows.seconds[windows.length - 1] ?? 0);
  return Math.ceil(Math.max(planned, ...ends));
}

export function roundStarts({ schedule }: Pick<Plan, 'schedule'>, length: number): number[] {
  return Array.from({ length: schedule.rounds + 1 }, (_, round) => round * length);
}

export function endOf(series: Series[]): number {
  const ends = series.flatMap(({ lines }) =>
    lines.map(({ x, length, shift }) => (x[length - 1] ?? 0) + shift),
  );
  return Math.max(0, ...ends);
}

interface Seen {
  length: number;
  sum: number;
  count: number;
}
const seenBy = new WeakMap<Float32Array, Seen>();

/** Null without values. Reads only new values. */
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

/** Rendering more takes seconds. */
const MOST_ROWS = 600;
const ROW_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 3600];

interface SeriesRows {
  seconds: number;
  rows: [second: number, values: Map<string, number>][];
}

export function rowsOf(series: Series[], of: 'mean' | 'highest'): SeriesRows {
  const end = endOf(series);
  const apart = spacing(series) / 1.5;
  const seconds =
    ROW_SECONDS.find((one) => end / one <= MOST_ROWS && one >= apart) ?? Math.ceil(end / MOST_ROWS);
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

function spacing(series: Series[]): number {
  const means = series.flatMap(({ lines }) =>
    lines.flatMap(({ x, length }) => (length < 2 ? [] : ((x[length - 1] ?? 0) - (x[0] ?? 0)) / (length - 1))),
  );
  return Math.max(0, ...means);
}

interface Stretch {
  sum: number;
  count: number;
  highest: number;
}

export interface DisturbedSecond extends Band {
  scenarioId: string;
  kinds: HostConditionKind[];
}

/** Measured seconds with host conditions; those of whole trials would shade everything. */
export function disturbedSeconds(
  run: RunView,
  layout: TrialLayout,
  isShown: (scenarioId: string) => boolean,
): DisturbedSecond[] {
  return trialShifts(run, layout).flatMap(({ trial, shift }) =>
    isShown(trial.scenarioId) && trial.totals !== null
      ? secondsOf(trial, shift, (run.plan.schedule.sliceSeconds ?? 1) / 2)
      : [],
  );
}

function secondsOf(
  { windows, scenarioId, evidence }: TrialView,
  shift: number,
  half: number,
): DisturbedSecond[] {
  const kinds = new Map<number, HostConditionKind[]>();
  for (const condition of evidence?.host?.conditions ?? []) {
    for (const index of condition.windows ?? []) {
      kinds.set(index, [...(kinds.get(index) ?? []), condition.kind]);
    }
  }
  return [...kinds].flatMap(([index, own]) => {
    // Like the columns' rows, windows count from 0 in the measured phase.
    const middle = index < windows.length ? windows.seconds[index] : undefined;
    return middle === undefined
      ? []
      : [{ scenarioId, kinds: own, from: shift + middle - half, to: shift + middle + half }];
  });
}

export function joinedBands(seconds: readonly Band[]): Band[] {
  const bands: Band[] = [];
  for (const { from, to } of [...seconds].sort((a, b) => a.from - b.from)) {
    const last = bands.at(-1);
    // Windows last about a second.
    if (last !== undefined && from <= last.to + 0.1) last.to = Math.max(last.to, to);
    else bands.push({ from, to });
  }
  return bands;
}
