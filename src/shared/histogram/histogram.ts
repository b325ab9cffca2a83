import * as hdr from 'hdr-histogram-js';
import { eachCount } from './histogram-bytes.ts';
import type { Latency } from '../model/measurements.ts';

/**
 * Latency histograms: microseconds, 3 significant digits (an error of at most 0.1 %), up to one hour.
 * They are merged, never averaged (source: HdrHistogram, Gil Tene; http://hdrhistogram.org).
 */
export type Histogram = hdr.Histogram;

const LOWEST_US = 1;
const HIGHEST_US = 3_600_000_000;
const DIGITS = 3;

/** An empty histogram. */
export function createHistogram(): Histogram {
  return hdr.build({
    bitBucketSize: 32,
    lowestDiscernibleValue: LOWEST_US,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });
}

/** Records one latency in µs; values below 1 count as 1, above one hour as one hour. */
export function recordLatency(histogram: Histogram, us: number): void {
  histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(us))));
}

/** V2 compressed base64; '' for an empty histogram. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.totalCount === 0 ? '' : hdr.encodeIntoCompressedBase64(histogram);
}

/**
 * The reverse of `encodeHistogram`; '' gives an empty histogram. Throws on anything else that is not a histogram,
 * without taking more time or memory than one takes.
 */
export function decodeHistogram(encoded: string): Histogram {
  const histogram = createHistogram();
  if (encoded === '') return histogram;
  if (!(histogram instanceof hdr.JsHistogram)) throw new Error('a histogram of another make');
  const shape = { digits: DIGITS, lowest: LOWEST_US, counts: histogram.countsArrayLength };
  const length = eachCount(encoded, shape, (index, count) => histogram.setCountAtIndex(index, count));
  histogram.establishInternalTackingValues(length);
  return histogram;
}

/** Whether `decodeHistogram` can read it. */
export function isHistogram(encoded: string): boolean {
  try {
    decodeHistogram(encoded);
    return true;
  } catch {
    return false;
  }
}

/** One histogram of all the given ones. */
export function mergeHistograms(encoded: Iterable<string>): Histogram {
  const merged = createHistogram();
  for (const one of encoded) if (one !== '') merged.add(decodeHistogram(one));
  return merged;
}

/** Percentiles in µs; null for an empty histogram. */
export function summariseHistogram(histogram: Histogram): Latency | null {
  if (histogram.totalCount === 0) return null;
  return {
    count: histogram.totalCount,
    minUs: histogram.minNonZeroValue,
    meanUs: meanOf(histogram),
    p50Us: histogram.getValueAtPercentile(50),
    p95Us: histogram.getValueAtPercentile(95),
    p99Us: histogram.getValueAtPercentile(99),
    maxUs: histogram.maxValue,
  };
}

/** Exactly `histogram.mean`, whose iterator takes ten times as long; one look at a result asks for hundreds of them. */
function meanOf(histogram: Histogram): number {
  if (!(histogram instanceof hdr.JsHistogram)) return histogram.mean;
  let left = histogram.totalCount;
  let sum = 0;
  for (let index = 0; left > 0 && index < histogram.countsArrayLength; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count === 0) continue;
    sum += count * histogram.medianEquivalentValue(histogram.valueFromIndex(index));
    left -= count;
  }
  return sum / histogram.totalCount;
}
