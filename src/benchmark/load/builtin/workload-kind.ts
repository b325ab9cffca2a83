import type { Random } from '../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../load-client.ts';
import type { TimesRecorder } from './statement-times.ts';
import type { Counts } from './counts.ts';

export interface Draws {
  ids: Random;
  /** Values never repeat: an UPDATE to the same value changes nothing. */
  content: Random;
}

export interface LoadProgram {
  prepare(): Promise<void>;
  /**
   * `done` may run the next transaction. Ignored errors retry with new draws, as in sysbench (threads: with
   * the same).
   */
  run(counts: Counts, done: (error?: unknown) => void): void;
  close(): Promise<void>;
  destroy(): void;
}

export interface OpenOptions {
  draws: Draws;
  times: TimesRecorder;
  connection: number;
  signal: AbortSignal;
}

export interface WorkloadKind {
  /** Number for one connection. */
  preparedStatements: number;
  connect(target: LoadTarget, options: OpenOptions): Promise<LoadProgram>;
  /** Statistics are computed, too. */
  prepareTables(target: LoadTarget, options: PrepareTablesOptions): Promise<void>;
}
