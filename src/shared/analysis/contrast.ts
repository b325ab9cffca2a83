import { type Amount, tps } from '../model/measurements.ts';
import { type Component, sumOfComponents } from '../statistics/components.ts';
import { ENOUGH_SAMPLES, type Estimate, studentEstimate } from '../statistics/estimate.ts';
import { studentTCdf } from '../statistics/student-t.ts';
import { passOf, roundOf, type Samples } from './samples.ts';

export interface Term {
  speeds: Samples;
  weight: number;
  /** Each server's share of the term; the sum is 1. */
  servers: ReadonlyMap<string, number>;
}

/** Differences of equal servers: `clone` over their lives, `start` between starts. */
export interface Servers {
  clone: Component;
  start: Component;
}

const NOTHING: Component = { variance: 0, degrees: 0 };
export const ALIKE: Servers = { clone: NOTHING, start: NOTHING };
/** Most degrees of freedom that the terms' noise adds. */
const MOST_SHARED_DEGREES = 12;
/** With this many, the noise's degrees of freedom may double; noise with few may be small by chance. */
const DOUBLED_DEGREES = 20;
/** A smaller p value may mean that the terms cause other programs' activity. */
const BY_CHANCE = 0.05;

/** Trials that finished nothing are excluded, as they have no logarithm. */
export function commonSamples(all: readonly Samples[]): number[] {
  const [first] = all;
  const isThere = (sample: number, amount: Amount | undefined): boolean =>
    amount !== undefined && (passOf(sample) > 0 || tps(amount) > 0);
  const common = [...(first?.keys() ?? [])].filter((sample) =>
    all.every((one) => isThere(sample, one.get(sample))),
  );
  return common.sort((a, b) => a - b);
}

export interface ContrastParts {
  mean: number;
  /** Variance of the mean from the samples; null with too few. */
  measured: Component | null;
  /** Sum of squared weights. */
  startShare: number;
  /** Sum of squared weights. */
  serverShare: number;
  samples: number;
  rounds: number;
}

/**
 * The mean of Σ weight · ln(speed) over common samples; weights add up to 0, so what samples share cancels
 * out. Servers are the unit of replication: variances between servers and starts are added by squared
 * weights; Student's t with Satterthwaite's degrees of freedom. `adjusts` removes other programs' influence:
 * a covariate with one coefficient for all terms (Cochran, Biometrics 13(3), 1957, doi:10.2307/2527916), only
 * if network paths cancel out.
 */
export function contrastOf(
  terms: readonly Term[],
  samples: readonly number[],
  servers: Servers,
  adjusts = false,
): Estimate | null {
  const parts = contrastParts(terms, samples, servers.start, adjusts);
  if (parts === null) return null;
  const { mean, measured, startShare, serverShare } = parts;
  const of = ({ variance, degrees }: Component, share: number): Component[] =>
    variance * share === 0 ? [] : [{ variance: variance * share, degrees }];
  const all =
    measured &&
    sumOfComponents([
      measured,
      ...of(servers.start, serverShare * startShare),
      ...of(servers.clone, serverShare),
    ]);
  return studentEstimate({
    value: Math.exp(mean),
    standardError: all && Math.sqrt(all.variance),
    degrees: all === null || measured === null ? 0 : Math.min(all.degrees, mostDegrees(measured)),
    samples: parts.samples,
    pairedRounds: parts.rounds,
  });
}

function mostDegrees({ degrees }: Component): number {
  return degrees * (1 + degrees / DOUBLED_DEGREES);
}

