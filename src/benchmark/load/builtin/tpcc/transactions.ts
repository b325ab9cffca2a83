import {
  between,
  chance,
  decimal,
  decimalBetween,
  drawDistrict,
  drawOtherWarehouse,
  lastName,
  nonUniform,
  type Terminal,
} from './draw.ts';
import { STOCK_DISTRICT_COLUMNS } from './schema.ts';
import type { PreparedStatement, SqlAnswer, SqlConnection, SqlValue } from '../connection.ts';
import type { TimesRecorder } from '../statement-times.ts';
import { countAnswer, type Counts } from '../counts.ts';
import type { StatementKind } from '../../../../shared/model/names.ts';

export const TPCC_STATEMENTS: string[] = [];

export function statement(sql: string): string {
  TPCC_STATEMENTS.push(sql);
  return sql;
}

const SELECT_DISTRICT = statement(
  'SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? FOR UPDATE',
);
const UPDATE_DISTRICT = statement(
  'UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?',
);
const SELECT_CUSTOMER = statement(
  'SELECT c_discount, c_last, c_credit, w_tax FROM warehouse JOIN customer ON c_w_id = w_id ' +
    'WHERE w_id = ? AND c_d_id = ? AND c_id = ?',
);
const INSERT_ORDER = statement(
  'INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) ' +
    'VALUES (?, ?, ?, ?, NOW(), ?, ?)',
);
const INSERT_NEW_ORDER = statement('INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)');
const SELECT_ITEM = statement('SELECT i_price, i_name, i_data FROM item WHERE i_id = ?');
const SELECT_STOCK = STOCK_DISTRICT_COLUMNS.map((column) =>
  statement(`SELECT s_quantity, ${column}, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ? FOR UPDATE`),
);
const UPDATE_STOCK = statement(
  'UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, ' +
    's_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?',
);
const INSERT_LINE = statement(
  'INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ' +
    'ol_amount, ol_dist_info) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
);

interface OrderLine {
  item: number;
  supplyWarehouse: number;
  quantity: number;
}

interface NewOrderInput {
  warehouse: number;
  district: number;
  customer: number;
  /** A missing item in the last line rolls the order back. */
  lines: OrderLine[];
}

/** Source: clause 2.4.1. */
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
 * Source: clause 2.4.2. The district is locked first, so that no read can be stale. MariaDB since 11.6.2
 * refuses stock that changed since the first read (error 1020): one or two percent are retried.
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
    const [inStock, info] = await transaction.row(SELECT_STOCK[district - 1] ?? '', supplyWarehouse, item);
    const remote = supplyWarehouse === warehouse ? 0 : 1;
    const left = remaining(Number(inStock), quantity);
    await transaction.change(UPDATE_STOCK, left, quantity, remote, supplyWarehouse, item);
    const amount = decimal(priceCents * quantity, 2);
    const key = [order, district, warehouse, index + 1] as const;
    await transaction.change(INSERT_LINE, ...key, item, supplyWarehouse, quantity, amount, String(info));
  }
  return true;
}

/** Source: clause 2.4.2.2. */
export function remaining(inStock: number, quantity: number): number {
  return inStock >= quantity + 10 ? inStock - quantity : inStock - quantity + 91;
}

export type TpccSession = Pick<SqlConnection, 'prepare' | 'query' | 'close' | 'destroy'>;

export interface Transaction {
  rows(sql: string, ...values: SqlValue[]): Promise<unknown[][]>;
  row(sql: string, ...values: SqlValue[]): Promise<unknown[]>;
  change(sql: string, ...values: SqlValue[]): Promise<void>;
}

const CONTROL_KINDS: Record<'BEGIN' | 'COMMIT' | 'ROLLBACK', StatementKind | undefined> = {
  BEGIN: 'begin',
  COMMIT: 'commit',
  ROLLBACK: undefined,
};

const VERBS: [start: string, kind: StatementKind][] = [
  ['INSERT', 'insert'],
  ['UPDATE', 'update'],
  ['DELETE', 'delete'],
];

