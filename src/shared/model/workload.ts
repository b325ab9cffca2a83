import * as z from 'zod';
import { DISTRIBUTIONS, OLTP_KINDS } from './names.ts';

/** Tables and statements with sysbench's names and defaults (source: sysbench 1.0 oltp_common, described). */
export const oltpWorkloadSchema = z.strictObject({
  kind: z.enum(OLTP_KINDS),
  tables: z.number().int().min(1).max(64).default(4),
  tableSize: z.number().int().min(100).max(100_000_000).default(25_000),
  /** Rows of a range query. */
  rangeSize: z.number().int().min(1).default(100),
  /** How ids are drawn; parameters are sysbench's defaults (special 1 % / 75 %, pareto 0.2, zipfian 0.8). */
  distribution: z.enum(DISTRIBUTIONS).default('uniform'),
  /** Leave out BEGIN and COMMIT: every statement is a transaction of its own. */
  skipTransactions: z.boolean().default(false),
  /** Server-side prepared statements; off: every statement is sent as text. */
  preparedStatements: z.boolean().default(true),
});
export type OltpWorkload = z.infer<typeof oltpWorkloadSchema>;

/** Nine tables and five transactions after the TPC-C specification; not audited, never called tpmC. */
export const tpccWorkloadSchema = z.strictObject({
  kind: z.literal('tpcc'),
  /** About 100 MB each. */
  warehouses: z.number().int().min(1).max(10_000).default(1),
  /** `specification`: 45/43/4/4/4 from a deck; `sysbench-tpcc`: dice of 10/10/1/1/1 out of 23. */
  mix: z.enum(['specification', 'sysbench-tpcc']).default('specification'),
  /** Rows of the item table, 100,000 by the specification; fewer only for short looks: stock shrinks with it. */
  items: z.number().int().min(1_000).max(100_000).default(100_000),
  /** Customers of a district, 3,000 by the specification; orders shrink with it. */
  customersPerDistrict: z.number().int().min(30).max(3_000).default(3_000),
});
export type TpccWorkload = z.infer<typeof tpccWorkloadSchema>;

const byKind = z.discriminatedUnion('kind', [oltpWorkloadSchema, tpccWorkloadSchema]);

/** What the load does. Without a kind it is `oltp_read_write`. */
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

/** Bytes of a row of a sysbench table with its index (source: a published 10-million-row table of 2358 MB). */
const OLTP_ROW_BYTES = 236;
/** Bytes of a warehouse at full scale (source: published sysbench-tpcc databases, ≈100 MB a warehouse). */
const WAREHOUSE_BYTES = 100e6;
const ITEM_BYTES = 110;

/** Expected size of the tables, bytes. */
export function dataBytes(workload: Workload): number {
  if (!isTpcc(workload)) return workload.tables * workload.tableSize * OLTP_ROW_BYTES;
  // Stock is about a third of a warehouse; customers, their orders and order lines are the rest.
  const scale = workload.items / 300_000 + (workload.customersPerDistrict / 3_000) * (2 / 3);
  return Math.round(workload.warehouses * WAREHOUSE_BYTES * scale + workload.items * ITEM_BYTES);
}

/** Expected number of rows. */
export function rowCount(workload: Workload): number {
  if (!isTpcc(workload)) return workload.tables * workload.tableSize;
  const { warehouses, items, customersPerDistrict } = workload;
  // Per customer: itself, one history row, one order with ten lines on average, and 0.3 new orders.
  return Math.round(items + warehouses * (1 + 10 + items + 10 * customersPerDistrict * 13.3));
}
