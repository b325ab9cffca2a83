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
    [COMMIT, 'COMMIT: 95th percentile 1.00 ms → 24.0 ms; that is 100 % of the difference.'],
    [
      { ...COMMIT, flush: { fromUs: 110, toUs: 3000 } },
      'COMMIT: 95th percentile 1.00 ms → 24.0 ms; that is 100 % of the difference. A flush of 4 KiB takes 110 µs → 3.00 ms on these mounts.',
    ],
    [
      { ...COMMIT, kind: 'range', readsStorage: true, share: 0.59 },
      'range reads: 95th percentile 1.00 ms → 24.0 ms, with pages read from storage; that is 59 % of the difference.',
    ],
    [
      { ...COMMIT, kind: 'range', readsStorage: true, share: 0.59, slower: 'baseline' },
      'range reads: 95th percentile 1.00 ms → 24.0 ms, where the baseline reads pages from storage; that is 59 % of the difference.',
    ],
    [
      { ...COMMIT, cause: 'mixed', share: 0.38 },
      'nothing alone. The largest part, 38 % of the difference, is COMMIT: 95th percentile 1.00 ms → 24.0 ms.',
    ],
    [
      { cause: 'round-trip', share: 0.93, statements: 20, fromUs: 100, toUs: 380, slower: 'scenario' },
      'the round trip, 100 µs → 380 µs before any load; over the 20 statements of a transaction that is 93 % of the difference.',
    ],
    [
      { cause: 'every-statement', share: 0.93, leastUs: 300, slower: 'scenario' },
      'every statement, whatever it does, takes at least 300 µs longer; that is 93 % of the difference.',
    ],
    [
      { cause: 'every-statement', share: 0.93, leastUs: 300, slower: 'baseline' },
      'every statement, whatever it does, takes at least 300 µs less; that is 93 % of the difference.',
    ],
    [
      { cause: 'throttled', share: 0.5, slower: 'scenario' },
      'the server’s container was throttled: it waited for its CPU quota for 50 % of the CPU time that it used.',
    ],
    [
      { cause: 'throttled', share: 0.5, slower: 'baseline' },
      'the baseline’s container was throttled: it waited for its CPU quota for 50 % of the CPU time that it used.',
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
