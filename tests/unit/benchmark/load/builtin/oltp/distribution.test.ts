import { describe, expect, it } from 'vitest';
import { idDraws } from '../../../../../../src/benchmark/load/builtin/oltp/distribution.ts';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { DISTRIBUTIONS, type Distribution } from '../../../../../../src/shared/model/names.ts';
import { againstLaw, REJECTED, tally, twoSamples } from '../../../../../goodness-of-fit.ts';

const DRAWS = 200_000;

function drawn(distribution: Distribution, tableSize: number, seed = 1, count = DRAWS): number[] {
  const random = createRandom(seed, 0);
  return Array.from({ length: count }, () => idDraws[distribution](tableSize, random));
}

const share = (ids: number[], of: (id: number) => boolean): number => ids.filter(of).length / ids.length;

/** Mean and standard deviation. */
function moments(ids: number[]): { mean: number; deviation: number } {
  const mean = ids.reduce((sum, id) => sum + id, 0) / ids.length;
  const variance = ids.reduce((sum, id) => sum + (id - mean) ** 2, 0) / ids.length;
  return { mean, deviation: Math.sqrt(variance) };
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
    for (const id of drawn(distribution, tableSize, 3, 20_000)) {
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

describe('gaussian', () => {
  it('has the mean and the deviation of twelve uniform numbers’ mean', () => {
    const { mean, deviation } = moments(drawn('gaussian', 10_000));
    // The standard error of the mean is 1.9, that of the deviation 1.3.
    expect(Math.abs(mean - 5000.5)).toBeLessThan(8);
    expect(Math.abs(deviation - 10_000 / 12)).toBeLessThan(6);
  });
});

describe('special', () => {
  const SIZE = 100_000;
  const ids = drawn('special', SIZE);
  const gaussian = drawn('gaussian', SIZE, 2);
  const central = (id: number): boolean => Math.abs(id - 1 - (SIZE - 1) / 2) < SIZE * 0.005 + 1;

  it('puts three quarters into the central hundredth, and what the gaussian has there', () => {
    const expected = 0.75 + 0.25 * share(gaussian, central);
    // Four standard errors.
    expect(Math.abs(share(ids, central) - expected)).toBeLessThan(0.004);
  });

  it('is gaussian outside of it', () => {
    const outside = ids.filter((id) => !central(id));
    const others = gaussian.filter((id) => !central(id));
    expect(twoSamples(tally(outside, SIZE), tally(others, SIZE))).toBeLessThan(REJECTED);
  });

  it('leaves the first quarter of the hundredth to the gaussian, and is uniform in the others', () => {
    const cells = [0, 1, 2, 3].map((quarter) => {
      const start = 1 + (SIZE - 1) * 0.495 + quarter * 250;
      return share(ids, (id) => id >= start && id < start + 250);
    });
    expect(cells[0]).toBeLessThan(0.006);
    for (const cell of cells.slice(1)) expect(Math.abs(cell - 0.25)).toBeLessThan(0.006);
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
