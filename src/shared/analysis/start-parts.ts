import { START_PARTS, type StartPart, type TrialEvidence } from '../model/evidence.ts';
import type { Verdict } from '../model/names.ts';
import { claimsOf } from '../statistics/claims.ts';
import { estimateAt, type RatioEstimate } from '../statistics/estimate.ts';
import { typicalRatio } from '../statistics/signed-rank.ts';
import type { LevelOf } from '../statistics/spending.ts';
import { geometricMean } from './samples.ts';
import { medianOf } from './trial-figures.ts';

/** A part of a start, compared as a start is. */
export interface PartOfStart {
  part: StartPart;
  /** Medians, ms; 0 without such a part. */
  ms: number;
  baselineMs: number;
  /** As of speeds: 2 is half the time. Null where a side has no such part. */
  ratio: RatioEstimate | null;
  /** `slower`, `faster` also where one side never has such a part. */
  verdict: Verdict;
}

interface Measured {
  round: number;
  evidence: Pick<TrialEvidence, 'start'> | null;
}

interface Options {
  confidence: number;
  equivalence: number;
  levelOf: LevelOf;
}

/** Parts that one of the two has, in their order. All verdicts on a start hold together. */
export function partsOfStart(
  own: readonly Measured[],
  baseline: readonly Measured[],
  { confidence, equivalence, levelOf }: Options,
): PartOfStart[] {
  const parts = START_PARTS.flatMap((part) => {
    const [mine, theirs] = [timesOf(own, part), timesOf(baseline, part)];
    const [ms, baselineMs] = [medianOf([...mine.values()]) ?? 0, medianOf([...theirs.values()]) ?? 0];
    if (ms === 0 && baselineMs === 0) return [];
    const logs = [...mine].flatMap(([round, time]) => {
      const log = Math.log((theirs.get(round) ?? 0) / time);
      return Number.isFinite(log) ? [log] : [];
    });
    return [{ part, ms, baselineMs, estimate: ms === 0 || baselineMs === 0 ? null : typicalRatio(logs) }];
  });
  const alpha = 1 - confidence;
  const claims = claimsOf(
    parts.map(({ estimate }) => ({ estimate, margin: equivalence })),
    { alpha, levelOf },
  );
  return parts.map(({ estimate, ...one }, index) => {
    const absent = one.ms === 0 ? 'faster' : one.baselineMs === 0 ? 'slower' : undefined;
    const verdict = absent ?? claims[index]?.verdict ?? 'inconclusive';
    return { ...one, ratio: estimateAt(estimate, levelOf(alpha, estimate?.samples), confidence), verdict };
  });
}

/** By round: a baseline may have two trials in one. */
function timesOf(trials: readonly Measured[], part: StartPart): Map<number, number> {
  const byRound = new Map<number, number[]>();
  for (const { round, evidence } of trials) {
    const ms = evidence?.start?.[part];
    if (ms !== undefined) byRound.set(round, [...(byRound.get(round) ?? []), ms]);
  }
  return new Map([...byRound].map(([round, times]) => [round, geometricMean(times)]));
}
