import { between } from './draw.ts';
import { DISTRICTS } from './scale.ts';
import type { Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

// Locking reads see the newest rows on every isolation level. A plain one would not find the customer of an order that
// came after this transaction's first look.
const SELECT_OLDEST =
  'SELECT no_o_id FROM new_orders WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE';
const DELETE_NEW_ORDER = 'DELETE FROM new_orders WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?';
const THIS_ORDER = 'WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?';
const SELECT_ORDER = `SELECT o_c_id FROM orders ${THIS_ORDER} FOR UPDATE`;
const UPDATE_ORDER = `UPDATE orders SET o_carrier_id = ? ${THIS_ORDER}`;
const THESE_LINES = 'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?';
const SELECT_SUM = `SELECT SUM(ol_amount) FROM order_line ${THESE_LINES} FOR UPDATE`;
const UPDATE_LINES = `UPDATE order_line SET ol_delivery_d = NOW() ${THESE_LINES}`;
const UPDATE_CUSTOMER =
  'UPDATE customer SET c_balance = c_balance + CAST(? AS DECIMAL(12,2)), c_delivery_cnt = c_delivery_cnt + 1 ' +
  'WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?';

export const DELIVERY_STATEMENTS = [
  SELECT_OLDEST,
  DELETE_NEW_ORDER,
  SELECT_ORDER,
  UPDATE_ORDER,
  SELECT_SUM,
  UPDATE_LINES,
  UPDATE_CUSTOMER,
];

export interface DeliveryInput {
  warehouse: number;
  carrier: number;
}

/** Clause 2.7.1. */
export function drawDelivery({ warehouse, draws }: Terminal): DeliveryInput {
  return { warehouse, carrier: between(draws.content, 1, 10) };
}

/**
 * Clause 2.7.4: the oldest order of each district, all in one transaction and at once, not queued. A district without
 * undelivered orders is skipped.
 */
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
