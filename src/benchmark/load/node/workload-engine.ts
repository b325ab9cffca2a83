import type { Workload } from '../../../shared/model/workload.ts';
import type { Random } from '../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../driver.ts';
import type { StatementTimes } from './statement-times.ts';
import type { Counts } from './windows.ts';

/** Where a transaction's random values come from. */
export interface Draws {
  /** Tables, row ids, everything that decides which rows are touched. */
  ids: Random;
  /**
   * What is written into rows; never the same numbers twice on the same data: an UPDATE that writes what is there
   * already changes nothing, and would make a repeated trial cheaper than the first.
   */
  content: Random;
}

/** One connection and its transactions. */
export interface LoadProgram {
  /** Prepares every statement once, before anything runs. Rejects with the server's error. */
  prepare(): Promise<void>;
  /**
   * Runs one transaction, adds what was counted to `counts`, and calls `done`, which may run the next one. One that meets
   * an ignored error is rolled back and run again, as sysbench does; what was sent before counts, too, and so does the
   * ROLLBACK. `done` gets any other error, and what ended the connection.
   */
  run(counts: Counts, done: (error?: unknown) => void): void;
  /** Says goodbye after the statement that is running. */
  close(): Promise<void>;
  /** Cuts the connection; a transaction that is running is done with an error. */
  destroy(): void;
}

export interface OpenOptions {
  draws: Draws;
  /** Gets the times of single statements. */
  times: StatementTimes;
  /** The connection's number in the whole load, from 0. */
  connection: number;
  /** Aborting ends the connection at any time. */
  signal: AbortSignal;
}

export interface PrepareOptions extends PrepareTablesOptions {
  /** How many tables are filled at a time. */
  connections?: number;
}

/** One family of workloads: its tables and its transactions. */
export interface WorkloadEngine<W extends Workload> {
  /** Server-side prepared statements that one connection holds. */
  preparedStatements(workload: W): number;
  /** Connects and logs in. Rejects with the socket's or the server's own error. */
  connect(target: LoadTarget, workload: W, options: OpenOptions): Promise<LoadProgram>;
  /**
   * Creates and fills the tables, and has the optimizer's statistics computed so that they don't change under the
   * load. Rejects with STORAGE_FULL, DATASET_FAILED or STOPPED, and then leaves no connection open.
   */
  prepareTables(target: LoadTarget, workload: W, options: PrepareOptions): Promise<void>;
}