/** Null without samples. */
export function contrastParts(
  terms: readonly Term[],
  samples: readonly number[],
  start: Component,
  adjusts: boolean,
  measured = measuredOf(terms, samples),
): ContrastParts | null {
  const { blocks, isRepeated } = measured;
  if (blocks.length === 0) return null;
  const values = adjusts ? withoutOthers(terms, measured) : measured.values;
  const serverShare = shareOfServers(terms);
  const logs = samples.map((_, at) => weighted(terms, (_one, term) => values[term]?.[at] ?? 0));
  const byBlock = blocks.map((own) => own.map((at) => logs[at] ?? 0));
  const within = samples.length - blocks.length;
  const own = within === 0 ? 0 : sum(byBlock, squares) / within;
  const shared = noiseOfTerms(terms, values, blocks, within);
  const degrees = within + shared.degrees;
  const noise = degrees === 0 ? 0 : (within * own + shared.degrees * shared.variance) / degrees;
  const between = isRepeated ? serverShare * start.variance : 0;
  const precisions = byBlock.map((one) => 1 / (noise / one.length + between));
  const all = sum(precisions, (one) => one);
  const shares = precisions.map((one) =>
    Number.isFinite(all) && all > 0 ? one / all : 1 / precisions.length,
  );
  // Deviations from one value give equal values exactly their mean.
  const some = meanOf(byBlock[0] ?? []);
  const mean = some + sum(byBlock, (one, at) => (shares[at] ?? 0) * (meanOf(one) - some));
  const variance = sum(byBlock, (one, at) => ((shares[at] ?? 0) ** 2 * noise) / one.length);
  return {
    mean,
    measured: samples.length < ENOUGH_SAMPLES ? null : { variance, degrees },
    startShare: isRepeated ? sum(shares, (one) => one ** 2) : 0,
    serverShare,
    samples: samples.length,
    rounds: new Set(samples.map(roundOf)).size,
  };
}

export function contrastLogs(terms: readonly Term[], samples: readonly number[]): number[] {
  const { values } = measuredOf(terms, samples);
  return samples.map((_, at) => weighted(terms, (_one, term) => values[term]?.[at] ?? 0));
}

interface Measured {
  /** Amounts and their logarithms by term and sample. */
  amounts: Amount[][];
  values: number[][];
  /** Samples that share a start; one block if no two do. */
  blocks: number[][];
  isRepeated: boolean;
}

/** Weights don't matter. */
export function measuredOf(terms: readonly Pick<Term, 'speeds'>[], samples: readonly number[]): Measured {
  const hasPasses = samples.some((sample) => passOf(sample) > 0);
  const amounts = terms.map(({ speeds }) =>
    samples.map((sample) => speeds.get(sample)).filter((one) => one !== undefined),
  );
  const values = amounts.map(hasPasses ? linearized : (own) => own.map((one) => Math.log(tps(one))));
  if (!areFinite(values)) return { amounts: [], values: [], blocks: [], isRepeated: false };
  // With one sample per start, the samples' scatter includes the starts'.
  const isRepeated = hasPasses && new Set(samples.map(roundOf)).size < samples.length;
  const byStart = new Map<number, number[]>();
  for (const [at, sample] of samples.entries()) {
    const start = isRepeated ? roundOf(sample) : 0;
    const own = byStart.get(start);
    if (own === undefined) byStart.set(start, [at]);
    else own.push(at);
  }
  return { amounts, values, blocks: [...byStart.values()], isRepeated };
}

/**
 * ln Y + t(y/Y − 1), Y from the sum, t in mean slice times: the mean matches the shown throughput, and slices
 * weigh by their time (Cochran, Sampling Techniques, 3rd ed. 1977, §6.3).
 */
function linearized(amounts: readonly Amount[]): number[] {
  const durationMs = sum(amounts, (one) => one.durationMs);
  const mean = tps({ transactions: sum(amounts, (one) => one.transactions), durationMs });
  const meanMs = durationMs / amounts.length;
  return amounts.map((one) => Math.log(mean) + (one.durationMs / meanMs) * (tps(one) / mean - 1));
}

