interface ConsistencyCondition {
  id: string;
  says: string;
  offenders: number;
  /** `warehouse 1: 300000.00, not 300010.00`; null without offenders. */
  first: string | null;
}

interface Check {
  id: string;
  says: string;
  offenders: string;
}

const DELIVERED = `SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS delivered FROM orders
  JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
  WHERE ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id`;
const WITH_DELIVERED = `LEFT JOIN (${DELIVERED}) AS sums ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id`;
const DISTRICT_PLACE = (warehouse: string, district: string): string =>
  `CONCAT('warehouse ', ${warehouse}, ' district ', ${district}) AS place`;
const ORDER_PLACE = `CONCAT('warehouse ', o_w_id, ' district ', o_d_id, ' order ', o_id) AS place`;
const CUSTOMER_PLACE = `CONCAT('warehouse ', c_w_id, ' district ', c_d_id, ' customer ', c_id) AS place`;
/** All local and of five pieces a line: one per customer. */
const LOADED = `SELECT c_w_id, c_d_id, COUNT(*) AS loaded, SUM(c_delivery_cnt) AS deliveries FROM customer
  GROUP BY c_w_id, c_d_id`;

/** Number 11 describes the initial state; later deliveries are added here. */
const CHECKS: readonly Check[] = [
  {
    id: '1',
    says: 'A warehouse has been paid what its districts have been paid.',
    offenders: `SELECT CONCAT('warehouse ', w_id) AS place, w_ytd AS found, SUM(d_ytd) AS wanted
      FROM warehouse LEFT JOIN district ON d_w_id = w_id GROUP BY w_id, w_ytd HAVING NOT found <=> wanted`,
  },
  {
    id: '2',
    says: 'The next order number of a district follows its newest order, which is its newest undelivered one, if any.',
    offenders: `SELECT ${DISTRICT_PLACE('d_w_id', 'd_id')}, CONCAT_WS(' and ', newest, undelivered) AS found,
      d_next_o_id - 1 AS wanted FROM district
      LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS newest FROM orders GROUP BY o_w_id, o_d_id) AS a
        ON o_w_id = d_w_id AND o_d_id = d_id
      LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS undelivered FROM new_orders GROUP BY no_w_id, no_d_id) AS b
        ON no_w_id = d_w_id AND no_d_id = d_id
      WHERE NOT newest <=> d_next_o_id - 1 OR undelivered <> d_next_o_id - 1`,
  },
  {
    id: '3',
    says: 'The undelivered orders of a district have consecutive numbers.',
    offenders: `SELECT ${DISTRICT_PLACE('no_w_id', 'no_d_id')}, COUNT(*) AS found,
      MAX(no_o_id) - MIN(no_o_id) + 1 AS wanted FROM new_orders GROUP BY no_w_id, no_d_id HAVING found <> wanted`,
  },
  {
    id: '4',
    says: 'A district has as many order lines as its orders say.',
    offenders: `SELECT ${DISTRICT_PLACE('d_w_id', 'd_id')}, lines_found AS found, lines_said AS wanted FROM district
      LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS lines_found FROM order_line GROUP BY ol_w_id, ol_d_id) AS a
        ON ol_w_id = d_w_id AND ol_d_id = d_id
      LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS lines_said FROM orders GROUP BY o_w_id, o_d_id) AS b
        ON o_w_id = d_w_id AND o_d_id = d_id
      WHERE NOT lines_found <=> lines_said`,
  },
  {
    id: '5',
    says: 'Orders without a carrier are those that wait for delivery.',
    offenders: `SELECT ${ORDER_PLACE}, COALESCE(o_carrier_id, 'no carrier') AS found,
        IF(no_o_id IS NULL, 'a carrier', 'no carrier') AS wanted FROM orders
        LEFT JOIN new_orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
        WHERE (o_carrier_id IS NULL) <> (no_o_id IS NOT NULL)
      UNION ALL SELECT CONCAT('warehouse ', no_w_id, ' district ', no_d_id, ' order ', no_o_id), 'no order', 'an order'
        FROM new_orders LEFT JOIN orders ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id
        WHERE o_id IS NULL`,
  },
  {
    id: '6',
    says: 'An order has as many lines as it says.',
    offenders: `SELECT ${ORDER_PLACE}, lines_found AS found, o_ol_cnt AS wanted FROM orders
      LEFT JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, COUNT(*) AS lines_found FROM order_line
        GROUP BY ol_w_id, ol_d_id, ol_o_id) AS a ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
      WHERE NOT lines_found <=> o_ol_cnt`,
  },
  {
    id: '7',
    says: 'Order lines without a date of delivery are those of orders without a carrier.',
    offenders: `SELECT ${ORDER_PLACE}, COALESCE(ol_delivery_d, 'no date') AS found,
      IF(o_carrier_id IS NULL, 'no date', 'a date') AS wanted FROM order_line
      JOIN orders ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id
      WHERE (ol_delivery_d IS NULL) <> (o_carrier_id IS NULL)`,
  },
  {
    id: '8',
    says: 'A warehouse has been paid what its history says.',
    offenders: `SELECT CONCAT('warehouse ', w_id) AS place, w_ytd AS found, SUM(h_amount) AS wanted
      FROM warehouse LEFT JOIN history ON h_w_id = w_id GROUP BY w_id, w_ytd HAVING NOT found <=> wanted`,
  },
  {
    id: '9',
    says: 'A district has been paid what its history says.',
    offenders: `SELECT ${DISTRICT_PLACE('d_w_id', 'd_id')}, d_ytd AS found, SUM(h_amount) AS wanted FROM district
      LEFT JOIN history ON h_w_id = d_w_id AND h_d_id = d_id GROUP BY d_w_id, d_id, d_ytd
      HAVING NOT found <=> wanted`,
  },
  {
    id: '10',
    says: 'A customer owes what was delivered less what was paid by the history.',
    offenders: `SELECT ${CUSTOMER_PLACE}, c_balance AS found, COALESCE(delivered, 0) - COALESCE(paid, 0) AS wanted
      FROM customer ${WITH_DELIVERED}
      LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid FROM history
        GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS payments
        ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id
      WHERE c_balance <> COALESCE(delivered, 0) - COALESCE(paid, 0)`,
  },
  {
    id: '11',
    says: 'A district has delivered 70 % of its first orders and one more for each delivery since.',
    offenders: `SELECT ${DISTRICT_PLACE('c_w_id', 'c_d_id')}, all_orders - COALESCE(waiting, 0) AS found,
      FLOOR(loaded * 0.7) + deliveries AS wanted FROM (${LOADED}) AS customers
      JOIN (SELECT o_w_id, o_d_id, COUNT(*) AS all_orders FROM orders GROUP BY o_w_id, o_d_id) AS a
        ON o_w_id = c_w_id AND o_d_id = c_d_id
      LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) AS waiting FROM new_orders GROUP BY no_w_id, no_d_id) AS b
        ON no_w_id = c_w_id AND no_d_id = c_d_id
      WHERE all_orders - COALESCE(waiting, 0) <> FLOOR(loaded * 0.7) + deliveries`,
  },
  {
    id: '12',
    says: 'What a customer owes and has paid is what was delivered.',
    offenders: `SELECT ${CUSTOMER_PLACE}, c_balance + c_ytd_payment AS found, COALESCE(delivered, 0) AS wanted
      FROM customer ${WITH_DELIVERED} WHERE c_balance + c_ytd_payment <> COALESCE(delivered, 0)`,
  },
  {
    id: 'stock',
    says: 'The stock of a warehouse has given away what was ordered of it, in as many lines, as many of them remote.',
    offenders: `SELECT CONCAT('warehouse ', s_w_id) AS place, CONCAT_WS(' ', pieces, times, remote_times) AS found,
      CONCAT_WS(' ', COALESCE(ordered, 0), COALESCE(all_lines, 0), COALESCE(remote_lines, 0)) AS wanted
      FROM (SELECT s_w_id, SUM(s_ytd) AS pieces, SUM(s_order_cnt) AS times, SUM(s_remote_cnt) AS remote_times
        FROM stock GROUP BY s_w_id) AS given
      LEFT JOIN (SELECT ol_supply_w_id, SUM(ol_quantity) AS ordered, COUNT(*) AS all_lines,
          SUM(ol_supply_w_id <> ol_w_id) AS remote_lines
        FROM order_line JOIN (${LOADED}) AS customers ON c_w_id = ol_w_id AND c_d_id = ol_d_id
        WHERE ol_o_id > loaded GROUP BY ol_supply_w_id) AS taken ON ol_supply_w_id = s_w_id
      HAVING found <> wanted`,
  },
];

/** Conditions 1 to 12 of clause 3.3.2 and one on the stock. */
export async function checkTpccConsistency(
  query: (sql: string) => Promise<(string | number | null)[][]>,
): Promise<ConsistencyCondition[]> {
  const conditions: ConsistencyCondition[] = [];
  for (const { id, says, offenders: sql } of CHECKS) {
    const [row] = await query(
      `SELECT COUNT(*), MIN(CONCAT(place, ': ', COALESCE(found, 'nothing'), ', not ', COALESCE(wanted, 'nothing')))
       FROM (${sql}) AS offenders`,
    );
    const offenders = Number(row?.[0]);
    const first = row?.[1] ?? null;
    conditions.push({ id, says, offenders, first: first === null ? null : String(first) });
  }
  return conditions;
}
