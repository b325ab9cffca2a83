import { isContainerStorage } from '../kinds/storages.ts';
import { START_PARTS, type TrialEvidence } from '../model/evidence.ts';
import { STATEMENT_KINDS, type StatementKind, type Verdict } from '../model/names.ts';
import type { Scenario } from '../model/plan.ts';
import type { TaskKind } from '../model/task.ts';
import { isDifference } from '../statistics/claims.ts';
import type { TrialFigures } from './trial-figures.ts';

export const TIME_PARTS = [
  ...(['begin', 'read', 'lock', 'write', 'commit'] as const),
  ...START_PARTS,
  ...(['cpu', 'rest'] as const),
] as const;
export const WAITS = ['network', 'flush'] as const;
export type Wait = (typeof WAITS)[number];

/** `wait`: what the part waited for; null: the server, with queues. */
export interface TimePart {
  part: (typeof TIME_PARTS)[number];
  wait: Wait | null;
  us: number;
}
export type TimeKey = TimePart['part'] | Wait;

export interface Waterfall {
  scenarioIds: string[];
  largest: {
    scenarioId: string;
    /** Negative: less than the baseline. */
    us: number;
    most: { key: TimeKey; us: number }[];
  } | null;
}

/** A smaller remainder is rounding. */
const LEAST_REST = 0.005;
const MOST_BARS = 8;

const PART_OF = {
  ...{ begin: 'begin', commit: 'commit', lock: 'lock' },
  ...{ point: 'read', range: 'read' },
  ...{ update: 'write', delete: 'write', insert: 'write' },
} as const satisfies Record<StatementKind, TimePart['part']>;

/** Equal for all scenarios whose round trips take the same route. */
export function routeOf({ path, engine, loadGenerator, storage }: Scenario): string {
  return JSON.stringify([path, engine, loadGenerator, isContainerStorage(storage.kind)]);
}

interface Timed {
  meanUs: number;
  figures: Pick<TrialFigures, 'statements' | 'roundTripUs' | 'fsyncs' | 'flushUs' | 'cpuMs'>;
  /** Flushes that a commit waits for; null if not measured. */
  commitUs: number | null;
  task: TaskKind | null;
  trials: readonly { evidence: Pick<TrialEvidence, 'start'> | null }[];
}

/**
 * Positive parts that add up to the mean; empty if nothing was measured. Formulas:
 * docs/explanation/method.md.
 */
export function partsOfTime(timed: Timed): TimePart[] {
  const { task, meanUs } = timed;
  const measured =
    task === null ? partsOfTransaction(timed) : task === 'ready' ? partsOfStart(timed) : partsOfTask(timed);
  const sum = totalUs(measured);
  if (sum === 0 || meanUs <= 0) return [];
  const restUs = meanUs - sum;
  const hasRest = restUs >= LEAST_REST * meanUs;
  const scale = hasRest ? 1 : meanUs / sum;
  const rest: TimePart[] = hasRest ? [{ part: 'rest', wait: null, us: restUs }] : [];
  return [...measured.map((one) => ({ ...one, us: one.us * scale })), ...rest].filter(({ us }) => us > 0);
}

/** Network waits are at most the fastest statement, a COMMIT's flushes its time beyond a BEGIN. */
function partsOfTransaction({ figures: { statements, roundTripUs }, commitUs }: Timed): TimePart[] {
  const fastestUs = Math.min(...Object.values(statements).map(({ meanUs }) => meanUs));
  const networkUs = Math.min(roundTripUs ?? 0, fastestUs);
  const { begin, commit } = statements;
  const writes = STATEMENT_KINDS.some((kind) => PART_OF[kind] === 'write' && statements[kind] !== undefined);
  const flushed: TimePart['part'] = commit === undefined ? 'write' : 'commit';
  const sums = new Map<TimePart['part'], Record<Wait | 'server', number>>();
  for (const kind of STATEMENT_KINDS) {
    const one = statements[kind];
    if (one === undefined) continue;
    const part = PART_OF[kind];
    const sum = sums.get(part) ?? { network: 0, flush: 0, server: 0 };
    const restUs = one.meanUs - networkUs;
    const mostUs = kind === 'commit' && begin !== undefined ? one.meanUs - begin.meanUs : restUs;
    const flushUs = writes && part === flushed ? Math.max(0, Math.min(commitUs ?? 0, mostUs, restUs)) : 0;
    sum.network += one.each * networkUs;
    sum.flush += one.each * flushUs;
    sum.server += one.each * (restUs - flushUs);
    sums.set(part, sum);
  }
  return TIME_PARTS.flatMap((part): TimePart[] => {
    const sum = sums.get(part);
    if (sum === undefined) return [];
    return [...WAITS.map((wait) => ({ part, wait, us: sum[wait] })), { part, wait: null, us: sum.server }];
  });
}

