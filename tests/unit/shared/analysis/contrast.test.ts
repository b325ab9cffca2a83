import { expect, it } from 'vitest';
import { createRandom } from '../../../../src/benchmark/random.ts';
import { ALIKE, contrastOf, type Term } from '../../../../src/shared/analysis/contrast.ts';
import { sampleOf, type Samples } from '../../../../src/shared/analysis/samples.ts';

const PASSES = Array.from({ length: 12 }, (_, index) => sampleOf(1, index + 1));

/** Two storages that are equally fast, while other programs use cores, each of which costs 10%. */
function errorOf(moreBesideFirst: number, adjusts: boolean): number {
  const random = createRandom(5);
  const samplesWith = (more: number): Samples =>
    new Map(
      PASSES.map((sample) => {
        const others = more + random();
        return [sample, { transactions: 1000 * Math.exp(-0.1 * others), durationMs: 1000, others }];
      }),
    );
  const terms = [1, -1].map((weight): Term => ({
    speeds: samplesWith(weight > 0 ? moreBesideFirst : 0),
    weight,
    servers: new Map([[String(weight), 1]]),
  }));
  return contrastOf(terms, PASSES, ALIKE, adjusts)?.standardError ?? NaN;
}

it('what other programs did by chance is taken out of a contrast', () => {
  expect(errorOf(0, true)).toBeLessThan(errorOf(0, false) / 5);
});

it('what they did beside one of its terms only is not: it may be the consequence of that', () => {
  expect(errorOf(3, true)).toBe(errorOf(3, false));
});

it('one pass of each start has the interval of rounds', () => {
  const speeds = (rates: number[]): Samples =>
    new Map(rates.map((rate, round) => [sampleOf(round + 1, 1), { transactions: rate, durationMs: 1000 }]));
  const terms = [
    { speeds: speeds([100, 104, 96]), weight: 1, servers: new Map([['a', 1]]) },
    { speeds: speeds([50, 50, 50]), weight: -1, servers: new Map([['b', 1]]) },
  ];
  const found = contrastOf(
    terms,
    [1, 2, 3].map((round) => sampleOf(round, 1)),
    ALIKE,
  );
  expect(found).toMatchObject({ degrees: 2, samples: 3, pairedRounds: 3 });
  expect(found?.standardError).toBeCloseTo(0.04 / Math.sqrt(3), 6);
  expect(found?.bounds(0.05)?.[0]).toBeLessThan(2);
});
