import type { ComparedFigure, PublishedClaim, ReferenceFigure } from './analysis.ts';
import { type CrossedScenario, estimateOfPairs } from './effects.ts';
import type { Speeds } from './samples.ts';
import type { Estimator } from './speeds.ts';
import type { Totals } from '../model/measurements.ts';
import type { PlanReference, PublishedMeasure } from '../model/reference.ts';
import { claimsOf, type Margin } from '../statistics/claims.ts';
import { estimateAt } from '../statistics/estimate.ts';
import type { LevelOf } from '../statistics/spending.ts';

export type MeasuredSums = Pick<
  Totals,
  'durationMs' | 'transactions' | 'reads' | 'writes' | 'other' | 'errors' | 'rollbacks' | 'latency'
>;

const DEADLOCK = '1213';

interface Claiming {
  scenarios: readonly CrossedScenario[];
  reference?: Pick<PlanReference, 'claims'> | null;
}

/** `rates` includes a baseline's repeats. */
export function publishedClaims(
  { scenarios, reference }: Claiming,
  rates: Speeds,
  { confidence, levelOf, estimate }: { confidence: number; levelOf: LevelOf; estimate: Estimator },
): Omit<PublishedClaim, 'minutes'>[] {
  const alpha = 1 - confidence;
  const claims = (reference?.claims ?? []).map(({ pairs, ...claim }) => ({
    ...claim,
    estimate: estimateOfPairs(pairs, scenarios, rates, estimate),
    margin: rangeOf(claim),
  }));
  const found = claimsOf(claims, { alpha, levelOf });
  return claims.map(({ says, low, high, estimate: own }, index) => {
    const { verdict = 'inconclusive', level = null } = found[index] ?? {};
    return {
      ...{ says, low, high },
      ratio: estimateAt(own, level ?? levelOf(alpha, own?.samples), confidence),
      verdict:
        verdict === 'same' ? 'confirmed' : verdict === 'inconclusive' ? 'inconclusive' : 'contradicted',
    };
  });
}

export function rangeOf({ low, high }: Pick<PublishedClaim, 'low' | 'high'>): Margin {
  return [low ?? 0, high ?? Infinity];
}

/** Null if nothing is published. */
export function referenceFigure(
  reference: PlanReference | null,
  { id, baselineId }: { id: string; baselineId: string },
  sums: ReadonlyMap<string, MeasuredSums>,
): ReferenceFigure | null {
  const cell = reference?.cells.find((one) => one.scenarioId === id);
  if (cell === undefined) return null;
  const base = reference?.cells.find((one) => one.scenarioId === baselineId);
  const compared = (measure: PublishedMeasure, value: number, ratio: number): ComparedFigure => {
    const of = base === undefined ? undefined : publishedValue(base, measure);
    const own = measuredValue(measure, sums.get(id));
    const ownBase = measuredValue(measure, sums.get(baselineId));
    return {
      measure,
      published: { value, ratio: of === undefined ? ratio : value / of },
      measured: own === null ? null : { value: own, ratio: ownBase ? own / ownBase : null },
    };
  };
  const { label, otherPath, tps } = cell;
  const speed = compared('tps', tps, cell.ratio);
  return {
    label,
    otherPath,
    tps,
    ratio: speed.published.ratio,
    figures: [speed, ...cell.figures.map(({ measure, value, ratio }) => compared(measure, value, ratio))],
  };
}

function publishedValue(cell: PlanReference['cells'][number], measure: PublishedMeasure): number | undefined {
  return measure === 'tps' ? cell.tps : cell.figures.find((one) => one.measure === measure)?.value;
}

function measuredValue(measure: PublishedMeasure, sums: MeasuredSums | undefined): number | null {
  if (sums === undefined || sums.durationMs === 0) return null;
  const { durationMs, transactions, reads, writes, other, errors, rollbacks, latency } = sums;
  const perSecond = (count: number): number => (count * 1000) / durationMs;
  const ms = (us: number | undefined): number | null => (us === undefined ? null : us / 1000);
  switch (measure) {
    case 'tps':
      return perSecond(transactions);
    case 'qps':
      return perSecond(reads + writes + other);
    case 'readWriteRequests':
      return perSecond(reads + writes);
    case 'minMs':
      return ms(latency?.minUs);
    case 'meanMs':
      return ms(latency?.meanUs);
    case 'p95Ms':
      return ms(latency?.p95Us);
    case 'maxMs':
      return ms(latency?.maxUs);
    case 'ignoredErrorsPerSecond':
      return perSecond(Object.values(errors).reduce((sum, count) => sum + count, rollbacks));
    case 'deadlocksPerMinute':
      return 60 * perSecond(errors[DEADLOCK] ?? 0);
  }
}
