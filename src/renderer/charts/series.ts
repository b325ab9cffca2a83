import { tps, type Window } from '../../shared/model/measurements.ts';
import type { Plan } from '../../shared/model/plan.ts';
import { measuringMs, passesOf, windowsMs } from '../../shared/run/progress.ts';
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

/** `load`: in order, with the warm-up of trials. */
export type TrialLayout = 'overlay' | 'sequence' | 'load';

export interface Series {
  scenarioId: string;
  name: string;
  /** Of each trial. */
  lines: Point[][];
}

export function seriesOf(run: RunState, metric: Metric, layout: TrialLayout, t: Translate): Series[] {
  const series = new Map(
    run.plan.scenarios.map(({ id, label }): [string, Series] => [
      id,
      { scenarioId: id, name: labelText(label, t), lines: [] },
    ]),
  );
  for (const { trial, shift } of trialShifts(run, layout)) {
    const line = measuredOf(trial).map((one) => ({ x: secondOf(one) + shift, y: valueOf(one, metric) }));
    if (line.length > 0) series.get(trial.scenarioId)?.lines.push(line);
  }
  return [...series.values()];
}

function measuredOf({ windows }: Pick<TrialState, 'windows'>): Window[] {
  return windows.filter(({ phase }) => phase === 'measure');
}

/** Its middle, since measuring began. */
function secondOf({ startMs, durationMs }: Window): number {
  return (startMs + durationMs / 2) / 1000;
}

function valueOf(window: Window, metric: Metric): number | null {
  if (window.interrupted) return null;
  if (metric === 'tps') return tps(window);
  return window.latency === null ? null : window.latency.p95Us / 1000;
}

interface Shifted {
  trial: TrialState;
  shift: number;
}

function trialShifts(run: RunState, layout: TrialLayout): Shifted[] {
  const isSideBySide = passesOf(run.plan) > 0;
  if (layout === 'load') return isSideBySide ? roundShifts(run) : loadShifts(run);
  const length = roundSeconds(run);
  let order = 0;
  return run.trials.map((trial) => {
    const shift = (layout === 'overlay' || isSideBySide ? trial.round - 1 : order) * length;
    if (trial.windows.length > 0 || trial.status === 'running') order += 1;
    return { trial, shift };
  });
}

function roundShifts({ plan, trials }: RunState): Shifted[] {
  const slice = plan.schedule.sliceSeconds ?? 0;
  let end = 0;
  return plan.rounds.flatMap((_, index) => {
    const own = trials.filter((trial) => trial.round === index + 1 && measuredOf(trial).length > 0);
    if (own.length === 0) return [];
    const seconds = own.flatMap(measuredOf).map(secondOf);
    const shift = end - (Math.min(...seconds) - slice / 2);
    end = shift + Math.max(...seconds) + slice / 2;
    return own.map((trial) => ({ trial, shift }));
  });
}

function loadShifts({ trials }: RunState): Shifted[] {
  let end = 0;
  const begun = trials.filter(({ windows }) => windows.length > 0);
  return begun
    .sort((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0))
    .map((trial) => {
      end += windowsMs(trial) / 1000;
      const last = measuredOf(trial).at(-1);
      return { trial, shift: last === undefined ? end : end - (last.startMs + last.durationMs) / 1000 };
    });
}

export interface LatestSecond {
  trial: TrialState;
  /** NaN without a completed transaction. */
  values: { tps: number; p95: number };
  /** On the x axis of the layout `load`. */
  at: number;
  isWarmup: boolean;
}

export function latestSecond(run: RunState): LatestSecond | undefined {
  const ends = trialShifts(run, 'load').flatMap(({ trial, shift }) => {
    const last = trial.windows.at(-1);
    if (last === undefined) return [];
    const isWarmup = last.phase === 'warmup';
    const values = { tps: valueOf(last, 'tps') ?? NaN, p95: valueOf(last, 'p95') ?? NaN };
    return { trial, at: isWarmup ? shift : shift + secondOf(last), values, isWarmup };
  });
  return ends.sort((a, b) => a.at - b.at).at(-1);
}

/** What a round takes on the x axis; slices of slow scenarios are longer than planned. */
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

/** Null without values. */
export function meanOf({ lines }: Series): number | null {
  const values = lines.flat().flatMap(({ y }) => y ?? []);
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Rendering more takes seconds. */
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

/** Measured seconds with host conditions; those of whole trials would shade everything. */
export function disturbedSeconds(
  run: RunState,
  layout: TrialLayout,
  isShown: (scenarioId: string) => boolean,
): DisturbedSecond[] {
  return trialShifts(run, layout).flatMap(({ trial, shift }) =>
    isShown(trial.scenarioId) && trial.totals !== null
      ? secondsOf(trial, shift, (run.plan.schedule.sliceSeconds ?? 1) / 2)
      : [],
  );
}

function secondsOf(trial: TrialState, shift: number, half: number): DisturbedSecond[] {
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
    const middle = shift + secondOf(window);
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
