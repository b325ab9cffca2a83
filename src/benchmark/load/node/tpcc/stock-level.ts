import { between } from './draw.ts';
import type { Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

const SELECT_DISTRICT = 'SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?';
const COUNT_LOW =
  'SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id AND s_i_id = ol_i_id ' +
  'WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?';

export const STOCK_LEVEL_STATEMENTS = [SELECT_DISTRICT, COUNT_LOW];

/** Orders that it looks at. */
const ORDERS = 20;

export interface StockLevelInput {
  warehouse: number;
  district: number;
  threshold: number;
}

/** Clause 2.8.1. */
export function drawStockLevel({ warehouse, district, draws }: Terminal): StockLevelInput {
  return { warehouse, district, threshold: between(draws.ids, 10, 20) };
}

/** Clause 2.8.2. */
export async function runStockLevel(
  transaction: Transaction,
  { warehouse, district, threshold }: StockLevelInput,
): Promise<boolean> {
  const next = Number((await transaction.row(SELECT_DISTRICT, warehouse, district))[0]);
  await transaction.row(COUNT_LOW, warehouse, district, next - ORDERS, next, threshold);
  return true;
}
