import { describe, expect, it } from 'vitest';
import type { Why } from '../../../../src/shared/analysis/analysis.ts';
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

const range = { ...COMMIT, kind: 'range', readsStorage: true, share: 0.59 } as const;
const statements = { cause: 'every-statement', share: 0.93, leastUs: 300, slower: 'scenario' } as const;
const throttled = { cause: 'throttled', share: 0.5, slower: 'scenario' } as const;
const roundTrip = {
  ...COMMIT,
  cause: 'round-trip',
  share: 0.93,
  statements: 20,
  fromUs: 100,
  toUs: 380,
} as const;
const baseline = { slower: 'baseline' } as const;

describe('what a difference is made of', () => {
  const rows: [Why, ...string[]][] = [
    [COMMIT, 'COMMIT', '1.00 ms → 24.0 ms', '100%'],
    [{ ...COMMIT, flush: { fromUs: 110, toUs: 3000 } }, '100%', '110 µs → 3.00 ms'],
    [range, 'storage', '1.00 ms → 24.0 ms', '59%'],
    [{ ...range, ...baseline }, 'baseline', '1.00 ms → 24.0 ms', '59%'],
    [{ ...COMMIT, cause: 'mixed', share: 0.38 }, '38%', 'COMMIT', '1.00 ms → 24.0 ms'],
    [roundTrip, '100 µs → 380 µs', ' 20 statements ', '93%'],
    [{ ...roundTrip, statements: 20.25 }, ' 20.3 statements '],
    [statements, '300 µs longer', '93%'],
    [{ ...statements, ...baseline }, '300 µs less', '93%'],
    [throttled, 'server’s', '50%'],
    [{ ...throttled, ...baseline }, 'baseline’s', '50%'],
  ];
  const texts = rows.map(([why]) => whyText(why, createTranslator('en')));

  it.each(rows)('%o is said with its numbers', (why, ...parts) => {
    for (const part of parts) expect(whyText(why, createTranslator('en'))).toContain(part);
  });

  it('is said in other words for each', () => {
    expect(new Set(texts).size).toBe(rows.length);
  });
});
