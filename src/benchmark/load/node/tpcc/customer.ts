import { chance, lastName, nonUniform } from './draw.ts';
import type { Terminal } from './terminal.ts';
import type { Transaction } from './transaction.ts';

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
