import type { Why, WhyCause } from '../model/analysis.ts';
import { STATEMENT_KINDS, type StatementKind } from '../model/names.ts';
import type { StatementFigures, TrialFigures } from './trial-figures.ts';

/** A transaction is the sum of its statements: a decomposition, not a correlation. Formulas: docs/explanation/method.md. */

/** A part from this share on is the main cause. */
const MOST = 0.5;
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

function turned(cause: WhyCause): WhyCause {
  if (!('fromUs' in cause)) return cause;
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
  const most = parts.sort((a, b) => b.us - a.us)[0];
  if (most === undefined || difference <= 0) return null;
  const throttled = slow.throttledShare ?? 0;
  if (throttled >= THROTTLED && throttled > 2 * (fast.throttledShare ?? 0)) {
    return { cause: 'throttled', share: throttled };
  }
  const statements = parts.reduce((sum, part) => sum + part.fast.each, 0);
  if (slow.roundTripUs !== null && fast.roundTripUs !== null) {
    const share = (statements * (slow.roundTripUs - fast.roundTripUs)) / difference;
    if (share >= MOST) {
      return {
        cause: 'round-trip',
        share: Math.min(1, share),
        statements,
        fromUs: fast.roundTripUs,
        toUs: slow.roundTripUs,
      };
    }
  }
  const leastUs = Math.min(...parts.map((part) => part.slow.meanUs - part.fast.meanUs));
  const even = (statements * leastUs) / difference;
  if (parts.length > 1 && even >= MOST)
    return { cause: 'every-statement', share: Math.min(1, even), leastUs };
  const share = most.us / difference;
  return {
    cause: share >= MOST ? 'kind' : 'mixed',
    kind: most.kind,
    share: Math.min(1, share),
    fromUs: most.fast.p95Us,
    toUs: most.slow.p95Us,
    readsStorage: isRead(most.kind) && (slow.pageReads ?? 0) > 0.5,
    flush:
      isRead(most.kind) || slow.flushUs === null || fast.flushUs === null
        ? null
        : { fromUs: fast.flushUs, toUs: slow.flushUs },
  };
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
