import { rowCount, type TpccWorkload } from '../../../../shared/model/workload.ts';
import { createRandom, type Random, shuffled } from '../../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../../load-client.ts';
import type { SqlConnection } from '../connection.ts';
import { analyzeTables, packetRoom, runTasks, type PreparationTask } from '../preparation.ts';
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
  scaleOf,
  zipCode,
} from './draw.ts';
import {
  createStatement,
  foreignKeyStatements,
  indexStatements,
  STOCK_DISTRICT_COLUMNS,
  TABLES,
} from './schema.ts';

const CONNECTIONS = 4;
/** Measured with a full warehouse. */
const INDEX_SHARE = 0.12;
const FIRST_STREAM = 0x1000000;
const STOCK_PARTS = 10;
const SET_UP = ['SET FOREIGN_KEY_CHECKS = 0'];

/** Rows (clause 4.3) depend on the seed alone. Rejects with STORAGE_FULL, DATASET_FAILED, or STOPPED. */
export async function prepareTpccTables(
  target: LoadTarget,
  workload: TpccWorkload,
  options: PrepareTablesOptions,
): Promise<void> {
  const { signal, onProgress } = options;
  const total = rowCount(workload) * (1 + INDEX_SHARE);
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    onProgress(Math.min(1, done / total));
  };
  const run = (tasks: PreparationTask[], atOnce: number): Promise<void> =>
    runTasks(target, tasks, { atOnce, setUp: SET_UP, signal });
  await run([statements(TABLES.map(createStatement))], 1);
  await run(filling(scaleOf(workload), options.seed, onRows), CONNECTIONS);
  await run(
    TABLES.map((table) => statements(indexStatements(table))),
    CONNECTIONS,
  );
  await run([statements(TABLES.flatMap(foreignKeyStatements)), analyze], 1);
  onProgress(1);
}

function statements(texts: string[]): PreparationTask {
  return async (connection) => {
    for (const text of texts) await connection.query(text);
  };
}

const analyze: PreparationTask = (connection) =>
  analyzeTables(
    connection,
    TABLES.map(({ name }) => name),
  );

function filling(scale: Scale, seed: number, onRows: (rows: number) => void): PreparationTask[] {
  const tasks: PreparationTask[] = [];
  const add = (fill: (insert: Insert, random: Random) => Promise<void>): void => {
    const stream = FIRST_STREAM + tasks.length;
    tasks.push(async (connection) => {
      const room = await packetRoom(connection);
      const insert: Insert = (table, rows) => insertRows(connection, table, rows, room, onRows);
      await fill(insert, createRandom(seed, stream));
    });
  };
  add((insert, random) => insert('item', itemRows(scale, random)));
  for (let warehouse = 1; warehouse <= scale.warehouses; warehouse++) {
    add(async (insert, random) => {
      await insert('warehouse', warehouseRows(scale, warehouse, random));
      await insert('district', districtRows(scale, warehouse, random));
    });
    for (let part = 0; part < STOCK_PARTS; part++) {
      const first = Math.floor((part * scale.items) / STOCK_PARTS) + 1;
      const last = Math.floor(((part + 1) * scale.items) / STOCK_PARTS);
      add((insert, random) => insert('stock', stockRows(warehouse, first, last, random)));
    }
    for (let district = 1; district <= DISTRICTS; district++) {
      add(async (insert, random) => {
        const place = { scale, warehouse, district, random };
        await insert('customer', customerRows(place));
        await insert('history', historyRows(place));
        const orders = drawOrders(place);
        await insert('orders', orderRows(orders, place));
        await insert('order_line', orderLineRows(orders, place));
        await insert('new_orders', newOrderRows(orders, place));
      });
    }
  }
  return tasks;
}

interface Place {
  scale: Scale;
  warehouse: number;
  district: number;
  random: Random;
}

type Insert = (table: string, rows: Iterable<string>) => Promise<void>;

