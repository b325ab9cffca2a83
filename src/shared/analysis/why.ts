import { isContainerStorage } from '../kinds/storages.ts';
import type { Why, WhyCause } from './analysis.ts';
import { STATEMENT_KINDS, type StatementKind } from '../model/names.ts';
import type { Scenario } from '../model/plan.ts';
import type { StatementFigures, TrialFigures } from './trial-figures.ts';

/**
 * A transaction is the sum of its statements: a decomposition, not a correlation. Nothing explains more than the whole
 * difference: what would was not measured well enough, and is left out. Formulas: docs/explanation/method.md.
 */

/** A part from this share on is the main cause. */
const MOST = 0.5;
/** What is less in the slower scenario may add this to what is more; beyond it, nothing is named. */
const OFFSET = 0.1;
/** Share of the CPU time used that a throttled container waited for its quota. */
const THROTTLED = 0.1;

export function whyDifferent(
  scenario: TrialFigures,
  baseline: TrialFigures,
  verdict: 'slower' | 'faster',
): Why | null {
  if (verdict === 'slower') {
    const cause = whySlower(scenario, baseline);
    return cause && { ...cause, slower: 'scenario' };
  }
  const cause = whySlower(baseline, scenario);
  return cause && { ...turned(cause), slower: 'baseline' };
}

/** What a round trip depends on: the same for all scenarios of one route. */
export function routeOf({ path, engine, loadGenerator, storage }: Scenario): string {
  return JSON.stringify([path, engine, loadGenerator, isContainerStorage(storage.kind)]);
}

/** Figures of what two scenarios have in common, as unknown: it doesn't explain their difference. */
export function sharedBy(one?: Scenario, other?: Scenario): Partial<TrialFigures> {
  if (one === undefined || other === undefined) return {};
  return {
    ...(routeOf(one) === routeOf(other) ? { roundTripUs: null } : {}),
    ...(one.engine === other.engine && one.storageId === other.storageId ? { flushUs: null } : {}),
  };
}

interface TaskCost extends Pick<TrialFigures, 'fsyncs' | 'flushUs' | 'cpuMs'> {
  /** Mean. */
  taskUs: number;
}

/** Of tasks: flushes or CPU time if either makes up most of it. A start has its parts (start-parts.ts). */
export function whyTaskDiffers(
  scenario: TaskCost,
  baseline: TaskCost,
  verdict: 'slower' | 'faster',
): Why | null {
  const difference = scenario.taskUs - baseline.taskUs;
  const slower = verdict === 'slower' ? 'scenario' : 'baseline';
  const shareOf = (toUs: number, fromUs: number): number => (toUs - fromUs) / difference;
  const [to, from] = [scenario, baseline];
  if (to.fsyncs !== null && from.fsyncs !== null && to.flushUs !== null && from.flushUs !== null) {
    const share = shareOf(to.fsyncs * to.flushUs, from.fsyncs * from.flushUs);
    const flushes = { from: from.fsyncs, to: to.fsyncs, fromUs: from.flushUs, toUs: to.flushUs };
    if (share >= MOST && share <= 1) return { cause: 'flushes', share, ...flushes, slower };
  }
  if (to.cpuMs === null || from.cpuMs === null) return null;
  const [toUs, fromUs] = [1000 * to.cpuMs, 1000 * from.cpuMs];
  const share = shareOf(toUs, fromUs);
  return share >= MOST && share <= 1 ? { cause: 'cpu', share, fromUs, toUs, slower } : null;
}

function turned(cause: WhyCause): WhyCause {
  if (!('fromUs' in cause)) return cause;
  if (cause.cause === 'flushes' || cause.cause === 'cpu') return cause;
  const ends = { fromUs: cause.toUs, toUs: cause.fromUs };
  if (cause.cause === 'round-trip') return { ...cause, ...ends };
  const { flush } = cause;
  return { ...cause, ...ends, flush: flush && { fromUs: flush.toUs, toUs: flush.fromUs } };
}

function whySlower(slow: TrialFigures, fast: TrialFigures): WhyCause | null {
  const parts = STATEMENT_KINDS.flatMap((kind): Part[] => {
    const [a, b] = [slow.statements[kind], fast.statements[kind]];
    return a === undefined || b === undefined
      ? []
      : [{ kind, slow: a, fast: b, us: b.each * (a.meanUs - b.meanUs) }];
  });
  const difference = parts.reduce((sum, { us }) => sum + us, 0);
  if (difference <= 0) return null;
  const throttled = slow.throttledShare ?? 0;
  if (throttled >= THROTTLED && throttled > 2 * (fast.throttledShare ?? 0)) {
    return { cause: 'throttled', share: throttled / (1 + throttled) };
  }
  const statements = parts.reduce((sum, part) => sum + part.fast.each, 0);
  if (slow.roundTripUs !== null && fast.roundTripUs !== null) {
    const share = (statements * (slow.roundTripUs - fast.roundTripUs)) / difference;
    const fits = (side: 'slow' | 'fast', us: number): boolean =>
      statements * us <= parts.reduce((sum, part) => sum + part.fast.each * part[side].meanUs, 0);
    const areSteady = fits('slow', slow.roundTripUs) && fits('fast', fast.roundTripUs);
    if (share >= MOST && share <= 1 && areSteady) {
      return { cause: 'round-trip', share, statements, fromUs: fast.roundTripUs, toUs: slow.roundTripUs };
    }
  }
  const leastUs = Math.min(...parts.map((part) => part.slow.meanUs - part.fast.meanUs));
  const even = (statements * leastUs) / difference;
  if (parts.length > 1 && even >= MOST) return { cause: 'every-statement', share: even, leastUs };
  const most = largestOf(parts, difference);
  if (most === null) return null;
  return {
    cause: most.share >= MOST ? 'kind' : 'mixed',
    kind: most.kind,
    share: most.share,
    fromUs: most.fast.p95Us,
    toUs: most.slow.p95Us,
    readsStorage: isRead(most.kind) && (slow.pageReads ?? 0) > 0.5,
    flush:
      isRead(most.kind) || slow.flushUs === null || fast.flushUs === null
        ? null
        : { fromUs: fast.flushUs, toUs: slow.flushUs },
  };
}

/** The largest of the parts that grew, with its share of all that grew; null where the others shrank by too much of it. */
function largestOf<P extends { us: number }>(
  parts: readonly P[],
  difference: number,
): (P & { share: number }) | null {
  const grew = parts.reduce((sum, { us }) => sum + Math.max(0, us), 0);
  const [most] = [...parts].sort((a, b) => b.us - a.us);
  if (most === undefined || most.us <= 0 || grew > (1 + OFFSET) * difference) return null;
  return { ...most, share: most.us / Math.max(grew, difference) };
}

interface Part {
  kind: StatementKind;
  slow: StatementFigures;
  fast: StatementFigures;
  /** Part of the difference of a mean transaction, µs. */
  us: number;
}

function isRead(kind: StatementKind): boolean {
  return kind === 'point' || kind === 'range' || kind === 'lock';
}
