import { deflateSync } from 'node:zlib';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  isHistogram,
  recordLatency,
} from '../../../../src/shared/histogram/histogram.ts';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { inReferences } from '../../../helpers/references.ts';

const COOKIE = 0x1c849313;

interface Forged {
  payload?: Buffer;
  payloadLength?: number;
  digits?: number;
  lowest?: bigint;
  highest?: bigint;
}

/** A histogram by the description of the format, and not by the code under test. */
function forged({
  payload = Buffer.of(2),
  payloadLength,
  digits = 3,
  lowest = 1n,
  highest = 3_600_000_000n,
}: Forged) {
  const header = Buffer.alloc(40);
  header.writeInt32BE(COOKIE, 0);
  header.writeUInt32BE(payloadLength ?? payload.length, 4);
  header.writeInt32BE(1, 8);
  header.writeInt32BE(digits, 12);
  header.writeBigUInt64BE(lowest, 16);
  header.writeBigUInt64BE(highest, 24);
  return compressed(Buffer.concat([header, payload]));
}

function compressed(bytes: Buffer): string {
  const inside = deflateSync(bytes);
  const header = Buffer.alloc(8);
  header.writeInt32BE(COOKIE + 1, 0);
  header.writeInt32BE(inside.length, 4);
  return Buffer.concat([header, inside]).toString('base64');
}

describe('the text of a histogram', () => {
  it('comes back as it went, whatever was recorded', () => {
    const random = createRandom(3);
    for (const count of [1, 2, 300, 20_000]) {
      const histogram = createHistogram();
      for (let one = 0; one < count; one++) recordLatency(histogram, 4e9 * random() ** 9);
      histogram.recordValueWithCount(7, 3_000_000_000);
      const text = encodeHistogram(histogram);
      const again = decodeHistogram(text);
      expect(encodeHistogram(again)).toBe(text);
      // The library's own reading of its text is the measure.
      const known = decodeFromCompressedBase64(text, 32, false);
      expect(again.totalCount).toBe(histogram.totalCount);
      for (const field of ['totalCount', 'maxValue', 'minNonZeroValue', 'mean'] as const) {
        expect(again[field]).toBe(known[field]);
      }
      expect(again.getValueAtPercentile(95)).toBe(known.getValueAtPercentile(95));
    }
    expect(decodeHistogram('').totalCount).toBe(0);
    expect(decodeHistogram(forged({})).totalCount).toBe(1);
  });

  it.each([
    ['is nothing of the kind', 'hello'],
    [
      'is compressed nonsense',
      compressed(Buffer.from('no histogram at all, however long it goes on and on')),
    ],
    ['is cut off', encodeHistogram(decodeHistogram(forged({}))).slice(0, 40)],
    ['has more digits than ours, and so fields of gigabytes', forged({ digits: 5 })],
    ['counts other units', forged({ lowest: 1000n })],
    // The library ran for minutes, or for ever, on each of these.
    ['claims two gigabytes of counts', forged({ payloadLength: 0x7fff_ffff })],
    ['leaves out 2^48 counts', forged({ payload: Buffer.from([...Array<number>(6).fill(0xff), 0x7f, 2]) })],
    ['has more counts than fit', forged({ payload: Buffer.alloc(30_000, 2) })],
    [
      'has a count that no field holds',
      forged({ payload: Buffer.from([0xfe, 0xff, 0xff, 0xff, 0xff, 0x7f]) }),
    ],
    ['unpacks to 200 MB', compressed(Buffer.alloc(200 * 2 ** 20))],
  ])('is refused at once when it %s', async (_, text) => {
    const took = await inReferences(() => expect(isHistogram(text)).toBe(false));
    expect(took, 'times the reference work').toBeLessThan(50);
  });
});
