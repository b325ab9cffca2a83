import { describe, expect, it } from 'vitest';
import { idDraws } from '../../../../../../src/benchmark/load/builtin/oltp/distribution.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { DISTRIBUTIONS, type Distribution } from '../../../../../../src/shared/model/names.ts';
import { againstLaw, REJECTED, tally } from '../../../../../goodness-of-fit.ts';

const DRAWS = 200_000;

function drawn(distribution: Distribution, tableSize: number, count = DRAWS): number[] {
  const random = createRandom(1, 0);
  return Array.from({ length: count }, () => idDraws[distribution](tableSize, random));
}

/** A random stream that is always at one end of [0, 1). */
const LOWEST = (): number => 0;
const HIGHEST = (): number => 1 - 2 ** -53;

describe.each(DISTRIBUTIONS)('%s', (distribution) => {
  it.each([1, 2, 100, 101, 25_000, 100_000_000])('stays within 1…%i', (tableSize) => {
    for (const random of [LOWEST, HIGHEST]) {
      const id = idDraws[distribution](tableSize, random);
      expect(id).toBeGreaterThanOrEqual(1);
      expect(id).toBeLessThanOrEqual(tableSize);
    }
    for (const id of drawn(distribution, tableSize, 20_000)) {
      if (!Number.isInteger(id) || id < 1 || id > tableSize) throw new Error(`drew ${id}`);
    }
  });
});

describe('uniform', () => {
  it.each([100, 9973])('draws each of %i ids equally often', (tableSize) => {
    const law = Array.from({ length: tableSize }, () => 1 / tableSize);
    expect(againstLaw(tally(drawn('uniform', tableSize), tableSize), law)).toBeLessThan(REJECTED);
  });
});

describe('pareto', () => {
  it('follows its law', () => {
    const SIZE = 1000;
    const below = (id: number): number => (id / SIZE) ** (Math.log(0.8) / Math.log(0.2));
    const law = Array.from({ length: SIZE }, (_, index) => below(index + 1) - below(index));
    expect(againstLaw(tally(drawn('pareto', SIZE), SIZE), law)).toBeLessThan(REJECTED);
  });
});

describe('zipfian', () => {
  it.each([1, 2, 3, 100, 5000])('draws rank r as often as r^−0.8 says, of %i ranks', (tableSize) => {
    const weights = Array.from({ length: tableSize }, (_, index) => (index + 1) ** -0.8);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const law = weights.map((weight) => weight / total);
    const counts = tally(drawn('zipfian', tableSize), tableSize);
    if (tableSize > 1) expect(againstLaw(counts, law)).toBeLessThan(REJECTED);
    for (const [index, count] of counts.slice(0, 10).entries()) {
      const expected = DRAWS * (law[index] ?? NaN);
      expect(Math.abs(count - expected)).toBeLessThanOrEqual(4.5 * Math.sqrt(expected));
    }
  });

  it('takes few numbers for an id, however large the table', () => {
    let numbers = 0;
    const random = createRandom(1, 0);
    const counted = (): number => {
      numbers += 1;
      return random();
    };
    for (let i = 0; i < 10_000; i++) idDraws.zipfian(100_000_000, counted);
    expect(numbers).toBeLessThan(10_500);
  });
});
