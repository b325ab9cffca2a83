import { shuffled, type Random } from '../../../random.ts';
import {
  between,
  chance,
  decimal,
  decimalBetween,
  digits,
  DISTRICTS,
  lastName,
  letters,
  nonUniform,
  originalData,
  type Scale,
  zipCode,
} from './draw.ts';
import { STOCK_DISTRICT_COLUMNS } from './schema.ts';

/** Initial rows (clause 4.3.3.1), each as the values of an INSERT. */

/** Fixed, so that a seed always gives the same rows. */
const LOADED_AT = `'2026-01-01 00:00:00'`;
/** Initial payment of each customer, hundredths; the sums of districts and warehouses follow. */
const PAID_CENTS = 1000;
/** 0 to 20 % (clause 4.3.3.1, W_TAX and D_TAX) and 0 to 50 % (C_DISCOUNT), ten-thousandths. */
const HIGHEST_TAX = 2000;
const HIGHEST_DISCOUNT = 5000;

const row = (...values: (string | number)[]): string => `(${values.join(',')})`;
const quoted = (text: string): string => `'${text}'`;

function address(random: Random): string[] {
  return [
    letters(random, 10, 20),
    letters(random, 10, 20),
    letters(random, 10, 20),
    letters(random, 2),
    zipCode(random),
  ].map(quoted);
}

export function* itemRows({ items }: Scale, random: Random): Generator<string> {
  for (let id = 1; id <= items; id++) {
    const price = decimalBetween(random, 100, 10_000, 2);
    yield row(
      id,
      between(random, 1, 10_000),
      quoted(letters(random, 14, 24)),
      price,
      quoted(originalData(random)),
    );
  }
}

export function* warehouseRows(scale: Scale, warehouse: number, random: Random): Generator<string> {
  const name = quoted(letters(random, 6, 10));
  const tax = decimalBetween(random, 0, HIGHEST_TAX, 4);
  const paid = decimal(PAID_CENTS * scale.customers * DISTRICTS, 2);
  yield row(warehouse, name, ...address(random), tax, paid);
}

export function* districtRows(scale: Scale, warehouse: number, random: Random): Generator<string> {
  for (let district = 1; district <= DISTRICTS; district++) {
    const name = quoted(letters(random, 6, 10));
    const tax = decimalBetween(random, 0, HIGHEST_TAX, 4);
    const paid = decimal(PAID_CENTS * scale.customers, 2);
    yield row(district, warehouse, name, ...address(random), tax, paid, scale.customers + 1);
  }
}

export function* stockRows(
  warehouse: number,
  first: number,
  last: number,
  random: Random,
): Generator<string> {
  for (let item = first; item <= last; item++) {
    const districts = STOCK_DISTRICT_COLUMNS.map(() => quoted(letters(random, 24)));
    const data = quoted(originalData(random));
    yield row(item, warehouse, between(random, 10, 100), ...districts, 0, 0, 0, data);
  }
}

export function* customerRows(
  scale: Scale,
  warehouse: number,
  district: number,
  random: Random,
): Generator<string> {
  const names = scale.namesLoaded.high + 1;
  for (let id = 1; id <= scale.customers; id++) {
    // Each name once, then at random (clause 4.3.2.3).
    const name = id <= names ? id - 1 : nonUniform(random, scale.namesLoaded);
    yield row(
      id,
      district,
      warehouse,
      quoted(letters(random, 8, 16)),
      quoted('OE'),
      quoted(lastName(name)),
      ...address(random),
      quoted(digits(random, 16)),
      LOADED_AT,
      quoted(chance(random, 10) ? 'BC' : 'GC'),
      decimal(5_000_000, 2),
      decimalBetween(random, 0, HIGHEST_DISCOUNT, 4),
      `-${decimal(PAID_CENTS, 2)}`,
      decimal(PAID_CENTS, 2),
      1,
      0,
      quoted(letters(random, 300, 500)),
    );
  }
}

/** One payment per customer of a district. */
export function* historyRows(
  scale: Scale,
  warehouse: number,
  district: number,
  random: Random,
): Generator<string> {
  for (let customer = 1; customer <= scale.customers; customer++) {
    const amount = decimal(PAID_CENTS, 2);
    const data = quoted(letters(random, 12, 24));
    yield row(customer, district, warehouse, district, warehouse, LOADED_AT, amount, data);
  }
}

interface LoadedOrder {
  id: number;
  customer: number;
  lines: number;
  delivered: boolean;
}

/** One per customer in random order; the last 30 % are undelivered. */
export function drawOrders(scale: Scale, random: Random): LoadedOrder[] {
  const customers = Array.from({ length: scale.customers }, (_, index) => index + 1);
  return shuffled(customers, random).map((customer, index) => {
    const id = index + 1;
    return { id, customer, lines: between(random, 5, 15), delivered: id < scale.firstUndelivered };
  });
}

export function* orderRows(
  orders: LoadedOrder[],
  warehouse: number,
  district: number,
  random: Random,
): Generator<string> {
  for (const { id, customer, lines, delivered } of orders) {
    const carrier = delivered ? between(random, 1, 10) : 'NULL';
    yield row(id, district, warehouse, customer, LOADED_AT, carrier, lines, 1);
  }
}

export function* newOrderRows(orders: LoadedOrder[], warehouse: number, district: number): Generator<string> {
  for (const { id, delivered } of orders) if (!delivered) yield row(id, district, warehouse);
}

export function* orderLineRows(
  { items }: Scale,
  orders: LoadedOrder[],
  warehouse: number,
  district: number,
  random: Random,
): Generator<string> {
  for (const { id, lines, delivered } of orders) {
    for (let number = 1; number <= lines; number++) {
      const item = between(random, 1, items);
      const date = delivered ? LOADED_AT : 'NULL';
      const amount = delivered ? decimal(0, 2) : decimalBetween(random, 1, 999_999, 2);
      const info = quoted(letters(random, 24));
      yield row(id, district, warehouse, number, item, warehouse, date, 5, amount, info);
    }
  }
}
