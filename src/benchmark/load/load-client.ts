import { msg, type Said } from '../../shared/message.ts';
import type { Totals, Window } from '../../shared/model/measurements.ts';
import type { Transport, LoadGenerator } from '../../shared/model/names.ts';
import type { Workload } from '../../shared/model/workload.ts';
import { BenchmarkError } from '../../shared/errors.ts';

export interface LoadTarget {
  host: string;
  port: number;
  socketPath?: string | undefined;
  user: string;
  password: string;
  database: string;
}

export interface CheckOptions {
  path: Said;
  budgetMs: number;
  times: number;
  signal: AbortSignal;
}

/** Medians over logins, µs. */
export interface Checked {
  connectUs: number;
  roundTripUs: number;
}

export interface OpenSpec {
  loadGenerator: LoadGenerator;
  target: LoadTarget;
  workload: Workload;
  connections: number;
  transport?: Transport | undefined;
  /** For the event loop; absent: one for two cores. */
  workers?: number | undefined;
  seed: number;
}

export interface SliceTiming {
  warmupMs: number;
  durationMs: number;
}

export interface LoadSpec extends OpenSpec, SliceTiming {}

/**
 * Counts each connection's transactions from the first end after the warm-up until the first end
 * after the duration, over exactly this time: both are stopping times, so transactions under way don't bias the
 * ratio (Wald's equation).
 */
export interface OpenLoad {
  /**
   * Resolves with the sum of the `measure` windows. Rejects like `LoadClient.run`; then the load can only be
   * closed.
   */
  slice(timing: SliceTiming, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals>;
  close(): Promise<void>;
}

export type LoadEvent =
  { type: 'phase'; phase: 'connect' | 'warmup' | 'measure' } | { type: 'window'; window: Window };

export interface PrepareTablesOptions {
  seed: number;
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

/**
 * `run` resolves with the sum of its `measure` windows. It rejects with CONNECTIONS_REFUSED,
 * TOO_MANY_STATEMENTS, LOAD_FAILED, INTERRUPTED, CLIENT_LOST, CLIENT_CRASHED, or STOPPED.
 */
export interface LoadClient {
  check(target: LoadTarget, options: CheckOptions): Promise<Checked>;
  prepare(target: LoadTarget, workload: Workload, options: PrepareTablesOptions): Promise<void>;
  query(target: LoadTarget, sql: string, signal: AbortSignal): Promise<(string | number | null)[][]>;
  /** On one connection; resolves with the time without the login, ms. Rejects with QUERY_FAILED. */
  script(target: LoadTarget, statements: string[], signal: AbortSignal): Promise<number>;
  /** Rejects like `run`. */
  open(spec: OpenSpec, signal: AbortSignal): Promise<OpenLoad>;
  run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals>;
}

/** Windows end every second: a longer silence is a pause. */
export const PAUSE_MS = 2500;

export function checkInterrupted({ excludedMs }: Pick<Totals, 'excludedMs'>, measuredMs: number): void {
  if (excludedMs <= measuredMs / 2) return;
  throw new BenchmarkError('INTERRUPTED', {
    reason: msg('load.interrupted', {
      seconds: Math.round(excludedMs / 1000),
      all: Math.round(measuredMs / 1000),
    }),
  });
}