async function insertRows(
  connection: SqlConnection,
  table: string,
  rows: Iterable<string>,
  room: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const head = `INSERT INTO ${table} VALUES `;
  let values: string[] = [];
  let length = head.length;
  const send = async (): Promise<void> => {
    if (values.length === 0) return;
    await connection.query(head + values.join(','));
    onRows(values.length);
    values = [];
    length = head.length;
  };
  for (const row of rows) {
    if (length + row.length + 1 > room) await send();
    values.push(row);
    length += row.length + 1;
  }
  await send();
}

/** Initial rows (clause 4.3.3.1). */

/** A fixed time: equal seeds have equal rows. */
const LOADED_AT = `'2026-01-01 00:00:00'`;
const PAID_CENTS = 1000;
/** Unit: ten-thousandths (clause 4.3.3.1). */
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

function* itemRows({ items }: Scale, random: Random): Generator<string> {
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

function* warehouseRows(scale: Scale, warehouse: number, random: Random): Generator<string> {
  const name = quoted(letters(random, 6, 10));
  const tax = decimalBetween(random, 0, HIGHEST_TAX, 4);
  const paid = decimal(PAID_CENTS * scale.customers * DISTRICTS, 2);
  yield row(warehouse, name, ...address(random), tax, paid);
}

function* districtRows(scale: Scale, warehouse: number, random: Random): Generator<string> {
  for (let district = 1; district <= DISTRICTS; district++) {
    const name = quoted(letters(random, 6, 10));
    const tax = decimalBetween(random, 0, HIGHEST_TAX, 4);
    const paid = decimal(PAID_CENTS * scale.customers, 2);
    yield row(district, warehouse, name, ...address(random), tax, paid, scale.customers + 1);
  }
}

function* stockRows(warehouse: number, first: number, last: number, random: Random): Generator<string> {
  for (let item = first; item <= last; item++) {
    const districts = STOCK_DISTRICT_COLUMNS.map(() => quoted(letters(random, 24)));
    const data = quoted(originalData(random));
    yield row(item, warehouse, between(random, 10, 100), ...districts, 0, 0, 0, data);
  }
}

function* customerRows({ scale, warehouse, district, random }: Place): Generator<string> {
  const names = scale.namesLoaded.high + 1;
  for (let id = 1; id <= scale.customers; id++) {
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

function* historyRows({ scale, warehouse, district, random }: Place): Generator<string> {
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

function drawOrders({ scale, random }: Place): LoadedOrder[] {
  const customers = Array.from({ length: scale.customers }, (_, index) => index + 1);
  return shuffled(customers, random).map((customer, index) => {
    const id = index + 1;
    return { id, customer, lines: between(random, 5, 15), delivered: id < scale.firstUndelivered };
  });
}

function* orderRows(orders: LoadedOrder[], { warehouse, district, random }: Place): Generator<string> {
  for (const { id, customer, lines, delivered } of orders) {
    const carrier = delivered ? between(random, 1, 10) : 'NULL';
    yield row(id, district, warehouse, customer, LOADED_AT, carrier, lines, 1);
  }
}

function* newOrderRows(orders: LoadedOrder[], { warehouse, district }: Place): Generator<string> {
  for (const { id, delivered } of orders) if (!delivered) yield row(id, district, warehouse);
}

function* orderLineRows(
  orders: LoadedOrder[],
  { scale, warehouse, district, random }: Place,
): Generator<string> {
  for (const { id, lines, delivered } of orders) {
    for (let number = 1; number <= lines; number++) {
      const item = between(random, 1, scale.items);
      const date = delivered ? LOADED_AT : 'NULL';
      const amount = delivered ? decimal(0, 2) : decimalBetween(random, 1, 999_999, 2);
      const info = quoted(letters(random, 24));
      yield row(id, district, warehouse, number, item, warehouse, date, 5, amount, info);
    }
  }
}
