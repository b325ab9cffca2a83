import { between, chance, decimal, DISTRICTS, nonUniform } from './draw.ts';
import { STOCK_DISTRICT_COLUMNS } from './schema.ts';
import { drawDistrict, drawOtherWarehouse, type Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

const SELECT_DISTRICT = 'SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE';
const UPDATE_DISTRICT = 'UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?';
const SELECT_CUSTOMER =
  'SELECT c_discount, c_last, c_credit, w_tax FROM warehouse JOIN customer ON c_w_id = w_id ' +
  'WHERE w_id = ? AND c_d_id = ? AND c_id = ?';
const INSERT_ORDER =
  'INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) ' +
  'VALUES (?, ?, ?, ?, NOW(), ?, ?)';
const INSERT_NEW_ORDER = 'INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)';
const SELECT_ITEM = 'SELECT i_price, i_name, i_data FROM item WHERE i_id = ?';
/** One a district: what an order line keeps of its stock is another column for each. */
const SELECT_STOCK = STOCK_DISTRICT_COLUMNS.map(
  (column) => `SELECT s_quantity, ${column}, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE`,
);
const UPDATE_STOCK =
  'UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, ' +
  's_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?';
const INSERT_LINE =
  'INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ' +
  'ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';

export const NEW_ORDER_STATEMENTS = [
  SELECT_DISTRICT,
  UPDATE_DISTRICT,
  SELECT_CUSTOMER,
  INSERT_ORDER,
  INSERT_NEW_ORDER,
  SELECT_ITEM,
  ...SELECT_STOCK,
  UPDATE_STOCK,
  INSERT_LINE,
];

interface OrderLine {
  item: number;
  supplyWarehouse: number;
  quantity: number;
}

export interface NewOrderInput {
  warehouse: number;
  district: number;
  customer: number;
  /** The last one names an item that doesn't exist when the transaction is to be rolled back. */
  lines: OrderLine[];
}

/** Clause 2.4.1. */
export function drawNewOrder(terminal: Terminal): NewOrderInput {
  const { warehouse, scale, draws } = terminal;
  const { ids, content } = draws;
  const district = drawDistrict(terminal);
  const customer = nonUniform(ids, scale.customerIds);
  const count = between(ids, 5, 15);
  const rollback = chance(ids, 1);
  const lines = Array.from({ length: count }, (_, index): OrderLine => {
    const item = nonUniform(ids, scale.itemIds);
    return {
      item: rollback && index === count - 1 ? scale.items + 1 : item,
      supplyWarehouse: chance(ids, 1) ? drawOtherWarehouse(terminal) : warehouse,
      quantity: between(content, 1, 10),
    };
  });
  return { warehouse, district, customer, lines };
}

/**
 * Clause 2.4.2. Resolves with false when an item doesn't exist and the transaction is to be rolled back. What a
 * terminal would show (brand, total) is fetched but not worked out: nobody sees it.
 * The district comes first: whoever waits for it has not looked at anything yet that may be out of date afterwards.
 * MariaDB 11.6.2 and later refuse stock (error 1020) that somebody changed since the first look at an item
 * (innodb_snapshot_isolation); one or two in a hundred transactions are therefore run again there.
 */
export async function runNewOrder(transaction: Transaction, input: NewOrderInput): Promise<boolean> {
  const { warehouse, district, customer, lines } = input;
  const order = Number((await transaction.row(SELECT_DISTRICT, warehouse, district))[0]);
  await transaction.change(UPDATE_DISTRICT, warehouse, district);
  await transaction.row(SELECT_CUSTOMER, warehouse, district, customer);
  const allLocal = lines.every(({ supplyWarehouse }) => supplyWarehouse === warehouse) ? 1 : 0;
  await transaction.change(INSERT_ORDER, order, district, warehouse, customer, lines.length, allLocal);
  await transaction.change(INSERT_NEW_ORDER, order, district, warehouse);
  for (const [index, { item, supplyWarehouse, quantity }] of lines.entries()) {
    const [found] = await transaction.rows(SELECT_ITEM, item);
    if (found === undefined) return false;
    const priceCents = Math.round(Number(found[0]) * 100);
    const [inStock, info] = await transaction.row(stockStatement(district), supplyWarehouse, item);
    const remote = supplyWarehouse === warehouse ? 0 : 1;
    const left = remaining(Number(inStock), quantity);
    await transaction.change(UPDATE_STOCK, left, quantity, remote, supplyWarehouse, item);
    const amount = decimal(priceCents * quantity, 2);
    const key = [order, district, warehouse, index + 1] as const;
    await transaction.change(INSERT_LINE, ...key, item, supplyWarehouse, quantity, amount, String(info));
  }
  return true;
}

function stockStatement(district: number): string {
  const sql = SELECT_STOCK[district - 1];
  if (sql === undefined) throw new RangeError(`there is no district ${district} of ${DISTRICTS}`);
  return sql;
}

/** What is left in stock; it is filled up by 91 before fewer than ten would be left (clause 2.4.2.2). */
export function remaining(inStock: number, quantity: number): number {
  return inStock >= quantity + 10 ? inStock - quantity : inStock - quantity + 91;
}
