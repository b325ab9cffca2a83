import type { Workload } from '../../../shared/model/workload.ts';
import type { Random } from '../../../shared/random.ts';
import type { LoadTarget } from '../driver.ts';
import type { SqlConnection } from './connection.ts';
import { oltpEngine } from './oltp/engine.ts';
import { tpccEngine } from './tpcc/engine.ts';
import type { Counts } from './windows.ts';

/** What a load needs of a connection; tests play it. */
export type LoadSession = Pick<SqlConnection, 'prepare' | 'query' | 'close' | 'destroy'>;

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

/** One connection's transactions. */
export interface LoadProgram {
  /** Prepares every statement once. Rejects with the server's error. */
  prepare(): Promise<void>;
  /**
   * Runs one transaction and tells what was counted. One that meets an ignored error is rolled back and run again, as
   * sysbench does; what was sent before counts, too, and so does the ROLLBACK. Rejects with any other error.
   */
  run(): Promise<Counts>;
}

export interface PrepareOptions {
  /** The same seed gives the same rows. */
  seed: number;
  /** 0…1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
  /** How many tables are filled at a time. */
  connections?: number;
}

/** One family of workloads: its tables and its transactions. */
export interface WorkloadEngine<W extends Workload> {
  /** Server-side prepared statements that one connection holds. */
  preparedStatements(workload: W): number;
  program(session: LoadSession, workload: W, draws: Draws, connection: number): LoadProgram;
  /**
   * Creates and fills the tables, and has the optimizer's statistics computed so that they don't change under the
   * load. Rejects with STORAGE_FULL, DATASET_FAILED or STOPPED, and then leaves no connection open.
   */
  prepareTables(target: LoadTarget, workload: W, options: PrepareOptions): Promise<void>;
}

/** How many prepared statements one connection of a workload holds on the server. */
export function preparedStatementsOf(workload: Workload): number {
  return workload.kind === 'tpcc'
    ? tpccEngine.preparedStatements(workload)
    : oltpEngine.preparedStatements(workload);
}

/** `connection`: the connection's number in the whole load, from 0. */
export function createProgram(
  session: LoadSession,
  workload: Workload,
  draws: Draws,
  connection: number,
): LoadProgram {
  return workload.kind === 'tpcc'
    ? tpccEngine.program(session, workload, draws, connection)
    : oltpEngine.program(session, workload, draws, connection);
}

/** See `WorkloadEngine.prepareTables`. */
export function prepareTables(
  target: LoadTarget,
  workload: Workload,
  options: PrepareOptions,
): Promise<void> {
  return workload.kind === 'tpcc'
    ? tpccEngine.prepareTables(target, workload, options)
    : oltpEngine.prepareTables(target, workload, options);
}
