import { tps, type Window } from '../../shared/model/measurements.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { pausedMs, windowsMs } from '../../shared/run/progress.ts';
import { measuringMs, passesOf } from '../../shared/run/planned-time.ts';
import type { RunState, TrialState } from '../../shared/model/run-state.ts';
import type { HostConditionKind } from '../../shared/model/evidence.ts';
import type { Translate } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';
import type { Band } from './chart-options.ts';

export interface Point {
  x: number;
  y: number | null;
}

export type Metric = 'tps' | 'p95';

/** `clock`: since the run began, without pauses. */
export type TrialLayout = 'overlay' | 'sequence' | 'clock';

export interface Series {
  scenarioId: string;
  name: string;
  lines: Point[][];
}

export function seriesOf(run: RunState, metric: Metric, layout: TrialLayout, t: Translate): Series[] {
  const series = new Map(
    run.plan.scenarios.map(({ id, label }): [string, Series] => [
      id,
      { scenarioId: id, name: labelText(label, t), lines: [] },
    ]),
  );
  const placeOf = placeIn(run, layout);
  for (const trial of run.trials) {
    const line = measuredOf(trial).map((one) => ({ x: placeOf(trial, one), y: valueOf(one, metric) }));
    if (line.length > 0) series.get(trial.scenarioId)?.lines.push(line);
  }
  return [...series.values()];
}

/** A pass counts once all scenarios had it, a round once all are measured. */
export function meanLines(run: RunState, metric: Metric, scenarioIds: readonly string[]): Point[][] {
  const placeOf = placeIn(run, 'clock');
  const isSideBySide = passesOf(run.plan) > 0;
  const rounds = run.plan.rounds.map((_, index) => {
    const own = run.trials.filter(
      ({ round, scenarioId, status }) =>
        round === index + 1 &&
        scenarioIds.includes(scenarioId) &&
        (status === 'measured' || status === 'running' || status === 'pending'),
    );
    const points = own.map((trial) =>
      measuredOf(trial).map((window) => ({ x: placeOf(trial, window), y: valueOf(window, metric) })),
    );
    if (!isSideBySide) {
      return own.length > 0 && own.every(({ status }) => status === 'measured')
        ? meanPoint(points.flat())
        : [];
    }
    const passes = Math.min(...points.map(({ length }) => length));
    return Array.from({ length: Number.isFinite(passes) ? passes : 0 }, (_, pass) =>
      meanPoint(points.flatMap((line) => line[pass] ?? [])),
    ).flat();
  });
  const lines = isSideBySide ? rounds : [rounds.flat()];
  return lines.filter(({ length }) => length > 0);
}

