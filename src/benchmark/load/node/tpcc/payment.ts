import { chance, decimalBetween, lastName, nonUniform } from './draw.ts';
import { drawDistrict, drawOtherWarehouse, type Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

// The cast keeps sums exact: MariaDB adds a decimal and a text as floating-point numbers.
const AMOUNT = 'CAST(? AS DECIMAL(6,2))';
const UPDATE_WAREHOUSE = `UPDATE warehouse SET w_ytd = w_ytd + ${AMOUNT} WHERE w_id = ?`;
const UPDATE_DISTRICT = `UPDATE district SET d_ytd = d_ytd + ${AMOUNT} WHERE d_w_id = ? AND d_id = ?`;
const SELECT_WAREHOUSE =
  'SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM warehouse WHERE w_id = ?';
const SELECT_DISTRICT =
  'SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM district WHERE d_w_id = ? AND d_id = ?';
const THIS_CUSTOMER = 'WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?';
const SELECT_CUSTOMER =
  'SELECT c_credit, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, ' +
  `c_credit_lim, c_discount, c_balance FROM customer ${THIS_CUSTOMER} FOR UPDATE`;
const SELECT_DATA = `SELECT c_data FROM customer ${THIS_CUSTOMER} FOR UPDATE`;
const PAY =
  `UPDATE customer SET c_balance = c_balance - ${AMOUNT}, c_ytd_payment = c_ytd_payment + ${AMOUNT}, ` +
  'c_payment_cnt = c_payment_cnt + 1';
const UPDATE_CUSTOMER = `${PAY} ${THIS_CUSTOMER}`;
const UPDATE_CUSTOMER_AND_DATA = `${PAY}, c_data = ? ${THIS_CUSTOMER}`;
const INSERT_HISTORY =
  'INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) ' +
  'VALUES (?, ?, ?, ?, ?, NOW(), ?, ?)';

export const PAYMENT_STATEMENTS = [
  UPDATE_WAREHOUSE,
  UPDATE_DISTRICT,
  SELECT_WAREHOUSE,
  SELECT_DISTRICT,
  SELECT_CUSTOMER,
  SELECT_DATA,
  UPDATE_CUSTOMER,
  UPDATE_CUSTOMER_AND_DATA,
  INSERT_HISTORY,
];

const DATA_LENGTH = 500;

export interface PaymentInput {
  warehouse: number;
  district: number;
  /** Where the customer lives: in 15 of 100 in another warehouse, if there is one. */
  customerWarehouse: number;
  customerDistrict: number;
  customer: CustomerChoice;
  /** Text of a decimal number, 1.00 to 5000.00. */
  amount: string;
}

/** Clause 2.5.1. */
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

/** Clause 2.5.2. Both sums are updated before anything is looked at, so that nothing seen can be out of date. */
export async function runPayment(transaction: Transaction, input: PaymentInput): Promise<boolean> {
  const { warehouse, district, customerWarehouse, customerDistrict, amount } = input;
  await transaction.change(UPDATE_WAREHOUSE, amount, warehouse);
  await transaction.change(UPDATE_DISTRICT, amount, warehouse, district);
  const [warehouseName] = await transaction.row(SELECT_WAREHOUSE, warehouse);
  const [districtName] = await transaction.row(SELECT_DISTRICT, warehouse, district);
  const id = await findCustomer(transaction, customerWarehouse, customerDistrict, input.customer);
  const customer = [customerWarehouse, customerDistrict, id] as const;
  const [credit] = await transaction.row(SELECT_CUSTOMER, ...customer);
  if (credit === 'BC') {
    const [data] = await transaction.row(SELECT_DATA, ...customer);
    const news = [id, customerDistrict, customerWarehouse, district, warehouse, amount].join(' ');
    const kept = `${news} ${String(data)}`.slice(0, DATA_LENGTH);
    await transaction.change(UPDATE_CUSTOMER_AND_DATA, amount, amount, kept, ...customer);
  } else await transaction.change(UPDATE_CUSTOMER, amount, amount, ...customer);
  const names = `${String(warehouseName)}    ${String(districtName)}`;
  const where = [customerDistrict, customerWarehouse, district, warehouse] as const;
  await transaction.change(INSERT_HISTORY, id, ...where, amount, names);
  return true;
}

/** How Payment and Order-Status name a customer: in 60 of 100 by last name, else by number (clauses 2.5.1.2, 2.6.1.2). */
export type CustomerChoice = { id: number } | { lastName: string };

const WITH_NAME = 'FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?';
const COUNT_NAMESAKES = `SELECT COUNT(*) ${WITH_NAME}`;
const PICK_NAMESAKE = `SELECT c_id ${WITH_NAME} ORDER BY c_first LIMIT 1 OFFSET ?`;
export const CUSTOMER_STATEMENTS = [COUNT_NAMESAKES, PICK_NAMESAKE];

/** A customer by last name in 60 of 100 cases, else by number. */
export function drawCustomer({ scale, draws: { ids } }: Terminal): CustomerChoice {
  return chance(ids, 60)
    ? { lastName: lastName(nonUniform(ids, scale.names)) }
    : { id: nonUniform(ids, scale.customerIds) };
}

/** The number of a customer; of n with one last name, by first name, the one at position n/2 rounded up (clause 2.5.2.2). */
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
