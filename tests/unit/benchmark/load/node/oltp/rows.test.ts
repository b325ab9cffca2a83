import { describe, expect, it } from 'vitest';
import { contentColumn, padColumn } from '../../../../../../src/benchmark/load/node/oltp/rows.ts';
import { createStream } from '../../../../../../src/benchmark/load/node/prng.ts';

describe('columns', () => {
  it('have sysbench’s format', () => {
    const random = createStream(1, 0);
    for (let i = 0; i < 500; i++) {
      expect(contentColumn(random)).toMatch(/^\d{11}(-\d{11}){9}$/);
      expect(padColumn(random)).toMatch(/^\d{11}(-\d{11}){4}$/);
    }
  });

  it('use every digit equally often', () => {
    const random = createStream(5, 0);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let i = 0; i < 1000; i++) {
      for (const digit of contentColumn(random).replaceAll('-', '')) {
        counts[Number(digit)] = (counts[Number(digit)] ?? NaN) + 1;
      }
    }
    const chiSquare = counts.reduce((sum, n) => sum + (n - 11_000) ** 2 / 11_000, 0);
    // 9 degrees of freedom: 27.9 is the 99.9th percentile.
    expect(chiSquare).toBeLessThan(27.9);
  });
});
