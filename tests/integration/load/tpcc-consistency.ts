const DELIVERED = `SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS delivered FROM orders
  JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
  WHERE ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id`;
const WITH_DELIVERED = `LEFT JOIN (${DELIVERED}) AS sums ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id`;
/** One first order for each customer, all local and of five pieces a line. */
const LOADED = `SELECT c_w_id, c_d_id, COUNT(*) AS loaded, SUM(c_delivery_cnt) AS deliveries FROM customer
  GROUP BY c_w_id, c_d_id`;

/** Statements that select the rows that break a condition, by the condition. */
const OFFENDERS = {
  'a warehouse has been paid what its districts have been paid': `
    SELECT w_ytd FROM warehouse LEFT JOIN district ON d_w_id = w_id
    GROUP BY w_id, w_ytd HAVING NOT w_ytd <=> SUM(d_ytd)`,
  'the next order number of a district follows its newest order, which is its newest undelivered one, if any': `
    SELECT d_id FROM district
    LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS newest FROM orders GROUP BY o_w_id, o_d_id) AS a
      ON o_w_id = d_w_id AND o_d_id = d_id
    LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS undelivered FROM new_orders GROUP BY no_w_id, no_d_id) AS b
      ON no_w_id = d_w_id AND no_d_id = d_id
    WHERE NOT newest <=> d_next_o_id - 1 OR undelivered <> d_next_o_id - 1`,
  'the undelivered orders of a district have consecutive numbers': `
    SELECT no_d_id FROM new_orders GROUP BY no_w_id, no_d_id
    HAVING COUNT(*) <> MAX(no_o_id) - MIN(no_o_id) + 1`,
  'a district has as many order lines as its orders say': `
    SELECT d_id FROM district
    LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS found FROM order_line GROUP BY ol_w_id, ol_d_id) AS a
      ON ol_w_id = d_w_id AND ol_d_id = d_id
    LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS said FROM orders GROUP BY o_w_id, o_d_id) AS b
      ON o_w_id = d_w_id AND o_d_id = d_id
    WHERE NOT found <=> said`,
  'orders without a carrier are those that wait for delivery': `
    SELECT o_id FROM orders
    LEFT JOIN new_orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
    WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)
    UNION ALL SELECT no_o_id FROM new_orders
    LEFT JOIN orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
    WHERE o_id IS NULL`,
  'an order has as many lines as it says': `
    SELECT o_id FROM orders
    LEFT JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) AS found FROM order_line
      GROUP BY ol_w_id, ol_d_id, ol_o_id) AS a ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
    WHERE NOT found <=> o_ol_cnt`,
  'order lines without a date of delivery are those of orders without a carrier': `
    SELECT ol_o_id FROM order_line
    JOIN orders ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
    WHERE (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL)`,
  'a warehouse has been paid what its history says': `
    SELECT w_ytd FROM warehouse LEFT JOIN history ON h_w_id = w_id
    GROUP BY w_id, w_ytd HAVING NOT w_ytd <=> SUM(h_amount)`,
  'a district has been paid what its history says': `
    SELECT d_ytd FROM district LEFT JOIN history ON h_w_id = d_w_id AND h_d_id = d_id
    GROUP BY d_w_id, d_id, d_ytd HAVING NOT d_ytd <=> SUM(h_amount)`,
  'a customer owes what was delivered less what was paid by the history': `
    SELECT c_id FROM customer ${WITH_DELIVERED}
    LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid FROM history
      GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS payments
      ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id
    WHERE c_balance <> COALESCE(delivered, 0) - COALESCE(paid, 0)`,
  'a district has delivered 70 % of its first orders and one more for each delivery since': `
    SELECT c_d_id FROM (${LOADED}) AS customers
    JOIN (SELECT o_w_id, o_d_id, COUNT(*) AS all_orders FROM orders GROUP BY o_w_id, o_d_id) AS a
      ON o_w_id = c_w_id AND o_d_id = c_d_id
    LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) AS waiting FROM new_orders GROUP BY no_w_id, no_d_id) AS b
      ON no_w_id = c_w_id AND no_d_id = c_d_id
    WHERE all_orders - COALESCE(waiting, 0) <> FLOOR(loaded * 0.7) + deliveries`,
  'what a customer owes and has paid is what was delivered': `
    SELECT c_id FROM customer ${WITH_DELIVERED} WHERE c_balance + c_ytd_payment <> COALESCE(delivered, 0)`,
  'the stock of a warehouse has given away what was ordered of it, in as many lines, as many of them remote': `
    SELECT s_w_id, SUM(s_ytd) AS pieces, SUM(s_order_cnt) AS times, SUM(s_remote_cnt) AS remote_times,
      COALESCE(MAX(ordered), 0) AS wanted, COALESCE(MAX(all_lines), 0) AS wanted_times,
      COALESCE(MAX(remote_lines), 0) AS wanted_remote
    FROM stock
    LEFT JOIN (SELECT ol_supply_w_id, SUM(ol_quantity) AS ordered, COUNT(*) AS all_lines,
        SUM(ol_supply_w_id <> ol_w_id) AS remote_lines
      FROM order_line JOIN (${LOADED}) AS customers ON c_w_id = ol_w_id AND c_d_id = ol_d_id
      WHERE ol_o_id > loaded GROUP BY ol_supply_w_id) AS taken ON ol_supply_w_id = s_w_id
    GROUP BY s_w_id HAVING pieces <> wanted OR times <> wanted_times OR remote_times <> wanted_remote`,
};
export const CONDITIONS = Object.keys(OFFENDERS);

/** Resolves with the broken ones of conditions 1 to 12 of TPC-C's clause 3.3.2, and of one on the stock. */
export async function brokenConditions(query: (sql: string) => Promise<unknown[][]>): Promise<string[]> {
  const broken: string[] = [];
  for (const [condition, offenders] of Object.entries(OFFENDERS)) {
    if ((await query(offenders)).length > 0) broken.push(condition);
  }
  return broken;
}
