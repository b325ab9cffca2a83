import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import {
  decimal,
  lastName,
  nonUniform,
  originalData,
  scaleOf,
  type Terminal,
  terminalOf,
  transactionTypes,
} from '../../../../../../src/benchmark/load/builtin/tpcc/draw.ts';
import {
  drawNewOrder,
  drawPayment,
  remaining,
} from '../../../../../../src/benchmark/load/builtin/tpcc/transactions.ts';
import { TPCC_TYPES, tpccWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const random = createRandom(1, 0);
const many = <T>(draw: () => T, times = 20_000): T[] => Array.from({ length: times }, draw);
const share = <T>(values: T[], is: (value: T) => boolean): number => values.filter(is).length / values.length;
const scale = (fields: object = {}) => scaleOf(tpccWorkloadSchema.parse({ kind: 'tpcc', ...fields }));
const terminal = (connection: number, warehouses: number): Terminal =>
  terminalOf(connection, scale({ warehouses }), {
    ids: createRandom(1, connection),
    content: createRandom(2, connection),
  });

describe('values of TPC-C', () => {
  it('are not uniform where NURand makes them: (((0…A | x…y) + C) % (y - x + 1)) + x', () => {
    const drawn = (...scripted: number[]): number =>
      nonUniform(() => scripted.shift() ?? 0, { a: 1023, c: 100, low: 1, high: 3000 });
    // 0…1023 gives 512, 1…3000 gives 751, which has that bit.
    expect(drawn(0.5, 0.25)).toBe(852);
    // 512 | 2971 is 2971; with 100 it goes around.
    expect(drawn(0.5, 0.99)).toBe(72);
  });

  it('are names of three syllables, SQL’s decimals, and texts of which a tenth hold ORIGINAL', () => {
    expect([371, 82].map(lastName)).toEqual(['PRICALLYOUGHT', 'BARATIONABLE']);
    expect([decimal(1234, 2), decimal(5, 2), decimal(0, 4)]).toEqual(['12.34', '0.05', '0.0000']);
    const texts = many(() => originalData(random), 5000);
    for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9]{26,50}$/);
    expect(share(texts, (text) => text.includes('ORIGINAL'))).toBeCloseTo(0.1, 1);
    for (const end of [/^ORIGINAL/, /ORIGINAL$/]) expect(texts.some((text) => end.test(text))).toBe(true);
  });

  it('have the constants of the specification at its sizes, and their proportions at smaller ones', () => {
    const full = scale();
    expect(full).toMatchObject({
      itemIds: { a: 8191, low: 1, high: 100_000 },
      customerIds: { a: 1023, low: 1, high: 3000 },
      names: { a: 255, low: 0, high: 999 },
      firstUndelivered: 2101,
    });
    const apart = Math.abs(full.names.c - full.namesLoaded.c);
    expect(apart).toBeGreaterThanOrEqual(65);
    expect(apart).toBeLessThanOrEqual(119);
    expect([96, 112]).not.toContain(apart);
    expect(scale({ items: 2000, customersPerDistrict: 60 })).toMatchObject({
      itemIds: { a: 127, high: 2000 },
      customerIds: { a: 15, high: 60 },
      names: { a: 3, high: 19 },
      firstUndelivered: 43,
    });
    for (const customersPerDistrict of [30, 31, 100, 2999]) {
      const { names, namesLoaded, customerIds } = scale({ customersPerDistrict, items: 1000 });
      for (const { a, c } of [names, namesLoaded, customerIds]) {
        expect(c).toBeLessThanOrEqual(a);
        expect(Math.log2(a + 1) % 1).toBe(0);
      }
      expect(names.high).toBeLessThan(customersPerDistrict);
    }
  });
});