function partsOfStart({ trials }: Timed): TimePart[] {
  const starts = trials.flatMap(({ evidence }) => evidence?.start ?? []);
  return START_PARTS.map((part) => {
    const sum = starts.reduce((all, one) => all + (one[part] ?? 0), 0);
    return { part, wait: null, us: starts.length === 0 ? 0 : (1000 * sum) / starts.length };
  });
}

/** If flushes and CPU time exceed the whole, they overlap by an unknown amount. */
function partsOfTask({ figures: { fsyncs, flushUs, cpuMs }, meanUs }: Timed): TimePart[] {
  const within = (us: number, most: number): number => (us <= most ? us : 0);
  const waitedUs = within((fsyncs ?? 0) * (flushUs ?? 0), meanUs);
  const usedUs = within(1000 * (cpuMs ?? 0), meanUs - waitedUs);
  return [
    { part: 'cpu', wait: null, us: usedUs },
    { part: 'rest', wait: 'flush', us: waitedUs },
  ];
}

interface Compared {
  id: string;
  baselineId: string;
  verdict: Verdict;
  parts: readonly TimePart[];
}
interface Analyzed {
  baselineId: string;
  effects: readonly { pairs: readonly { scenarioId: string; referenceId: string }[] }[];
  scenarios: readonly Compared[];
}

/** The baseline and what differs in one factor, otherwise the first scenarios; null without parts. */
export function waterfallOf({ baselineId, effects, scenarios }: Analyzed): Waterfall | null {
  const choices = effects
    .flatMap(({ pairs }) => pairs)
    .flatMap(({ scenarioId, referenceId }) => (referenceId === baselineId ? [scenarioId] : []));
  const ids = choices.length === 0 ? scenarios.map(({ id }) => id) : [baselineId, ...choices];
  const shown = [...new Set(ids)]
    .flatMap((id) => scenarios.find((one) => one.id === id && one.parts.length > 0) ?? [])
    .slice(0, MOST_BARS);
  return shown.length === 0
    ? null
    : { scenarioIds: shown.map(({ id }) => id), largest: largestDifference(shown, baselineId) };
}

function largestDifference(shown: readonly Compared[], baselineId: string): Waterfall['largest'] {
  const baseline = shown.find(({ id }) => id === baselineId);
  if (baseline === undefined) return null;
  const conclusive = shown.filter((one) => one.baselineId === baselineId && isDifference(one.verdict));
  const [largest] = conclusive
    .map((one) => ({ scenarioId: one.id, us: totalUs(one.parts) - totalUs(baseline.parts), one }))
    .sort((a, b) => Math.abs(b.us) - Math.abs(a.us));
  if (largest === undefined) return null;
  const { one, ...difference } = largest;
  return { ...difference, most: largestTwo(timeByKey(one.parts), timeByKey(baseline.parts), difference.us) };
}

/** The second goes the other way if both exceed the difference. */
function largestTwo(
  own: ReadonlyMap<TimeKey, number>,
  base: ReadonlyMap<TimeKey, number>,
  us: number,
): { key: TimeKey; us: number }[] {
  const sign = Math.sign(us);
  const all = [...new Set([...own.keys(), ...base.keys()])]
    .map((key) => ({ key, us: (own.get(key) ?? 0) - (base.get(key) ?? 0) }))
    .sort((a, b) => Math.abs(b.us) - Math.abs(a.us));
  const most = all.find((one) => one.us * sign > 0);
  if (most === undefined) return [];
  const others = all.filter((one) => one !== most && one.us !== 0);
  const fits = (one: { us: number }): boolean =>
    (most.us + one.us) * sign <= Math.abs(us) || one.us * sign < 0;
  return [most, ...others.filter(fits).slice(0, 1)];
}

export function totalUs(parts: readonly TimePart[]): number {
  return parts.reduce((sum, { us }) => sum + us, 0);
}

/** Each wait as a whole, and the rest of each part. */
export function timeByKey(parts: readonly TimePart[]): Map<TimeKey, number> {
  const sums = new Map<TimeKey, number>();
  for (const { part, wait, us } of parts) sums.set(wait ?? part, (sums.get(wait ?? part) ?? 0) + us);
  return sums;
}