function withoutOthers(terms: readonly Term[], { values, amounts, blocks }: Measured): number[][] {
  const others = amounts.map((own) => own.map((one) => one.others ?? NaN));
  if (!areFinite(others)) return values;
  const [x, y] = [centered(others, blocks).flat(), centered(values, blocks).flat()];
  const scatter = sum(x, (one) => one ** 2);
  const apart = (others[0] ?? []).map((_, at) => weighted(terms, (_one, term) => others[term]?.[at] ?? 0));
  if (scatter < 1e-12 || chanceOf(apart) < BY_CHANCE) return values;
  const coefficient = sum(x, (one, at) => one * (y[at] ?? 0)) / scatter;
  return values.map((own, term) => own.map((value, at) => value - coefficient * (others[term]?.[at] ?? 0)));
}

/** Two-sided p value of "the mean is 0". */
function chanceOf(values: readonly number[]): number {
  const degrees = values.length - 1;
  const error = Math.sqrt(squares(values) / Math.max(1, degrees) / values.length);
  const mean = meanOf(values);
  if (degrees < 1 || error === 0) return mean === 0 ? 1 : 0;
  return 2 * studentTCdf(-Math.abs(mean) / error, degrees);
}

/** Values minus the means of their term and of their sample in a block. */
function centered(
  values: readonly (readonly number[])[],
  blocks: readonly (readonly number[])[],
): number[][] {
  return blocks.flatMap((places) => {
    const own = values.map((row) => places.map((at) => row[at] ?? 0));
    const bySample = places.map((_, at) => meanOf(own.map((row) => row[at] ?? 0)));
    const all = meanOf(bySample);
    return own.map((row) => {
      const mean = meanOf(row);
      return row.map((value, at) => value - mean - (bySample[at] ?? 0) + all);
    });
  });
}

/** Noise from each independent term's deviations within passes. */
function noiseOfTerms(
  terms: readonly Term[],
  values: readonly (readonly number[])[],
  blocks: readonly (readonly number[])[],
  within: number,
): Component {
  const count = terms.length;
  if (count < 3 || within === 0) return { variance: 0, degrees: 0 };
  const rows = centered(values, blocks);
  const raw = terms.map(
    (_, term) => sum(blocks, (_one, block) => sumOfSquares(rows[block * count + term] ?? [])) / within,
  );
  const all = sum(raw, (one) => one);
  const least = all / count / 4;
  // A sample's mean brings other terms' noise into the residuals.
  const noise = raw.map((one) =>
    Math.max(least, ((one - all / (count * (count - 1))) * count) / (count - 2)),
  );
  const { variance, degrees } = sumOfComponents(
    terms.map(({ weight }, term) => ({ variance: weight ** 2 * (noise[term] ?? 0), degrees: within })),
  );
  return { variance, degrees: Math.min(MOST_SHARED_DEGREES, degrees) };
}

function areFinite(rows: readonly (readonly number[])[]): boolean {
  return rows.every((row) => row.every(Number.isFinite));
}

function shareOfServers(terms: readonly Term[]): number {
  const weights = new Map<string, number>();
  for (const { weight, servers } of terms) {
    for (const [server, share] of servers) weights.set(server, (weights.get(server) ?? 0) + weight * share);
  }
  return sum([...weights.values()], (one) => one ** 2);
}

function weighted(terms: readonly Term[], of: (term: Term, at: number) => number): number {
  return sum(terms, (term, at) => term.weight * of(term, at));
}

function squares(values: readonly number[]): number {
  const mean = meanOf(values);
  return sum(values, (one) => (one - mean) ** 2);
}

function sumOfSquares(values: readonly number[]): number {
  return sum(values, (one) => one ** 2);
}

function meanOf(values: readonly number[]): number {
  return sum(values, (one) => one) / values.length;
}

function sum<T>(all: readonly T[], of: (one: T, at: number) => number): number {
  let total = 0;
  for (let at = 0; at < all.length; at++) total += of(all[at] as T, at);
  return total;
}
