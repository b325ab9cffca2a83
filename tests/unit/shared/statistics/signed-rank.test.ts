import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../src/benchmark/random.ts';
import { equivalenceZone } from '../../../../src/shared/statistics/estimate.ts';
import { rankTails, typicalRatio } from '../../../../src/shared/statistics/signed-rank.ts';
import { studentTCdf } from '../../../../src/shared/statistics/student-t.ts';
import { IS_FULL } from '../../../helpers/tier.ts';
import { eachWithin, printHead, shareOf } from './runs.ts';
import { normal } from './worlds.ts';

/** Hollander & Wolfe 1999, table 3.1: Hamilton depression scale factor IV, second visit minus first. */
const HAMILTON = [-0.952, 0.147, -1.022, -0.43, -0.62, -0.59, -0.49, 0.08, -0.01];

function estimateOf(logs: readonly number[]) {
  const found = typicalRatio(logs);
  if (found === null) throw new Error('no rounds');
  return found;
}

const logBounds = (logs: readonly number[], level: number) =>
  estimateOf(logs).bounds(level)?.map(Math.log) ?? [];

describe('the signed-rank statistic', () => {
  it.each([1, 2, 5, 9])('of %d rounds is distributed as all their signs are', (count) => {
    const sums = Array.from({ length: 2 ** count }, (_, signs) =>
      Array.from({ length: count }, (_, bit) => (signs & (2 ** bit) ? bit + 1 : 0)).reduce(
        (a, b) => a + b,
        0,
      ),
    );
    expect(rankTails(count)).toEqual(
      Array.from(
        { length: (count * (count + 1)) / 2 + 1 },
        (_, t) => sums.filter((sum) => sum <= t).length / sums.length,
      ),
    );
  });

  it('has the critical values of published tables, two-sided at 5%', () => {
    const critical = [6, 7, 8, 9, 10, 12, 15, 20, 25].map(
      (count) => rankTails(count).findIndex((tail) => tail > 0.025) - 1,
    );
    expect(critical).toEqual([0, 2, 3, 5, 8, 13, 25, 52, 89]);
  });
});

