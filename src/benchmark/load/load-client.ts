import * as z from 'zod';
import { msg, type Said } from '../../shared/message.ts';
import type { Totals, Window } from '../../shared/model/measurements.ts';
import { LOAD_GENERATORS, TRANSPORTS } from '../../shared/model/names.ts';
import { workloadSchema, type Workload } from '../../shared/model/workload.ts';
import { BenchmarkError } from '../../shared/errors.ts';

export const targetSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  socketPath: z.string().optional(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
});
export type LoadTarget = z.infer<typeof targetSchema>;

export interface CheckOptions {
  path: Said;
  budgetMs: number;
  times: number;
  signal: AbortSignal;
}

/** Medians over logins. */
export const checkedSchema = z.object({ connectUs: z.number(), roundTripUs: z.number() });
export type Checked = z.infer<typeof checkedSchema>;

export const openSpecSchema = z.object({
  loadGenerator: z.enum(LOAD_GENERATORS),
  target: targetSchema,
  workload: workloadSchema,
  connections: z.number().int().min(1),
  transport: z.enum(TRANSPORTS).optional(),
  /** Processes for the event loop; absent: one for two cores. */
  workers: z.number().int().min(1).optional(),
  seed: z.number().int(),
});
export type OpenSpec = z.infer<typeof openSpecSchema>;

export const timingSchema = z.object({ warmupMs: z.number().min(0), durationMs: z.number().positive() });
export type SliceTiming = z.infer<typeof timingSchema>;

export type LoadSpec = OpenSpec & SliceTiming;

/**
 * Connections count from their first end after the warm-up to their first after the duration. Such stopping
 * times leave the ratio unbiased (Wald's equation).
 */
export interface OpenLoad {
  /** Rejects like `LoadClient.run`; the load can then only be closed. */
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
  /** Milliseconds on one connection, without its login. Rejects with QUERY_FAILED or ACCESS_DENIED. */
  script(target: LoadTarget, statements: string[], signal: AbortSignal): Promise<number>;
  /** Rejects like `run`. */
  open(spec: OpenSpec, signal: AbortSignal): Promise<OpenLoad>;
  run(spec: LoadSpec, on: (event: LoadEvent) => void, signal: AbortSignal): Promise<Totals>;
}

/** Windows end every second, so longer silence is a pause. */
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