/** A locking read may wait for others. */
export function statementKind(sql: string): StatementKind {
  const verb = VERBS.find(([start]) => sql.startsWith(start));
  if (verb !== undefined) return verb[1];
  if (sql.endsWith('FOR UPDATE')) return 'lock';
  return /COUNT\(|ORDER BY|FROM order_line/.test(sql) ? 'range' : 'point';
}

export class TpccStatements {
  readonly #session: TpccSession;
  readonly #times: TimesRecorder;
  readonly #prepared = new Map<string, { kind: StatementKind; statement: PreparedStatement }>();

  constructor(session: TpccSession, times: TimesRecorder) {
    this.#session = session;
    this.#times = times;
  }

  async prepare(texts: readonly string[]): Promise<void> {
    for (const sql of texts) {
      this.#prepared.set(sql, { kind: statementKind(sql), statement: await this.#session.prepare(sql) });
    }
  }

  /** MySQL can't prepare BEGIN (error 1295). */
  async control(text: 'BEGIN' | 'COMMIT' | 'ROLLBACK', counts: Counts): Promise<void> {
    const sentAt = performance.now();
    countAnswer(counts, await this.#session.query(text));
    const kind = CONTROL_KINDS[text];
    if (kind !== undefined) this.#times.record(kind, (performance.now() - sentAt) * 1000);
  }

  transaction(counts: Counts): Transaction {
    const send = async (sql: string, values: SqlValue[]): Promise<SqlAnswer> => {
      const prepared = this.#prepared.get(sql);
      if (prepared === undefined) throw new Error(`not prepared: ${sql}`);
      const sentAt = performance.now();
      const answer = await prepared.statement(values);
      this.#times.record(prepared.kind, (performance.now() - sentAt) * 1000);
      countAnswer(counts, answer);
      return answer;
    };
    const rows = async (sql: string, values: SqlValue[]): Promise<unknown[][]> =>
      (await send(sql, values)).rows;
    return {
      rows: (sql, ...values) => rows(sql, values),
      row: async (sql, ...values) => {
        const [first] = await rows(sql, values);
        if (first === undefined) throw new Error(`no row for (${values.join(', ')}): ${sql}`);
        return first;
      },
      change: async (sql, ...values) => {
        await send(sql, values);
      },
    };
  }
}

// Without a cast, MariaDB adds a decimal and a text as floating point.
const AMOUNT = 'CAST(? AS DECIMAL(6,2))';
const UPDATE_WAREHOUSE = statement(`UPDATE warehouse SET w_ytd = w_ytd + ${AMOUNT} WHERE w_id = ?`);
const PAY_DISTRICT = statement(`UPDATE district SET d_ytd = d_ytd + ${AMOUNT} WHERE d_w_id = ? AND d_id = ?`);
const SELECT_WAREHOUSE = statement(
  'SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?',
);
const READ_DISTRICT = statement(
  'SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?',
);
const THIS_CUSTOMER = 'WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?';
const READ_CUSTOMER = statement(
  'SELECT c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, ' +
    `c_credit_lim, c_discount, c_balance FROM customer ${THIS_CUSTOMER} FOR UPDATE`,
);
const SELECT_DATA = statement(`SELECT c_data FROM customer ${THIS_CUSTOMER} FOR UPDATE`);
const PAY =
  `UPDATE customer SET c_balance = c_balance - ${AMOUNT}, c_ytd_payment = c_ytd_payment + ${AMOUNT}, ` +
  'c_payment_cnt = c_payment_cnt + 1';
const UPDATE_CUSTOMER = statement(`${PAY} ${THIS_CUSTOMER}`);
const UPDATE_CUSTOMER_AND_DATA = statement(`${PAY}, c_data = ? ${THIS_CUSTOMER}`);
const INSERT_HISTORY = statement(
  'INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) ' +
    'VALUES (?, ?, ?, ?, ?, NOW(), ?, ?)',
);

const DATA_LENGTH = 500;

interface PaymentInput {
  warehouse: number;
  district: number;
  customerWarehouse: number;
  customerDistrict: number;
  customer: CustomerChoice;
  amount: string;
}

/** Source: clause 2.5.1. */
export function drawPayment(terminal: Terminal): PaymentInput {
  const { warehouse, scale, draws } = terminal;
  const district = drawDistrict(terminal);
  const remote = chance(draws.ids, 15) && scale.warehouses > 1;
  return {
    warehouse,
    district,
    customerWarehouse: remote ? drawOtherWarehouse(terminal) : warehouse,
    customerDistrict: remote ? drawDistrict(terminal) : district,
    customer: drawCustomer(terminal),
    amount: decimalBetween(draws.content, 100, 500_000, 2),
  };
}

/** Source: clause 2.5.2. Sums are updated first, so that no read can be stale. */
export async function runPayment(transaction: Transaction, input: PaymentInput): Promise<boolean> {
  const { warehouse, district, customerWarehouse, customerDistrict, amount } = input;
  await transaction.change(UPDATE_WAREHOUSE, amount, warehouse);
  await transaction.change(PAY_DISTRICT, amount, warehouse, district);
  const [warehouseName] = await transaction.row(SELECT_WAREHOUSE, warehouse);
  const [districtName] = await transaction.row(READ_DISTRICT, warehouse, district);
  const id = await findCustomer(transaction, customerWarehouse, customerDistrict, input.customer);
  const customer = [customerWarehouse, customerDistrict, id] as const;
  const [credit] = await transaction.row(READ_CUSTOMER, ...customer);
  if (credit === 'BC') {
    const [data] = await transaction.row(SELECT_DATA, ...customer);
    const news = [id, customerDistrict, customerWarehouse, district, warehouse, amount].join(' ');
    const newData = `${news} ${String(data)}`.slice(0, DATA_LENGTH);
    await transaction.change(UPDATE_CUSTOMER_AND_DATA, amount, amount, newData, ...customer);
  } else await transaction.change(UPDATE_CUSTOMER, amount, amount, ...customer);
  const names = `${String(warehouseName)}    ${String(districtName)}`;
  const where = [customerDistrict, customerWarehouse, district, warehouse] as const;
  await transaction.change(INSERT_HISTORY, id, ...where, amount, names);
  return true;
}

/** Source: clauses 2.5.1.2 and 2.6.1.2. */
export type CustomerChoice = { id: number } | { lastName: string };

const WITH_NAME = 'FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?';
const COUNT_NAMESAKES = statement(`SELECT COUNT(*) ${WITH_NAME}`);
const PICK_NAMESAKE = statement(`SELECT c_id ${WITH_NAME} ORDER BY c_first LIMIT 1 OFFSET ?`);

export function drawCustomer({ scale, draws: { ids } }: Terminal): CustomerChoice {
  return chance(ids, 60)
    ? { lastName: lastName(nonUniform(ids, scale.names)) }
    : { id: nonUniform(ids, scale.customerIds) };
}

/** The namesake at n/2, rounded up (clause 2.5.2.2). */
export async function findCustomer(
  transaction: Transaction,
  warehouse: number,
  district: number,
  choice: CustomerChoice,
): Promise<number> {
  if ('id' in choice) return choice.id;
  const name = [warehouse, district, choice.lastName] as const;
  const [count] = await transaction.row(COUNT_NAMESAKES, ...name);
  const [id] = await transaction.row(PICK_NAMESAKE, ...name, Math.ceil(Number(count) / 2) - 1);
  return Number(id);
}
