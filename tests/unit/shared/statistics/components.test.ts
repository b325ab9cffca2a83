import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/benchmark/random.ts';
import {
  MOST_APART,
  type NullContrast,
  SERVERS_APART,
  serversApart,
} from '../../../../src/shared/statistics/components.ts';
import { normal } from './worlds.ts';

const NOISE = 0.02 ** 2;
const DEGREES = 12;
const NO_PRIOR = { variance: 0, degrees: 0 };

/** Servers differ by `between`; noise is estimated with 12 degrees of freedom. */
function contrasts(count: number, between: number): NullContrast[] {
  const random = createRandom(3);
  return Array.from({ length: count }, () => {
    const squares = Array.from({ length: DEGREES }, () => normal(random) ** 2);
    return {
      mean: Math.sqrt(NOISE + between) * normal(random),
      variance: (NOISE * squares.reduce((sum, one) => sum + one, 0)) / DEGREES,
      degrees: DEGREES,
      share: 1,
    };
  });
}

describe('how far servers are apart', () => {
  it.each([0, 0.01, 0.02])('is found when they differ by %d, whatever the noise', (deviation) => {
    const { variance } = serversApart(contrasts(3000, deviation ** 2), NO_PRIOR);
    expect(Math.sqrt(variance)).toBeGreaterThan(deviation - 0.004);
    expect(Math.sqrt(variance)).toBeLessThan(deviation + 0.004);
  });

  it('is not learned from an effect that depends on another factor', () => {
    const effect: NullContrast = { mean: 0.3, variance: 0.01 ** 2, degrees: 10, share: 1 };
    expect(serversApart([effect, { ...effect, mean: -0.2 }], SERVERS_APART)).toEqual(SERVERS_APART);
    expect(serversApart([effect, ...contrasts(200, 0)], NO_PRIOR).variance).toBeLessThan(MOST_APART / 9);
  });
});
