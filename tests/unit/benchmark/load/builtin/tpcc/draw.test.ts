import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../../src/benchmark/random.ts';
import {
  decimal,
  lastName,
  nonUniform,
  originalData,
  scaleOf,
} from '../../../../../../src/benchmark/load/builtin/tpcc/draw.ts';
import { tpccWorkloadSchema } from '../../../../../../src/shared/model/workload.ts';

const random = createRandom(1, 0);
const many = <T>(draw: () => T, times = 20_000): T[] => Array.from({ length: times }, draw);
const share = <T>(values: T[], is: (value: T) => boolean): number =>
  values.filter((value) => is(value)).length / values.length;

describe('nonUniform', () => {
  it('is (((0…A | x…y) + C) % (y - x + 1)) + x', () => {
    const scripted = [0.5, 0.25];
    // 0…1023 gives 512, 1…3000 gives 751: 512 | 751 is 751, as 751 has that bit.
    expect(nonUniform(() => scripted.shift() ?? 0, { a: 1023, c: 100, low: 1, high: 3000 })).toBe(852);
    const around = [0.5, 0.99];
    // 512 | 2971 is 2971, too; with 100 it goes around.
    expect(nonUniform(() => around.shift() ?? 0, { a: 1023, c: 100, low: 1, high: 3000 })).toBe(72);
  });

  it('stays in its range and favors the numbers with many bits of A', () => {
    const { itemIds } = scaleOf(tpccWorkloadSchema.parse({ kind: 'tpcc' }));
    const values = many(() => nonUniform(random, itemIds), 100_000);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...values)).toBeLessThanOrEqual(100_000);
    // A bit of A is set unless both draws have it clear: 13 times three in four are 9.75; uniform ones have 6.5.
    const bits = (value: number): number => {
      const before = (value - 1 - itemIds.c + 100_000) % 100_000;
      return [...(before & 8191).toString(2)].filter((bit) => bit === '1').length;
    };
    const mean = values.reduce((sum, value) => sum + bits(value), 0) / values.length;
    expect(mean).toBeGreaterThan(9.2);
    expect(mean).toBeLessThan(10.2);
  });
});

describe('lastName', () => {
  it.each([
    [371, 'PRICALLYOUGHT'],
    [82, 'BARATIONABLE'],
  ])('%i is %s', (number, name) => expect(lastName(number)).toBe(name));
});

describe('texts and numbers', () => {
  it('write decimals as SQL does', () => {
    expect(decimal(1234, 2)).toBe('12.34');
    expect(decimal(5, 2)).toBe('0.05');
    expect(decimal(0, 4)).toBe('0.0000');
    expect(decimal(2000, 4)).toBe('0.2000');
  });

  it('hold ORIGINAL in a tenth', () => {
    const texts = many(() => originalData(random), 5000);
    for (const text of texts) expect(text).toMatch(/^[A-Za-z0-9]{26,50}$/);
    expect(share(texts, (text) => text.includes('ORIGINAL'))).toBeCloseTo(0.1, 1);
    expect(texts.some((text) => text.startsWith('ORIGINAL'))).toBe(true);
    expect(texts.some((text) => text.endsWith('ORIGINAL'))).toBe(true);
  });
});

describe('scaleOf', () => {
  const scale = (fields: object = {}) => scaleOf(tpccWorkloadSchema.parse({ kind: 'tpcc', ...fields }));

  it('has the constants of the specification at its sizes', () => {
    const full = scale();
    expect(full.itemIds).toMatchObject({ a: 8191, low: 1, high: 100_000 });
    expect(full.customerIds).toMatchObject({ a: 1023, low: 1, high: 3000 });
    expect(full.names).toMatchObject({ a: 255, low: 0, high: 999 });
    expect(full.firstUndelivered).toBe(2101);
    const apart = Math.abs(full.names.c - full.namesLoaded.c);
    expect(apart).toBeGreaterThanOrEqual(65);
    expect(apart).toBeLessThanOrEqual(119);
    expect([96, 112]).not.toContain(apart);
  });

  it('keeps the proportions of smaller ones', () => {
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
