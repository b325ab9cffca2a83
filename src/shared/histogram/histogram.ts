import * as hdr from 'hdr-histogram-js';
import pako from 'pako';
import * as z from 'zod';

/** Latencies in µs (HdrHistogram, Gil Tene; http://hdrhistogram.org). */
export type Histogram = hdr.JsHistogram;

const LOWEST_US = 1;
const HIGHEST_US = 3_600_000_000;
const DIGITS = 3;

export const latencySchema = z.object({
  count: z.number().int(),
  minUs: z.number(),
  meanUs: z.number(),
  p50Us: z.number(),
  p95Us: z.number(),
  p99Us: z.number(),
  maxUs: z.number(),
});
export type Latency = z.infer<typeof latencySchema>;

export function createHistogram(): Histogram {
  const built = hdr.build({
    bitBucketSize: 32,
    lowestDiscernibleValue: LOWEST_US,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: DIGITS,
    useWebAssembly: false,
  });
  return built as Histogram;
}

export function recordLatency(histogram: Histogram, us: number): void {
  histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(us))));
}

/** The V2 encoding in base64; '' if empty. */
export function encodeHistogram(histogram: Histogram): string {
  return histogram.totalCount === 0 ? '' : hdr.encodeIntoCompressedBase64(histogram);
}

export function decodeHistogram(encoded: string): Histogram {
  return mergeHistograms([encoded]);
}

export function isHistogram(encoded: string): boolean {
  try {
    decodeHistogram(encoded);
    return true;
  } catch {
    return false;
  }
}

export function mergeHistograms(encoded: Iterable<string>): Histogram {
  return mergedInto(createHistogram(), encoded);
}

/** Counts are added while decoding: a result may hold ten thousand histograms. */
function mergedInto(merged: Histogram, encoded: Iterable<string>): Histogram {
  let length = 0;
  for (const one of encoded) {
    if (one === '') continue;
    const own = eachCount(one, merged.countsArrayLength, (index, count) =>
      merged.addToCountAtIndex(index, count),
    );
    length = Math.max(length, own);
  }
  if (length > 0) merged.establishInternalTackingValues(length);
  return merged;
}

/** A new histogram takes 94 KB. */
let scratch: Histogram | undefined;

export function latencyOf(encoded: readonly string[]): Latency | null {
  if (encoded.every((one) => one === '')) return null;
  scratch ??= createHistogram();
  scratch.reset();
  return summarizeHistogram(mergedInto(scratch, encoded));
}

export function summarizeHistogram(histogram: Histogram): Latency | null {
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

/** Equals `histogram.mean`, whose iterator takes ten times as long. */
function meanOf(histogram: Histogram): number {
  let left = histogram.totalCount;
  let sum = 0;
  for (let index = 0; left > 0 && index < histogram.countsArrayLength; index++) {
    const count = histogram.getCountAtIndex(index);
    if (count === 0) continue;
    const value = histogram.valueFromIndex(index);
    sum += count * (value + Math.floor((histogram.valueFromIndex(index + 1) - value) / 2));
    left -= count;
  }
  return sum / histogram.totalCount;
}

/**
 * The decoder trusts no length, unlike the library's. Format: HdrHistogram V2, ZigZag LEB128
 * (http://hdrhistogram.org).
 */

const COMPRESSED_COOKIE = 0x1c849304;
const COOKIE = 0x1c849303;
/** V2 ignores the word size in a cookie's low byte. */
const COOKIE_MASK = 0xffff_ff0f;
/** Cookie, length, offset, digits, lowest, highest, ratio. */
const HEADER = 40;
const PRECISION_DIGITS = 12;
const LOWEST = 16;
const MOST_COUNT_BYTES = 9;
const CHUNK = 16 * 1024;
const MOST_COUNT = 0xffff_ffff;

/** Returns the number of counts; throws for another format. */
function eachCount(encoded: string, counts: number, take: (index: number, count: number) => void): number {
  const bytes = inflated(bytesOf(encoded), HEADER + counts * MOST_COUNT_BYTES);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || (view.getUint32(0) & COOKIE_MASK) >>> 0 !== COOKIE)
    throw new Error('no histogram');
  const end = HEADER + view.getUint32(4);
  if (
    view.getUint32(PRECISION_DIGITS) !== DIGITS ||
    view.getBigUint64(LOWEST) !== BigInt(LOWEST_US) ||
    end > bytes.length
  ) {
    throw new Error('another kind of histogram');
  }
  let index = 0;
  for (let at = HEADER; at < end;) {
    const { value, next } = numberAt(bytes, at, end);
    at = next;
    if (value < 0) index -= value;
    else if (value > 0) {
      if (index >= counts || value > MOST_COUNT) throw new Error('counts that no histogram holds');
      take(index, value);
      index += 1;
    } else index += 1;
  }
  return Math.min(index, counts);
}

function bytesOf(encoded: string): Uint8Array {
  const text = atob(encoded);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function inflated(bytes: Uint8Array, most: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 8 || (view.getUint32(0) & COOKIE_MASK) >>> 0 !== COMPRESSED_COOKIE) {
    throw new Error('no compressed histogram');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const inflate = new pako.Inflate({ chunkSize: CHUNK });
  inflate.onData = (chunk) => {
    length += chunk.length;
    if (length > most) throw new Error('longer than any histogram');
    chunks.push(chunk);
  };
  inflate.onEnd = () => undefined;
  inflate.push(bytes.subarray(8, 8 + view.getUint32(4)), true);
  if (inflate.err !== 0) throw new Error('broken compression');
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function numberAt(bytes: Uint8Array, start: number, end: number): { value: number; next: number } {
  let value = 0;
  let factor = 1;
  let at = start;
  for (let part = 1; ; part++) {
    if (at >= end) throw new Error('a number is cut off');
    const byte = bytes[at++] as number;
    const isLast = part === MOST_COUNT_BYTES;
    value += (isLast ? byte : byte & 0x7f) * factor;
    if (isLast || byte < 0x80) break;
    factor *= 128;
  }
  return { value: value % 2 === 0 ? value / 2 : -(value + 1) / 2, next: at };
}
