import { drawCustomer, findCustomer, type CustomerChoice } from './customer.ts';
import { drawDistrict, type Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

const SELECT_CUSTOMER =
  'SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?';
const SELECT_LAST_ORDER =
  'SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? ' +
  'ORDER BY o_id DESC LIMIT 1';
const SELECT_LINES =
  'SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line ' +
  'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?';

export const ORDER_STATUS_STATEMENTS = [SELECT_CUSTOMER, SELECT_LAST_ORDER, SELECT_LINES];

export interface OrderStatusInput {
  warehouse: number;
  district: number;
  customer: CustomerChoice;
}

/** Clause 2.6.1. */
export function drawOrderStatus(terminal: Terminal): OrderStatusInput {
  return {
    warehouse: terminal.warehouse,
    district: drawDistrict(terminal),
    customer: drawCustomer(terminal),
  };
}

/** Clause 2.6.2. */
export async function runOrderStatus(transaction: Transaction, input: OrderStatusInput): Promise<boolean> {
  const { warehouse, district } = input;
  const customer = await findCustomer(transaction, warehouse, district, input.customer);
  await transaction.row(SELECT_CUSTOMER, warehouse, district, customer);
  const [order] = await transaction.row(SELECT_LAST_ORDER, warehouse, district, customer);
  await transaction.rows(SELECT_LINES, warehouse, district, Number(order));
  return true;
}
