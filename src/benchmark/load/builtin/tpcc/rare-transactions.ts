import { between, DISTRICTS, drawDistrict, type Terminal } from './draw.ts';
import {
  type CustomerChoice,
  drawCustomer,
  findCustomer,
  statement,
  type Transaction,
} from './transactions.ts';

const SELECT_CUSTOMER = statement(
  'SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?',
);
const SELECT_LAST_ORDER = statement(
  'SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ' +
    'ORDER BY o_id DESC LIMIT 1',
);
const SELECT_LINES = statement(
  'SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line ' +
    'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?',
);

interface OrderStatusInput {
  warehouse: number;
  district: number;
  customer: CustomerChoice;
}

/** Source: clause 2.6.1. */
export function drawOrderStatus(terminal: Terminal): OrderStatusInput {
  return {
    warehouse: terminal.warehouse,
    district: drawDistrict(terminal),
    customer: drawCustomer(terminal),
  };
}

/** Source: clause 2.6.2. */
export async function runOrderStatus(transaction: Transaction, input: OrderStatusInput): Promise<boolean> {
  const { warehouse, district } = input;
  const customer = await findCustomer(transaction, warehouse, district, input.customer);
  await transaction.row(SELECT_CUSTOMER, warehouse, district, customer);
  const [order] = await transaction.row(SELECT_LAST_ORDER, warehouse, district, customer);
  await transaction.rows(SELECT_LINES, warehouse, district, Number(order));
  return true;
}

// A plain read would miss the customer of an order newer than the transaction's snapshot.
const SELECT_OLDEST = statement(
  'SELECT no_o_id FROM new_orders WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE',
);
const DELETE_NEW_ORDER = statement(
  'DELETE FROM new_orders WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?',
);
const THIS_ORDER = 'WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?';
const SELECT_ORDER = statement(`SELECT o_c_id FROM orders ${THIS_ORDER} FOR UPDATE`);
const UPDATE_ORDER = statement(`UPDATE orders SET o_carrier_id = ? ${THIS_ORDER}`);
const THESE_LINES = 'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?';
const SELECT_SUM = statement(`SELECT SUM(ol_amount) FROM order_line ${THESE_LINES} FOR UPDATE`);
const UPDATE_LINES = statement(`UPDATE order_line SET ol_delivery_d = NOW() ${THESE_LINES}`);
const UPDATE_CUSTOMER = statement(
  'UPDATE customer SET c_balance = c_balance + CAST(? AS DECIMAL(12,2)), c_delivery_cnt = c_delivery_cnt + 1 ' +
    'WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?',
);

interface DeliveryInput {
  warehouse: number;
  carrier: number;
}

/** Source: clause 2.7.1. */
export function drawDelivery({ warehouse, draws }: Terminal): DeliveryInput {
  return { warehouse, carrier: between(draws.content, 1, 10) };
}

/** Source: clause 2.7.4. */
export async function runDelivery(
  transaction: Transaction,
  { warehouse, carrier }: DeliveryInput,
): Promise<boolean> {
  for (let district = 1; district <= DISTRICTS; district++) {
    const [oldest] = await transaction.rows(SELECT_OLDEST, warehouse, district);
    if (oldest === undefined) continue;
    const order = [warehouse, district, Number(oldest[0])] as const;
    await transaction.change(DELETE_NEW_ORDER, ...order);
    const [customer] = await transaction.row(SELECT_ORDER, ...order);
    await transaction.change(UPDATE_ORDER, carrier, ...order);
    const [sum] = await transaction.row(SELECT_SUM, ...order);
    await transaction.change(UPDATE_LINES, ...order);
    await transaction.change(UPDATE_CUSTOMER, String(sum), warehouse, district, Number(customer));
  }
  return true;
}

const SELECT_DISTRICT = statement('SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?');
const COUNT_LOW = statement(
  'SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id ' +
    'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?',
);

const ORDERS = 20;

interface StockLevelInput {
  warehouse: number;
  district: number;
  threshold: number;
}

/** Source: clause 2.8.1. */
export function drawStockLevel({ warehouse, district, draws }: Terminal): StockLevelInput {
  return { warehouse, district, threshold: between(draws.ids, 10, 20) };
}

/** Source: clause 2.8.2. */
export async function runStockLevel(
  transaction: Transaction,
  { warehouse, district, threshold }: StockLevelInput,
): Promise<boolean> {
  const next = Number((await transaction.row(SELECT_DISTRICT, warehouse, district))[0]);
  await transaction.row(COUNT_LOW, warehouse, district, next - ORDERS, next, threshold);
  return true;
}
