import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import { createRandom } from '../../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../../load-client.ts';
import type { SqlConnection } from '../connection.ts';
import { analyzeTables, packetRoom, runTasks, takesLocalRows, type PreparationTask } from '../preparation.ts';
import { WireSession } from '../wire/session.ts';
import type { WorkloadKind } from '../workload-kind.ts';
import { OltpProgram } from './program.ts';
import { createTable, LINE_FORM, LINES, ROW_BYTES, tableName, TableRows, TUPLE_FORM } from './rows.ts';
import { preparedStatements } from './transactions.ts';

export const oltpKind = (workload: OltpWorkload): WorkloadKind => ({
  preparedStatements: preparedStatements(workload).length,
  connect: async (target, { draws, times, signal }) =>
    new OltpProgram(await WireSession.open(target, { signal }), workload, draws, times),
  prepareTables: (target, options) => prepareOltpTables(target, workload, options),
});

const CONNECTIONS = 4;
const FIRST_STREAM = 0x10000;
/** Measured with 250,000 rows a table. */
const INDEX_SHARE = 0.2;
/** About 64 KiB: connections alternate within a millisecond. */
const PART_ROWS = 300;
/** About 64 MiB bound a transaction. */
const LOAD_ROWS = 300_000;

/** Source: sysbench 1.0, oltp_common.lua. Rejects with STORAGE_FULL, DATASET_FAILED, or STOPPED. */
async function prepareOltpTables(
  target: LoadTarget,
  workload: OltpWorkload,
  options: PrepareTablesOptions,
): Promise<void> {
  const total = workload.tables * workload.tableSize * (1 + INDEX_SHARE);
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    options.onProgress(Math.min(1, done / total));
  };
  const tasks = Array.from({ length: workload.tables }, (_, index): PreparationTask => async (connection) => {
    const table = tableName(index + 1);
    await connection.query(createTable(table));
    const rows = new TableRows(workload, createRandom(options.seed, FIRST_STREAM + index + 1));
    if (await takesLocalRows(connection)) await loadRows(connection, table, rows, onRows);
    await insertRows(connection, table, rows, onRows);
    await connection.query(`CREATE INDEX k_${index + 1} ON ${table} (k)`);
    await analyzeTables(connection, [table]);
    onRows(workload.tableSize * INDEX_SHARE);
  });
  await runTasks(target, tasks, { atOnce: CONNECTIONS, signal: options.signal });
}

/** `binary` avoids a conversion, and uses an eighth less CPU. */
async function loadRows(
  connection: SqlConnection,
  table: string,
  rows: TableRows,
  onRows: (rows: number) => void,
): Promise<void> {
  while (rows.left > 0) {
    let due = Math.min(LOAD_ROWS, rows.left);
    const expected = due;
    const source = (): Buffer | undefined => {
      const part = Math.min(PART_ROWS, due);
      if (part === 0) return undefined;
      due -= part;
      onRows(part);
      return rows.next(part, LINE_FORM);
    };
    const taken = await connection.load(
      `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${table} CHARACTER SET binary ${LINES}`,
      source,
    );
    if (taken === undefined) return;
    // LOCAL turns row errors into warnings.
    if (taken !== expected) throw new Error(`LOAD DATA: ${taken} of ${expected} rows of ${table} were taken`);
  }
}

async function insertRows(
  connection: SqlConnection,
  table: string,
  rows: TableRows,
  onRows: (rows: number) => void,
): Promise<void> {
  if (rows.left === 0) return;
  const perInsert = Math.max(1, Math.floor((await packetRoom(connection)) / ROW_BYTES));
  while (rows.left > 0) {
    const count = Math.min(perInsert, rows.left);
    const tuples = rows.next(count, TUPLE_FORM);
    await connection.query(
      `INSERT INTO ${table} (id, k, c, pad) VALUES ${tuples.toString('latin1', 0, tuples.length - 1)}`,
    );
    onRows(count);
  }
}
