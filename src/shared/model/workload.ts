import * as z from 'zod';
import { DISTRIBUTIONS, OLTP_KINDS } from './names.ts';

export const LEAST_ROWS = { tableSize: 100, items: 1_000, customersPerDistrict: 30 };

/** sysbench's names and defaults (sysbench 1.0, oltp_common). */
export const oltpWorkloadSchema = z.strictObject({
  kind: z.enum(OLTP_KINDS).describe("Mix of statements, named after sysbench's scripts."),
  tables: z.number().int().min(1).max(64).default(4).describe('Number of tables.'),
  tableSize: z
    .number()
    .int()
    .min(LEAST_ROWS.tableSize)
    .max(100_000_000)
    .default(25_000)
    .describe('Rows of each table, of about 236 bytes each.'),
  rangeSize: z.number().int().min(1).default(100).describe('Rows that a range query reads.'),
  distribution: z
    .enum(DISTRIBUTIONS)
    .default('uniform')
    .describe(
      "How the accesses are distributed over the rows, with sysbench's parameters. `special`: 75% of accesses go to 1% of the rows; `pareto`: 0.2; `zipfian`: 0.8.",
    ),
  skipTransactions: z
    .boolean()
    .default(false)
    .describe('True leaves out BEGIN and COMMIT, so that every statement is a transaction.'),
  preparedStatements: z
    .boolean()
    .default(true)
    .describe(
      'True uses server-side prepared statements, except for `oltp_insert`; false sends every statement as text.',
    ),
});
export type OltpWorkload = z.infer<typeof oltpWorkloadSchema>;

/** Nine tables and five transactions after the TPC-C specification; not audited, never called tpmC. */
export const tpccWorkloadSchema = z.strictObject({
  kind: z
    .literal('tpcc')
    .describe('Nine tables and five transactions of the TPC-C specification; not audited.'),
  warehouses: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(1)
    .describe('Number of warehouses, of about 100 MB each.'),
  mix: z
    .enum(['specification', 'sysbench-tpcc'])
    .default('specification')
    .describe(
      'Of 23 transactions, 10 are new orders, 10 are payments, and one is of each other type. ' +
        '`specification`: dealt from a shuffled deck; `sysbench-tpcc`: each drawn independently.',
    ),
  items: z
    .number()
    .int()
    .min(LEAST_ROWS.items)
    .max(100_000)
    .default(100_000)
    .describe(
      'Rows of the item table, 100,000 in the specification. Fewer rows, which also mean less stock, are for quick tests only.',
    ),
  customersPerDistrict: z
    .number()
    .int()
    .min(LEAST_ROWS.customersPerDistrict)
    .max(3_000)
    .default(3_000)
    .describe('Customers of each district, 3,000 in the specification. Fewer also mean fewer orders.'),
});
export type TpccWorkload = z.infer<typeof tpccWorkloadSchema>;

const byKind = z.discriminatedUnion('kind', [oltpWorkloadSchema, tpccWorkloadSchema]);

export const workloadSchema = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('kind' in value)
      ? { kind: 'oltp_read_write', ...value }
      : value,
  byKind,
);
export type Workload = z.infer<typeof workloadSchema>;

export function isTpcc(workload: Workload): workload is TpccWorkload {
  return workload.kind === 'tpcc';
}

/** A published table of 10 million rows, with its index: 2358 MB. */
export const OLTP_ROW_BYTES = 236;
/**
 * Bytes of a full warehouse on MySQL 9.7.4 and MariaDB 11.8.6: 104 MB loaded by one connection, 109 to 112 MB
 * by four; files 142 to 155 MB.
 */
const ITEM_BYTES = 100;
const STOCK_BYTES = 410;
const CUSTOMER_BYTES = 2_000;

export function dataBytes(workload: Workload): number {
  if (!isTpcc(workload)) return workload.tables * workload.tableSize * OLTP_ROW_BYTES;
  const { warehouses, items, customersPerDistrict } = workload;
  const warehouse = items * STOCK_BYTES + 10 * customersPerDistrict * CUSTOMER_BYTES;
  return items * ITEM_BYTES + warehouses * warehouse;
}

export function rowCount(workload: Workload): number {
  if (!isTpcc(workload)) return workload.tables * workload.tableSize;
  const { warehouses, items, customersPerDistrict } = workload;
  // Per customer: itself, a history row, an order with ten lines, and 0.3 new orders.
  return Math.round(items + warehouses * (1 + 10 + items + 10 * customersPerDistrict * 13.3));
}

export const TPCC_TYPES = ['new_order', 'payment', 'order_status', 'delivery', 'stock_level'] as const;
export type TpccType = (typeof TPCC_TYPES)[number];
