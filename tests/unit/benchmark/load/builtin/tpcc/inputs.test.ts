import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import {
  drawNewOrder,
  drawPayment,
  remaining,
} from '../../../../../../src/benchmark/load/builtin/tpcc/transactions.ts';
import {
  scaleOf,
  type Terminal,
  terminalOf,
} from '../../../../../../src/benchmark/load/builtin/tpcc/draw.ts';
import { tpccWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const terminal = (connection: number, warehouses: number): Terminal =>
  terminalOf(connection, scaleOf(tpccWorkloadSchema.parse({ kind: 'tpcc', warehouses })), {
    ids: createRandom(1, connection),
    content: createRandom(2, connection),
  });
const many = <T>(draw: () => T, times = 20_000): T[] => Array.from({ length: times }, draw);
const share = <T>(values: T[], is: (value: T) => boolean): number =>
  values.filter((value) => is(value)).length / values.length;

describe('terminals', () => {
  it('are spread over warehouses, then over districts', () => {
    const places = Array.from({ length: 7 }, (_, connection) => terminal(connection, 3));
    expect(places.map(({ warehouse, district }) => [warehouse, district])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [1, 2],
      [2, 2],
      [3, 2],
      [1, 3],
    ]);
    expect(terminal(10, 1)).toMatchObject({ warehouse: 1, district: 1 });
  });
});

describe('drawNewOrder', () => {
  const home = terminal(1, 4);
  const orders = many(() => drawNewOrder(home));
  const lines = orders.flatMap((order) => order.lines);

  it('draws 5 to 15 lines of 1 to 10 pieces', () => {
    expect(new Set(orders.map((order) => order.lines.length)).size).toBe(11);
    expect(lines.length / orders.length).toBeCloseTo(10, 0);
    expect(new Set(lines.map(({ quantity }) => quantity)).size).toBe(10);
    expect(new Set(orders.map(({ district }) => district)).size).toBe(10);
    expect(orders.every(({ warehouse }) => warehouse === 2)).toBe(true);
  });

  it('takes one line in a hundred from another warehouse', () => {
    const remote = share(lines, ({ supplyWarehouse }) => supplyWarehouse !== 2);
    expect(Math.abs(remote - 0.01)).toBeLessThan(0.0015);
    const alone = terminal(0, 1);
    expect(many(() => drawNewOrder(alone), 500).flatMap((order) => order.lines)).not.toContainEqual(
      expect.objectContaining({ supplyWarehouse: 2 }),
    );
  });

  it('names an unknown item in one of a hundred, on the last line only', () => {
    const unknown = orders.filter((order) => order.lines.some(({ item }) => item === 100_001));
    expect(Math.abs(unknown.length / orders.length - 0.01)).toBeLessThan(0.003);
    for (const order of unknown) {
      expect(order.lines.findIndex(({ item }) => item === 100_001)).toBe(order.lines.length - 1);
    }
  });
});

describe('remaining', () => {
  it.each([
    [20, 10, 10],
    [19, 10, 100],
    [11, 1, 10],
    [10, 1, 100],
    [100, 5, 95],
  ])('%i less %i is %i', (inStock, quantity, left) => expect(remaining(inStock, quantity)).toBe(left));
});

describe('drawPayment', () => {
  it('has 15 % of customers from elsewhere, and 60 % by last name', () => {
    const payments = many(() => drawPayment(terminalTwo));
    expect(share(payments, ({ customerWarehouse }) => customerWarehouse !== 2)).toBeCloseTo(0.15, 1);
    for (const payment of payments.filter(({ customerWarehouse }) => customerWarehouse === 2)) {
      expect(payment.customerDistrict).toBe(payment.district);
    }
    expect(share(payments, ({ customer }) => 'lastName' in customer)).toBeCloseTo(0.6, 1);
    const amounts = payments.map(({ amount }) => Number(amount));
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...amounts)).toBeLessThanOrEqual(5000);
  });
});

const terminalTwo = terminal(1, 4);