describe('a terminal', () => {
  it('has its warehouse, then its district, by its number', () => {
    const places = Array.from({ length: 7 }, (_, connection) => terminal(connection, 3));
    expect(places.map(({ warehouse, district }) => `${warehouse}.${district}`).join(' ')).toBe(
      '1.1 2.1 3.1 1.2 2.2 3.2 1.3',
    );
    expect(terminal(10, 1)).toMatchObject({ warehouse: 1, district: 1 });
  });

  const counted = (types: string[]): number[] =>
    TPCC_TYPES.map((type) => types.filter((one) => one === type).length);

  it('deals whole decks of 23 transactions, each in another order', () => {
    const next = transactionTypes('specification', createRandom(1, 0));
    const decks = many(() => many(next, 23), 50);
    for (const deck of decks) expect(counted(deck)).toEqual([10, 10, 1, 1, 1]);
    expect(new Set(decks.map((deck) => deck.join())).size).toBe(50);
  });

  it('throws dice for sysbench-tpcc’s mix', () => {
    const next = transactionTypes('sysbench-tpcc', createRandom(1, 0));
    const types = many(next, 23_000);
    const [newOrder = 0, payment = 0, ...others] = counted(types);
    for (const count of [newOrder, payment]) expect(Math.abs(count - 10_000)).toBeLessThan(350);
    for (const count of others) expect(Math.abs(count - 1000)).toBeLessThan(140);
    const decks = Array.from({ length: 100 }, (_, deck) => counted(types.slice(deck * 23, deck * 23 + 23)));
    expect(decks.some((deck) => deck[0] !== 10)).toBe(true);
  });
});

describe('the input of a New-Order', () => {
  const home = terminal(1, 4);
  const orders = many(() => drawNewOrder(home));
  const lines = orders.flatMap((order) => order.lines);

  it('has 5 to 15 lines of 1 to 10 pieces, one in a hundred of them from another warehouse', () => {
    expect(new Set(orders.map((order) => order.lines.length)).size).toBe(11);
    expect(lines.length / orders.length).toBeCloseTo(10, 0);
    expect(new Set(lines.map(({ quantity }) => quantity)).size).toBe(10);
    expect(new Set(orders.map(({ district }) => district)).size).toBe(10);
    expect(orders.every(({ warehouse }) => warehouse === 2)).toBe(true);
    const remote = share(lines, ({ supplyWarehouse }) => supplyWarehouse !== 2);
    expect(Math.abs(remote - 0.01)).toBeLessThan(0.0015);
    const alone = terminal(0, 1);
    const own = many(() => drawNewOrder(alone), 500).flatMap((order) => order.lines);
    expect(own.every(({ supplyWarehouse }) => supplyWarehouse === 1)).toBe(true);
  });

  it('names an unknown item in one of a hundred, on the last line only', () => {
    const unknown = orders.filter((order) => order.lines.some(({ item }) => item === 100_001));
    expect(Math.abs(unknown.length / orders.length - 0.01)).toBeLessThan(0.003);
    for (const order of unknown) {
      expect(order.lines.findIndex(({ item }) => item === 100_001)).toBe(order.lines.length - 1);
    }
  });

  it.each([
    [20, 10, 10],
    [19, 10, 100],
    [11, 1, 10],
    [10, 1, 100],
  ])('leaves of %i pieces, less %i, %i', (inStock, quantity, left) =>
    expect(remaining(inStock, quantity)).toBe(left),
  );
});

it('the input of a Payment has 15 % of customers from elsewhere, and 60 % by last name', () => {
  const home = terminal(1, 4);
  const payments = many(() => drawPayment(home));
  expect(share(payments, ({ customerWarehouse }) => customerWarehouse !== 2)).toBeCloseTo(0.15, 1);
  for (const payment of payments.filter(({ customerWarehouse }) => customerWarehouse === 2)) {
    expect(payment.customerDistrict).toBe(payment.district);
  }
  expect(share(payments, ({ customer }) => 'lastName' in customer)).toBeCloseTo(0.6, 1);
  const amounts = payments.map(({ amount }) => Number(amount));
  expect(Math.min(...amounts)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...amounts)).toBeLessThanOrEqual(5000);
});
