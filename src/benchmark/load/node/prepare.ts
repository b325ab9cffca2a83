import type { Connection } from 'mysql2';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Workload } from '../../../shared/model/preset.ts';
import { createRandom } from '../../../shared/random.ts';
import type { LoadTarget } from '../driver.ts';
import { openConnection, query, serverError } from './connection.ts';
import { contentColumn, drawId, padColumn, tableName } from './oltp.ts';

/** Bytes of one INSERT: what sysbench uses, and far below any server's max_allowed_packet. */
const PACKET_BYTES = 512 * 1024;
/** Bytes of one row's values as text, rounded up: ids, 119 + 59 characters, quotes and commas. */
const ROW_BYTES = 215;
const ROWS_PER_INSERT = Math.floor(PACKET_BYTES / ROW_BYTES);
const FULL_ERRORS: ReadonlySet<number> = new Set([1021, 1114]);

/**
 * Creates and fills sbtest1 … sbtestN as sysbench does: its columns, InnoDB, the index on k made after the rows.
 * One connection a table, at most four at a time; the same seed gives the same rows.
 * Rejects with STORAGE_FULL, DATASET_FAILED or STOPPED.
 * Source of the table: sysbench 1.0 oltp_common.lua (described).
 */
export async function prepareTables(
  target: LoadTarget,
  workload: Workload,
  options: { seed: number; onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<void> {
  const total = workload.tables * workload.tableSize;
  let loaded = 0;
  const waiting = Array.from({ length: workload.tables }, (_, index) => index + 1);
  const work = async (): Promise<void> => {
    const connection = await openConnection(target);
    try {
      for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
        await fillTable(connection, number, workload, options, (rows) => {
          loaded += rows;
          options.onProgress(loaded / total);
        });
      }
    } finally {
      connection.destroy();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(4, workload.tables) }, work));
  } catch (error) {
    waiting.length = 0;
    if (error instanceof BenchmarkError) throw error;
    const { number, message } = serverError(error);
    throw number !== undefined && FULL_ERRORS.has(number)
      ? new BenchmarkError('STORAGE_FULL', { storage: 'dataset', reason: message }, { cause: error })
      : new BenchmarkError('DATASET_FAILED', { reason: message }, { cause: error });
  }
}

async function fillTable(
  connection: Connection,
  number: number,
  workload: Workload,
  options: { seed: number; signal: AbortSignal },
  onRows: (rows: number) => void,
): Promise<void> {
  const table = tableName(number);
  const random = createRandom((options.seed ^ Math.imul(number, 0x85ebca6b)) >>> 0);
  await query(
    connection,
    `CREATE TABLE ${table} (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0, ` +
      `c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id)) ENGINE=InnoDB`,
  );
  for (let row = 1; row <= workload.tableSize; row += ROWS_PER_INSERT) {
    if (options.signal.aborted) throw new BenchmarkError('STOPPED');
    const rows = Math.min(ROWS_PER_INSERT, workload.tableSize - row + 1);
    const values = Array.from(
      { length: rows },
      (_, index) =>
        `(${row + index},${drawId(workload, random)},'${contentColumn(random)}','${padColumn(random)}')`,
    );
    await query(connection, `INSERT INTO ${table} (id, k, c, pad) VALUES ${values.join(',')}`);
    onRows(rows);
  }
  await query(connection, `CREATE INDEX k_${number} ON ${table} (k)`);
  await query(connection, `ANALYZE TABLE ${table}`);
}