describe('the typical ratio', () => {
  it('of a published example is the published one, with its interval and p value', () => {
    const { value, samples, pairedRounds, differenceP } = estimateOf(HAMILTON);
    expect(Math.log(value)).toBeCloseTo(-0.46, 10);
    expect({ samples, pairedRounds }).toEqual({ samples: 9, pairedRounds: 9 });
    expect(differenceP()).toBeCloseTo(0.039, 3);
    const [low, high] = logBounds(HAMILTON, 0.04);
    expect([low, high]).toEqual([expect.closeTo(-0.786, 10), expect.closeTo(-0.01, 10)]);
  });

  it('hardly knows of one round that took four times as long', () => {
    const steady = [0.1, 0.11, 0.09, 0.1, 0.12, 0.08, 0.1, 0.11];
    const [low = 0, high = 0] = logBounds([...steady, Math.log(4)], 0.05);
    expect(low).toBeGreaterThan(0.08);
    expect(high).toBeLessThan(0.75);
    expect(Math.log(estimateOf([...steady, Math.log(4)]).value)).toBeCloseTo(0.105, 2);
  });

  it('says the same by its p values and by its intervals', () => {
    const random = createRandom(3);
    for (let run = 0; run < 500; run++) {
      const count = 3 + Math.floor(random() * 10);
      const logs = Array.from({ length: count }, () => 0.04 + 0.05 * normal(random));
      const level = 0.2 * random() ** 4;
      const { differenceP, outsideP } = estimateOf(logs);
      const [low = 0, high = 0] = logBounds(logs, level);
      expect((differenceP() ?? 1) <= level).toBe(low > 0 || high < 0);
      const [least = 0, most = 0] = logBounds(logs, 2 * level);
      const zone = [0.93, 1.08] as const;
      const isWithin = least > Math.log(zone[0]) && most < Math.log(zone[1]);
      expect((outsideP(zone) ?? 1) <= level).toBe(isWithin);
      expect((differenceP([1.02, 1.05]) ?? 1) <= level).toBe(low > Math.log(1.05) || high < Math.log(1.02));
    }
  });

  it('has narrower intervals at a greater level, also where ranks take over from Student’s t', () => {
    const levels = [0.5, 0.1, 0.05, 1 / 32, 0.031, 0.01, 0.001, 1e-6];
    const widths = levels.map((level) => {
      const [low = 0, high = 0] = logBounds([0.1, 0.3, 0.15, 0.2, 0.22, 0.05], level);
      return high - low;
    });
    expect(widths).toEqual([...widths].sort((a, b) => a - b));
  });

  it('of three to five rounds holds as much as the paired t interval, and all rounds', () => {
    const logs = [0.1, 0.2, 0.4];
    const { differenceP } = estimateOf(logs);
    const [mean, error] = [0.7 / 3, Math.sqrt(0.14 / 3 / 6)];
    expect(differenceP()).toBeCloseTo(2 * studentTCdf(-mean / error, 2), 10);
    expect(logBounds(logs, 0.05)).toEqual([
      expect.closeTo(mean - 4.302652729911275 * error, 8),
      expect.closeTo(mean + 4.302652729911275 * error, 8),
    ]);
    expect(logBounds([0.1, 0.1, 0.1, 0.1, 0.5], 0.05)[1]).toBeCloseTo(0.5, 10);
  });

  it('is certain without scatter, and unknown below three rounds', () => {
    expect(estimateOf([0, 0, 0, 0]).differenceP()).toBe(1);
    const zone = equivalenceZone(0.05);
    expect(estimateOf([0, 0, 0, 0]).outsideP(zone)).toBe(0);
    expect(estimateOf([0.5, 0.5, 0.5]).differenceP()).toBe(0);
    const two = estimateOf([0.1, 0.2]);
    expect([two.standardError, two.differenceP(), two.outsideP(zone), two.bounds(0.05)]).toEqual(
      Array.from({ length: 4 }, () => null),
    );
    expect(typicalRatio([])).toBeNull();
  });
});

type Times = (random: Random) => number;

const even: Times = (random) => Math.exp(0.05 * normal(random));
const skewed: Times = (random) => 1 - 0.5 * Math.log(1 - random());
const spiky: Times = (random) => Math.exp(0.04 * normal(random)) * (random() < 0.05 ? 4 : 1);

/** Times of a scenario and of its baseline, and their true typical values. */
const TIMES: { name: string; own: Times; baseline: Times; truth: number }[] = [
  { name: 'both alike: 5 % noise', own: even, baseline: even, truth: 0 },
  { name: 'both alike: exponential delays', own: skewed, baseline: skewed, truth: 0 },
  { name: 'both alike: 5 % of starts take four times as long', own: spiky, baseline: spiky, truth: 0 },
  { name: 'one side: 5 % of starts take four times as long', own: even, baseline: spiky, truth: 0 },
];
const ROUNDS = [3, 5, 6, 9, 12, 17];
const RUNS = IS_FULL ? 8000 : 2500;

describe('coverage of the 95 % interval of tasks', () => {
  printHead(
    `Coverage of the typical ratio of times, ${RUNS} runs each`,
    ROUNDS.map((one) => `n = ${one}`),
  );

  const coverage = ({ own, baseline, truth }: (typeof TIMES)[number], rounds: number): number => {
    const random = createRandom(rounds);
    return shareOf(RUNS, () => {
      const logs = Array.from({ length: rounds }, () => Math.log(baseline(random) / own(random)));
      const [low = 0, high = 0] = logBounds(logs, 0.05);
      return low <= truth && high >= truth;
    });
  };
  eachWithin(
    'is from 0.935 to 0.98 with %s',
    TIMES,
    (world) => ROUNDS.map((rounds) => coverage(world, rounds)),
    [0.935, 0.98],
  );
});
