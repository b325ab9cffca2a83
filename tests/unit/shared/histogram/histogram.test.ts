import { describe, expect, it } from 'vitest';
import {
  createHistogram,
  recordLatency,
  summarizeHistogram,
} from '../../../../src/shared/histogram/histogram.ts';
import { createRandom } from '../../../../src/benchmark/random.ts';

describe('the summary of a histogram', () => {
  it('has exactly the mean that the library computes', () => {
    const random = createRandom(9);
    for (const spread of [1, 100, 1e4, 1e9]) {
      const histogram = createHistogram();
      for (let one = 0; one < 500; one++) recordLatency(histogram, 1 + spread * random() ** 3);
      expect(summarizeHistogram(histogram)?.meanUs).toBe(histogram.mean);
    }
    expect(summarizeHistogram(createHistogram())).toBeNull();
  });
});
