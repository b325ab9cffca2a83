import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import { transactionTypes } from '../../../../../../src/benchmark/load/builtin/tpcc/draw.ts';
import { TPCC_TYPES } from '../../../../../../src/shared/model/workload.ts';

const counted = (types: string[]): number[] =>
  TPCC_TYPES.map((type) => types.filter((one) => one === type).length);

describe('transactionTypes', () => {
  it('deals whole decks of 23 cards, each in another order', () => {
    const next = transactionTypes('specification', createRandom(1, 0));
    const decks = Array.from({ length: 50 }, () => Array.from({ length: 23 }, next));
    for (const deck of decks) expect(counted(deck)).toEqual([10, 10, 1, 1, 1]);
    expect(new Set(decks.map((deck) => deck.join())).size).toBe(50);
    // The least shares of clause 5.2.3: payment 43%, the three others 4% each.
    const [, payment = 0, ...others] = counted(decks.flat()).map((count) => count / (50 * 23));
    expect(payment).toBeGreaterThanOrEqual(0.43);
    for (const share of others) expect(share).toBeGreaterThanOrEqual(0.04);
  });

  it('throws dice, each for itself', () => {
    const next = transactionTypes('sysbench-tpcc', createRandom(1, 0));
    const types = Array.from({ length: 23_000 }, next);
    const [newOrder = 0, payment = 0, ...others] = counted(types);
    for (const count of [newOrder, payment]) expect(Math.abs(count - 10_000)).toBeLessThan(350);
    for (const count of others) expect(Math.abs(count - 1000)).toBeLessThan(140);
    const decks = Array.from({ length: 100 }, (_, deck) => counted(types.slice(deck * 23, deck * 23 + 23)));
    expect(decks.some((deck) => deck[0] !== 10)).toBe(true);
  });
});