function meanPoint(points: readonly Point[]): Point[] {
  const known = points.flatMap(({ x, y }) => (y === null ? [] : [{ x, y }]));
  return known.length === 0
    ? []
    : [{ x: mean(known.map((one) => one.x)), y: mean(known.map((one) => one.y)) }];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function measuredOf({ windows }: Pick<TrialState, 'windows'>): Window[] {
  return windows.filter(({ phase }) => phase === 'measure');
}

function secondOf({ startMs, durationMs }: Window): number {
  return (startMs + durationMs / 2) / 1000;
}

function valueOf(window: Window, metric: Metric): number | null {
  if (window.interrupted) return null;
  if (metric === 'tps') return tps(window);
  return window.latency === null ? null : window.latency.p95Us / 1000;
}

/** Place on the x axis, s. */
type Place = (trial: TrialState, window: Window) => number;

function placeIn(run: RunState, layout: TrialLayout): Place {
  if (layout === 'clock') return clockPlace(run);
  const isSideBySide = passesOf(run.plan) > 0;
  const length = roundSeconds(run);
  const shifts = new Map<string, number>();
  let order = 0;
  for (const { id, round, windows, status } of run.trials) {
    shifts.set(id, (layout === 'overlay' || isSideBySide ? round - 1 : order) * length);
    if (windows.length > 0 || status === 'running') order += 1;
  }
  return ({ id }, window) => (shifts.get(id) ?? 0) + secondOf(window);
}

function clockPlace(run: RunState): Place {
  const begins = passesOf(run.plan) > 0 ? roundBegins(run) : trialBegins(run);
  return (trial, window) => {
    const at = (begins.get(trial.id) ?? run.startedAt) + 1000 * secondOf(window);
    const before =
      window.phase === 'measure' ? at + windowsMs({ windows: trial.windows.filter(isWarmup) }) : at;
    return (before - run.startedAt - pausedMs(run, run.startedAt, before)) / 1000;
  };
}

/** A round's clock begins so that its first trial starts with its first slice. */
function roundBegins({ plan, trials }: RunState): Map<string, number> {
  return new Map(
    plan.rounds.flatMap((_, index) => {
      const own = trials.filter(({ round }) => round === index + 1);
      const first = Math.min(...own.flatMap(({ windows }) => windows.map(({ startMs }) => startMs)));
      const began = Math.min(...own.map(({ startedAt }) => startedAt ?? Infinity));
      return own.map(({ id }): [string, number] => [id, began - first]);
    }),
  );
}

/** Assumed time before the load, until an ended trial shows it. */
const BEFORE_LOAD_MS = 2_000;

function trialBegins({ trials }: RunState): Map<string, number> {
  let before = BEFORE_LOAD_MS;
  const begun = trials.filter(({ windows }) => windows.length > 0);
  return new Map(
    begun
      .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
      .map((trial) => {
        const began = trial.startedAt ?? 0;
        if (trial.finishedAt !== null) before = Math.max(0, trial.finishedAt - began - windowsMs(trial));
        return [trial.id, began + before];
      }),
  );
}

function isWarmup({ phase }: Window): boolean {
  return phase === 'warmup';
}

export interface LatestSecond {
  trial: TrialState;
  /** NaN without a completed transaction. */
  values: { tps: number; p95: number };
  /** Place on the x axis of the layout `clock`. */
  at: number;
  from: number;
  isWarmup: boolean;
}

export function latestSecond(run: RunState): LatestSecond | undefined {
  const placeOf = placeIn(run, 'clock');
  const ends = run.trials.flatMap((trial) => {
    const [first, last] = [trial.windows[0], trial.windows.at(-1)];
    if (first === undefined || last === undefined) return [];
    const values = { tps: valueOf(last, 'tps') ?? NaN, p95: valueOf(last, 'p95') ?? NaN };
    return { trial, from: placeOf(trial, first), at: placeOf(trial, last), values, isWarmup: isWarmup(last) };
  });
  const latest = ends.sort((a, b) => a.at - b.at).at(-1);
  return latest && { ...latest, from: Math.min(...ends.map(({ from }) => from)) };
}

/** Slow scenarios have longer slices than planned. */
export function roundSeconds({ plan, trials }: Pick<RunState, 'plan' | 'trials'>): number {
  const planned = measuringMs(plan) / 1000;
  if (passesOf(plan) === 0) return planned;
  const ends = trials.flatMap((trial) => measuredOf(trial).slice(-1)).map(secondOf);
  return Math.ceil(Math.max(planned, ...ends));
}

export function roundStarts({ schedule }: Pick<Plan, 'schedule'>, length: number): number[] {
  return Array.from({ length: schedule.rounds + 1 }, (_, round) => round * length);
}

export function endOf(series: Series[]): number {
  return Math.max(0, ...series.flatMap(({ lines }) => lines.map((line) => line.at(-1)?.x ?? 0)));
}

export function meanOf({ lines }: Pick<Series, 'lines'>): number | null {
  const values = lines.flat().flatMap(({ y }) => y ?? []);
  return values.length === 0 ? null : mean(values);
}

/** Rendering more rows takes seconds. */
const MOST_ROWS = 600;

interface SeriesRows {
  seconds: number;
  rows: [second: number, values: Map<string, number>][];
}

export function rowsOf(series: Series[], of: 'mean' | 'highest'): SeriesRows {
  const end = endOf(series);
  const seconds = Math.max(1, Math.ceil(end / MOST_ROWS), Math.ceil(spacing(series) / 1.5));
  const rows = new Map<number, Map<string, Stretch>>();
  for (const { scenarioId, lines } of series) {
    for (const { x, y } of lines.flat()) {
      if (y === null) continue;
      const first = Math.floor(x / seconds) * seconds + 1;
      const row = rows.get(first) ?? new Map<string, Stretch>();
      const stretch = row.get(scenarioId) ?? { sum: 0, count: 0, highest: -Infinity };
      stretch.sum += y;
      stretch.count += 1;
      stretch.highest = Math.max(stretch.highest, y);
      rows.set(first, row.set(scenarioId, stretch));
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
    lines.flatMap((line) =>
      line.length < 2 ? [] : ((line.at(-1)?.x ?? 0) - (line[0]?.x ?? 0)) / (line.length - 1),
    ),
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

/** Conditions of whole trials would shade everything. */
export function disturbedSeconds(
  run: RunState,
  layout: TrialLayout,
  isShown: (scenarioId: string) => boolean,
): DisturbedSecond[] {
  const placeOf = placeIn(run, layout);
  return run.trials.flatMap((trial) =>
    isShown(trial.scenarioId) && trial.totals !== null
      ? secondsOf(trial, placeOf, (run.plan.schedule.sliceSeconds ?? 1) / 2)
      : [],
  );
}

function secondsOf(trial: TrialState, placeOf: Place, half: number): DisturbedSecond[] {
  const { scenarioId, evidence } = trial;
  const measured = measuredOf(trial);
  const kinds = new Map<number, HostConditionKind[]>();
  for (const condition of evidence?.host?.conditions ?? []) {
    for (const index of condition.windows ?? []) {
      kinds.set(index, [...(kinds.get(index) ?? []), condition.kind]);
    }
  }
  return [...kinds].flatMap(([index, own]) => {
    const window = measured[index];
    if (window === undefined) return [];
    const middle = placeOf(trial, window);
    return [{ scenarioId, kinds: own, from: middle - half, to: middle + half }];
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
