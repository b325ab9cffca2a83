import { rowCount, type TpccWorkload } from '../../../../shared/model/workload.ts';
import type { Random } from '../../../random.ts';
import type { LoadTarget } from '../../driver.ts';
import type { SqlConnection } from '../connection.ts';
import { analyseTables, packetRoom, runTasks, type PreparationTask } from '../preparation.ts';
import { createStream } from '../prng.ts';
import type { PrepareOptions } from '../workload-engine.ts';
import {
  customerRows,
  districtRows,
  drawOrders,
  historyRows,
  itemRows,
  newOrderRows,
  orderLineRows,
  orderRows,
  stockRows,
  warehouseRows,
} from './population.ts';
import { DISTRICTS, type Scale, scaleOf } from './draw.ts';
import { TABLES, createStatement, foreignKeyStatement, indexStatement } from './schema.ts';

const CONNECTIONS = 4;
/** Indexes and statistics as a share of the rows' time; measured with a full warehouse. */
const INDEX_SHARE = 0.12;
/** Above the connections' streams. */
const FIRST_STREAM = 0x1000000;
/** Parts of a warehouse's stock, each about the size of a district. */
const STOCK_PARTS = 10;
/** Rows may come in any order. */
const SET_UP = ['SET FOREIGN_KEY_CHECKS = 0'];

/**
 * Creates and fills the nine tables (clause 4.3), then indexes, foreign keys, and optimizer statistics. Rows depend
 * on the seed alone. Rejects with STORAGE_FULL, DATASET_FAILED, or STOPPED, and leaves no connection open.
 */
export async function prepareTpccTables(
  target: LoadTarget,
  workload: TpccWorkload,
  options: PrepareOptions,
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
  const atOnce = options.connections ?? CONNECTIONS;

  await run([statements(TABLES.map(createStatement))], 1);
  await run(filling(scaleOf(workload), options.seed, onRows), atOnce);
  await run(
    TABLES.map((table) => statements([indexStatement(table)])),
    atOnce,
  );
  // One at a time: adding a key locks the referenced table, too.
  await run([statements(TABLES.map(foreignKeyStatement)), analyse], 1);
  onProgress(1);
}

function statements(texts: (string | undefined)[]): PreparationTask {
  return async (connection) => {
    for (const text of texts) if (text !== undefined) await connection.query(text);
  };
}

const analyse: PreparationTask = (connection) =>
  analyseTables(
    connection,
    TABLES.map(({ name }) => name),
  );

/** Parts with random streams of their own, loaded in parallel. */
function filling(scale: Scale, seed: number, onRows: (rows: number) => void): PreparationTask[] {
  const tasks: PreparationTask[] = [];
  const add = (fill: (insert: Insert, random: Random) => Promise<void>): void => {
    const stream = FIRST_STREAM + tasks.length;
    tasks.push(async (connection) => {
      const room = await packetRoom(connection);
      const insert: Insert = (table, rows) => insertRows(connection, table, rows, room, onRows);
      await fill(insert, createStream(seed, stream));
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
        await insert('customer', customerRows(scale, warehouse, district, random));
        await insert('history', historyRows(scale, warehouse, district, random));
        const orders = drawOrders(scale, random);
        await insert('orders', orderRows(orders, warehouse, district, random));
        await insert('order_line', orderLineRows(scale, orders, warehouse, district, random));
        await insert('new_orders', newOrderRows(orders, warehouse, district));
      });
    }
  }
  return tasks;
}

type Insert = (table: string, rows: Iterable<string>) => Promise<void>;

/** As many rows at a time as fit into `room` bytes of ASCII. */
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
