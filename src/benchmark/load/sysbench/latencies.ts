import { createHistogram, type Histogram } from '../../../shared/histogram/histogram.ts';
import type { Buckets } from './records.ts';

/**
 * sysbench's latency histogram: 1024 buckets from 0.001 ms to 100,000 ms, equally wide on a logarithmic scale, a
 * latency in the nearest (source: sysbench 1.0.20, read from its program). Neighbours differ by 1.82 %, so a latency
 * that is taken for the middle of its bucket is at most 0.91 % off.
 */
const LOWEST_US = 1;
const HIGHEST_US = 100_000_000;
const STEPS = 1023;

/** The latency in the middle of a bucket, µs. */
export function bucketUs(index: number): number {
  return LOWEST_US * (HIGHEST_US / LOWEST_US) ** (index / STEPS);
}

/** What was added to the buckets between two readings. */
export function bucketsSince(later: Buckets, earlier: Buckets): Buckets {
  const before = new Map(earlier);
  return later.flatMap(([index, count]): Buckets => {
    const added = count - (before.get(index) ?? 0);
    return added > 0 ? [[index, added]] : [];
  });
}

/** What is in either. */
export function bucketsTogether(one: Buckets, other: Buckets): Buckets {
  const sum = new Map(one);
  for (const [index, count] of other) sum.set(index, (sum.get(index) ?? 0) + count);
  return [...sum];
}

/**
 * The buckets as one of our histograms: at most 1 % off, 0.91 by sysbench's buckets and 0.1 by ours. Where the exact
 * extremes are known, nothing lies beyond them.
 */
export function toHistogram(
  buckets: Buckets,
  exact: { minUs: number; maxUs: number } = { minUs: 0, maxUs: Infinity },
): Histogram {
  const histogram = createHistogram();
  for (const [index, count] of buckets) {
    const us = Math.min(exact.maxUs, Math.max(exact.minUs, bucketUs(index)));
    histogram.recordValueWithCount(Math.max(LOWEST_US, Math.round(us)), count);
  }
  return histogram;
}
