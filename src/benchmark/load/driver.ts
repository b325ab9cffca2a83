import type { Totals, Window } from '../../shared/model/measurements.ts';
import type { Workload } from '../../shared/model/preset.ts';

/** Where the client finds the server, as seen from where the client runs. */
export interface LoadTarget {
  host: string;
  port: number;
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
  target: LoadTarget;
  workload: Workload;
  connections: number;
  warmupMs: number;
  durationMs: number;
  /** Seeds the random ids; two trials with the same seed draw the same ids. */
  seed: number;
}

/** What a driver tells while it runs. */
export type LoadEvent =
  { type: 'phase'; phase: 'connect' | 'warmup' | 'measure' } | { type: 'window'; window: Window };

/**
 * Produces load on a server. `run` resolves with what the measuring phase counted; its `measure` windows sum to
 * exactly that. It rejects with a `BenchmarkError` (CONNECTIONS_REFUSED, TOO_MANY_STATEMENTS, LOAD_FAILED,
 * CLIENT_LOST, STOPPED when `signal` aborts) and then leaves no connection open.
 */
export interface LoadDriver {
  /** Makes sure that the path carries real queries before any load is put on it. */
  check(target: LoadTarget, options: CheckOptions): Promise<Checked>;
  run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals>;
}
