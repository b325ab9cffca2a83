import type { Random } from '../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../load-client.ts';
import type { TimesRecorder } from './statement-times.ts';
import type { Counts } from './counts.ts';

export interface Draws {
  ids: Random;
  /** These draws are never repeated on the same data: an UPDATE to the same value changes nothing. */
  content: Random;
}

export interface LoadProgram {
  prepare(): Promise<void>;
  /**
   * Calls `done`, which may run the next transaction. Ignored errors roll back and retry with new draws, as in sysbench
   * (threads retry the same transaction); all statements that were sent count. Other errors go to `done`.
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
  /** Prepared statements of one connection. */
  preparedStatements: number;
  connect(target: LoadTarget, options: OpenOptions): Promise<LoadProgram>;
  /** Computes statistics, too, which stay stable under load. */
  prepareTables(target: LoadTarget, options: PrepareTablesOptions): Promise<void>;
}
