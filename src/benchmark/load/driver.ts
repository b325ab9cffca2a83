import type { Totals, Window } from '../../shared/model/measurements.ts';
import type { DriverKind } from '../../shared/model/names.ts';
import type { Workload } from '../../shared/model/workload.ts';

/** Where the client finds the server, as seen from where the client runs. */
export interface LoadTarget {
  host: string;
  port: number;
  /** Socket file of the server; then host and port are not used. */
  socketPath?: string | undefined;
  user: string;
  password: string;
  database: string;
}

export interface CheckOptions {
  /** The path's name, for the message. */
  path: string;
  budgetMs: number;
  /** How many logins in a row must succeed. */
  times: number;
  signal: AbortSignal;
}

/** Medians over the successful logins, µs. */
export interface Checked {
  /** TCP connection and login. */
  connectUs: number;
  /** SELECT 1 on an open connection. */
  roundTripUs: number;
}

export interface LoadSpec {
  /** What produces the load; sysbench only runs where it is installed, in the client image. */
  driver: DriverKind;
  target: LoadTarget;
  workload: Workload;
  connections: number;
  /**
   * Transactions per second that begin at planned, random moments (Poisson); absent: each connection asks again as soon
   * as it is answered. Only the node driver holds a rate.
   */
  rate?: number | undefined;
  warmupMs: number;
  durationMs: number;
  /** Seeds the random ids; two trials with the same seed draw the same ids. */
  seed: number;
}

/** What a driver tells while it runs. */
export type LoadEvent =
  { type: 'phase'; phase: 'connect' | 'warmup' | 'measure' } | { type: 'window'; window: Window };

/** How far the preparation of tables is, and how it is stopped. */
export interface PrepareTablesOptions {
  /** The same seed gives the same rows. */
  seed: number;
  /** 0…1. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * A client of a server, here or in a container: checks the path, fills tables, asks, and produces load. `run` resolves with what the measuring phase counted; its `measure` windows sum to
 * exactly that. It rejects with a `BenchmarkError` (CONNECTIONS_REFUSED, TOO_MANY_STATEMENTS, LOAD_FAILED,
 * RATE_NOT_HELD, INTERRUPTED, CLIENT_LOST, STOPPED when `signal` aborts) and then leaves no connection open.
 */
export interface LoadDriver {
  /** Makes sure that the path carries real queries before any load is put on it. */
  check(target: LoadTarget, options: CheckOptions): Promise<Checked>;
  /** Creates and fills a workload's tables. Rejects with STORAGE_FULL, DATASET_FAILED, CLIENT_LOST or STOPPED. */
  prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void>;
  /** The rows of one statement run as text. Rejects with QUERY_FAILED, ACCESS_DENIED, CLIENT_LOST or STOPPED. */
  query(target: LoadTarget, sql: string, signal: AbortSignal): Promise<(string | number | null)[][]>;
  run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals>;
}
