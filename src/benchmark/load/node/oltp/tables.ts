import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { LoadTarget } from '../../driver.ts';
import type { SqlConnection } from '../connection.ts';
import { analyseTables, packetRoom, runTasks, type PreparationTask } from '../preparation.ts';
import { createStream } from '../prng.ts';
import type { PrepareOptions } from '../workload-engine.ts';
import { idDraws } from './distribution.ts';
import { contentColumn, padColumn, tableName } from './rows.ts';

/** Bytes of one row as text, rounded up: id, k, 119 + 59 characters, quotes, brackets and commas. */
const ROW_BYTES = 215;
const CONNECTIONS = 4;
/** Tables draw from other streams than the load's connections, which count from 0. */
const FIRST_STREAM = 0x10000;
/** What the index costs beside the rows, as a share of the rows' time; seen with 25,000 rows a table. */
const INDEX_SHARE = 0.2;

/**
 * Creates and fills sbtest1 … sbtestN as sysbench does: its columns, InnoDB, k drawn by the workload's distribution,
 * the index on k made after the rows.
 * Then the optimizer's statistics are computed, so that they don't change under the load.
 * Rejects with STORAGE_FULL, DATASET_FAILED or STOPPED, and then leaves no connection open.
 * Source of the table: sysbench 1.0 oltp_common.lua (described).
 */
export async function prepareOltpTables(
  target: LoadTarget,
  workload: OltpWorkload,
  options: PrepareOptions,
): Promise<void> {
  const total = workload.tables * workload.tableSize * (1 + INDEX_SHARE);
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    options.onProgress(Math.min(1, done / total));
  };
  const tasks = Array.from(
    { length: workload.tables },
    (_, index): PreparationTask =>
      (connection) =>
        fillTable(connection, index + 1, workload, options.seed, onRows),
  );
  await runTasks(target, tasks, { atOnce: options.connections ?? CONNECTIONS, signal: options.signal });
}

async function fillTable(
  connection: SqlConnection,
  number: number,
  workload: OltpWorkload,
  seed: number,
  onRows: (rows: number) => void,
): Promise<void> {
  const table = tableName(number);
  const random = createStream(seed, FIRST_STREAM + number);
  const drawK = idDraws[workload.distribution];
  const rowsPerInsert = Math.max(1, Math.floor((await packetRoom(connection)) / ROW_BYTES));
  await connection.query(
    `CREATE TABLE ${table} (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0, ` +
      `c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id)) ENGINE=InnoDB`,
  );
  for (let id = 1; id <= workload.tableSize; id += rowsPerInsert) {
    const rows = Math.min(rowsPerInsert, workload.tableSize - id + 1);
    const values: string[] = [];
    for (let row = id; row < id + rows; row++) {
      const k = drawK(workload.tableSize, random);
      values.push(`(${row},${k},'${contentColumn(random)}','${padColumn(random)}')`);
    }
    await connection.query(`INSERT INTO ${table} (id, k, c, pad) VALUES ${values.join(',')}`);
    onRows(rows);
  }
  await connection.query(`CREATE INDEX k_${number} ON ${table} (k)`);
  await analyseTables(connection, [table]);
  onRows(workload.tableSize * INDEX_SHARE);
}
