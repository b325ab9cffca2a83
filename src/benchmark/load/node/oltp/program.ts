import { countAnswer, type Counts } from '../windows.ts';
import { isBracketed, preparedStatements, type Step, transactions } from './transactions.ts';
import { DUPLICATE_KEY, errorNumber, ignoredError } from '../sql-error.ts';
import type { StatementRecorder } from '../statement-times.ts';
import type { Answer, ServerError } from '../wire/answer-reader.ts';
import { type Conversation, WireSession } from '../wire/session.ts';
import type { Draws, LoadProgram, PrepareOptions, WorkloadEngine } from '../workload-engine.ts';
import type { StatementKind } from '../../../../shared/model/measurements.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { LoadTarget } from '../../load-client.ts';
import type { SqlConnection } from '../connection.ts';
import { analyzeTables, packetRoom, runTasks, takesLocalRows, type PreparationTask } from '../preparation.ts';
import { createRandom } from '../../../random.ts';
import { LINE_FORM, LINES, ROW_BYTES, tableName, TableRows, TUPLE_FORM } from './rows.ts';

export type OltpSession = Pick<WireSession, 'prepare' | 'talk' | 'execute' | 'query' | 'close' | 'destroy'>;

export class OltpProgram implements LoadProgram, Conversation {
  readonly #session: OltpSession;
  readonly #sql: readonly string[];
  readonly #bracketed: boolean;
  readonly #next: () => Step[];
  readonly #times: StatementRecorder;
  /** The pending statement and its start by a cheaper clock, ms. */
  #kind: StatementKind | undefined;
  #sentAt = 0;
  #steps: Step[] = [];
  #sent = 0;
  #rollingBack = false;
  #lost: unknown;
  #run: { counts: Counts; done: (error?: unknown) => void } | undefined;

  constructor(session: OltpSession, workload: OltpWorkload, draws: Draws, times: StatementRecorder) {
    this.#session = session;
    this.#times = times;
    this.#sql = preparedStatements(workload);
    this.#bracketed = isBracketed(workload);
    this.#next = transactions(workload, draws);
  }

  async prepare(): Promise<void> {
    for (const sql of this.#sql) await this.#session.prepare(sql);
    this.#session.talk(this);
  }

  run(counts: Counts, done: (error?: unknown) => void): void {
    if (this.#lost !== undefined) return done(this.#lost);
    this.#run = { counts, done };
    this.#begin();
  }

  answered(answer: Answer): void {
    const run = this.#run;
    if (run === undefined) return;
    if (answer.error !== undefined) return this.#failed(answer.error, run.counts);
    countAnswer(run.counts, answer);
    if (this.#kind !== undefined) this.#times.record(this.#kind, (performance.now() - this.#sentAt) * 1000);
    if (this.#rollingBack) {
      this.#rollingBack = false;
      this.#begin();
    } else if (this.#sent < this.#steps.length) this.#send();
    else {
      run.counts.transactions += 1;
      this.#run = undefined;
      run.done();
    }
  }

  lost(error: unknown): void {
    this.#lost ??= error;
    const run = this.#run;
    this.#run = undefined;
    run?.done(error);
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #begin(): void {
    this.#steps = this.#next();
    this.#sent = 0;
    this.#send();
  }

  #send(): void {
    const step = this.#steps[this.#sent++];
    if (step === undefined) return;
    this.#kind = step.kind;
    this.#sentAt = performance.now();
    if ('text' in step) this.#session.query(step.text);
    else this.#session.execute(step.prepared, step.parameters);
  }

  #failed(error: ServerError, counts: Counts): void {
    const number = this.#rollingBack ? undefined : this.#ignoredError(error);
    if (number === undefined) return this.lost(error);
    counts.errors[number] = (counts.errors[number] ?? 0) + 1;
    if (!this.#bracketed) return this.#begin();
    // A lock timeout has rolled back only its statement. sysbench sends no ROLLBACK here, so its next BEGIN commits
    // half a transaction and a deleted row stays deleted.
    this.#rollingBack = true;
    this.#kind = undefined;
    this.#session.query('ROLLBACK');
  }

  /**
   * Without a transaction, two connections can delete the same row and both insert it; the duplicate is harmless.
   * sysbench ends there unless told to ignore 1062.
   */
  #ignoredError(error: ServerError): number | undefined {
    if (!this.#bracketed && errorNumber(error) === DUPLICATE_KEY) return DUPLICATE_KEY;
    return ignoredError(error);
  }
}

export const oltpEngine: WorkloadEngine<OltpWorkload> = {
  preparedStatements: (workload) => preparedStatements(workload).length,
  connect: async (target, workload, { draws, times, signal }) =>
    new OltpProgram(await WireSession.open(target, { signal }), workload, draws, times),
  prepareTables: prepareOltpTables,
};

const CONNECTIONS = 4;
const FIRST_STREAM = 0x10000;
/** Index creation as a share of the rows' time; measured with 250,000 rows a table. */
const INDEX_SHARE = 0.2;
/** About 64 KiB, so that connections alternate within a millisecond. */
const PART_ROWS = 300;
/** About 64 MiB, to bound transactions. */
const LOAD_ROWS = 300_000;

/**
 * sbtest1 … sbtestN as in sysbench 1.0 (oltp_common.lua): its columns, InnoDB, k by the workload's distribution, the
 * index after the rows. The same rows come by LOAD DATA LOCAL where allowed, otherwise by multi-row INSERTs. Rejects
 * with STORAGE_FULL, DATASET_FAILED, or STOPPED, and leaves no connection open.
 */
async function prepareOltpTables(
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
  const tasks = Array.from({ length: workload.tables }, (_, index): PreparationTask => async (connection) => {
    const table = tableName(index + 1);
    await connection.query(
      `CREATE TABLE ${table} (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0, ` +
        `c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id)) ENGINE=InnoDB`,
    );
    const rows = new TableRows(workload, createRandom(options.seed, FIRST_STREAM + index + 1));
    if (await takesLocalRows(connection)) await loadRows(connection, table, rows, onRows);
    await insertRows(connection, table, rows, onRows);
    await connection.query(`CREATE INDEX k_${index + 1} ON ${table} (k)`);
    await analyzeTables(connection, [table]);
    onRows(workload.tableSize * INDEX_SHARE);
  });
  await runTasks(target, tasks, { atOnce: options.connections ?? CONNECTIONS, signal: options.signal });
}

/** Sends nothing if the server refuses LOCAL. As `binary`, the ASCII needs no conversion and an eighth less CPU. */
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
