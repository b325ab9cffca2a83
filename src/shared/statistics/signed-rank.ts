import { ENOUGH_SAMPLES, type Estimate, ONE, studentEstimate } from './estimate.ts';
import { studentTCdf, studentTQuantile } from './student-t.ts';

/**
 * The Hodges–Lehmann ratio, which one slow round hardly moves, with signed-rank tests and intervals, exact
 * for any symmetric errors. By ranks, nothing is rarer than all n rounds on one side, 1 in 2ⁿ: lower p values
 * are the paired t test's, and so are intervals, which then hold at least all rounds (at 5%: three to five).
 * Sources: Hodges & Lehmann, Ann. Math. Statist. 34(2), 1963, doi:10.1214/aoms/1177704172; Hollander & Wolfe,
 * Nonparametric Statistical Methods, 2nd ed. 1999, ch. 3.1–3.3.
 */
export function typicalRatio(logs: readonly number[]): Estimate | null {
  const sums = walshSums(logs);
  const pairs = sums.length;
  const [middle, other] = [sums[Math.ceil(pairs / 2) - 1], sums[Math.floor(pairs / 2)]];
  if (middle === undefined || other === undefined) return null;
  const counts = { samples: logs.length, pairedRounds: logs.length };
  const value = Math.exp((middle + other) / 4);
  if (logs.length < ENOUGH_SAMPLES)
    return studentEstimate({ value, standardError: null, degrees: 0, ...counts });

  const tails = rankTails(logs.length);
  const [rarest = 1] = tails;
  const degrees = logs.length - 1;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / degrees / logs.length);

  /** One-sided p value of "at most `place`" (sign 1) or "at least" (−1). */
  function beyondP(place: number, sign: 1 | -1): number {
    const beyond = sums.filter((sum) => sign * (sum / 2 - place) > 0).length;
    const byRanks = tails[pairs - beyond] ?? 1;
    if (byRanks > rarest) return byRanks;
    const distance = sign * (mean - place);
    if (error === 0) return distance > 0 ? 0 : byRanks;
    return Math.min(byRanks, studentTCdf(-distance / error, degrees));
  }

  function logBounds(level: number): [low: number, high: number] {
    const cut = tails.findIndex((tail) => tail > level / 2);
    const [low = NaN, high = NaN] = [sums[Math.max(0, cut - 1)], sums[Math.min(pairs - 1, pairs - cut)]];
    if (cut > 0) return [low / 2, high / 2];
    const reach = studentTQuantile(1 - level / 2, degrees) * error;
    return [Math.min(mean - reach, low / 2), Math.max(mean + reach, high / 2)];
  }

  const [low, high] = logBounds(0.05);
  return {
    value,
    ...counts,
    // Standard error of an equally wide t interval.
    standardError: (high - low) / 2 / studentTQuantile(0.975, degrees),
    degrees,
    differenceP: ([least, most] = ONE) =>
      Math.min(1, 2 * Math.min(beyondP(Math.log(most), 1), beyondP(Math.log(least), -1))),
    outsideP: ([least, most]) => Math.max(beyondP(Math.log(least), 1), beyondP(Math.log(most), -1)),
    bounds: (level) => {
      const [from, to] = logBounds(level);
      return [Math.exp(from), Math.exp(to)];
    },
  };
}

function walshSums(logs: readonly number[]): number[] {
  const sums = logs.flatMap((log, index) => logs.slice(index).map((other) => log + other));
  return sums.sort((a, b) => a - b);
}

const known = new Map<number, readonly number[]>();

/** P(T ≤ t) by t, for the signed-rank statistic without ties. */
export function rankTails(count: number): readonly number[] {
  const found = known.get(count);
  if (found !== undefined) return found;
  let shares = [1];
  for (let rank = 1; rank <= count; rank++) {
    const before = shares;
    const most = before.length + rank;
    shares = Array.from({ length: most }, (_, t) => ((before[t] ?? 0) + (before[t - rank] ?? 0)) / 2);
  }
  let sum = 0;
  const tails = shares.map((share) => (sum += share));
  known.set(count, tails);
  return tails;
}
