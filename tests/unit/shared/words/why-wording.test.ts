import { describe, expect, it } from 'vitest';
import type { Why } from '../../../../src/shared/model/analysis.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { whyText } from '../../../../src/shared/words/why-wording.ts';

const COMMIT = {
  cause: 'kind',
  kind: 'commit',
  share: 0.996,
  fromUs: 1000,
  toUs: 24_000,
  readsStorage: false,
  flush: null,
  slower: 'scenario',
} as const satisfies Why;

describe('what a difference is made of', () => {
  it.each<[Why, string]>([
    [COMMIT, 'COMMIT, 95th percentile 1.00 ms → 24.0 ms. This explains 100% of the difference.'],
    [
      { ...COMMIT, flush: { fromUs: 110, toUs: 3000 } },
      'COMMIT, 95th percentile 1.00 ms → 24.0 ms. This explains 100% of the difference. A 4 KiB flush takes 110 µs → 3.00 ms on these storage types.',
    ],
    [
      { ...COMMIT, kind: 'range', readsStorage: true, share: 0.59 },
      'range reads, which read pages from storage: 95th percentile 1.00 ms → 24.0 ms. This explains 59% of the difference.',
    ],
    [
      { ...COMMIT, kind: 'range', readsStorage: true, share: 0.59, slower: 'baseline' },
      'range reads (the baseline reads these pages from storage): 95th percentile 1.00 ms → 24.0 ms. This explains 59% of the difference.',
    ],
    [
      { ...COMMIT, cause: 'mixed', share: 0.38 },
      'no single cause. The largest part, 38% of the difference, is COMMIT: 95th percentile 1.00 ms → 24.0 ms.',
    ],
    [
      { cause: 'round-trip', share: 0.93, statements: 20, fromUs: 100, toUs: 380, slower: 'scenario' },
      'the network round trip, 100 µs → 380 µs without load. Over the 20 statements of a transaction, this explains 93% of the difference.',
    ],
    [
      { cause: 'every-statement', share: 0.93, leastUs: 300, slower: 'scenario' },
      'every statement takes at least 300 µs longer, regardless of type. This explains 93% of the difference.',
    ],
    [
      { cause: 'every-statement', share: 0.93, leastUs: 300, slower: 'baseline' },
      'every statement takes at least 300 µs less, regardless of type. This explains 93% of the difference.',
    ],
    [
      { cause: 'throttled', share: 0.5, slower: 'scenario' },
      'the server’s container was throttled. Its wait for CPU quota was 50% of the CPU time it used.',
    ],
    [
      { cause: 'throttled', share: 0.5, slower: 'baseline' },
      'the baseline’s container was throttled. Its wait for CPU quota was 50% of the CPU time it used.',
    ],
  ])('%o', (why, text) => expect(whyText(why, createTranslator('en'))).toBe(text));

  it('has its decimals where statements are not a whole number', () => {
    const why = {
      cause: 'round-trip',
      share: 1,
      statements: 20.25,
      fromUs: 100,
      toUs: 380,
      slower: 'scenario',
    } as const;
    expect(whyText(why, createTranslator('en'))).toContain(' 20.3 statements ');
  });
});
