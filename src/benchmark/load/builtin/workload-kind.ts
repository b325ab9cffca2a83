import type { Random } from '../../random.ts';
import type { LoadTarget, PrepareTablesOptions } from '../load-client.ts';
import type { TimesRecorder } from './statement-times.ts';
import type { Counts } from './counts.ts';

export interface Draws {
  ids: Random;
  /** Never repeated on the same data: an UPDATE to the same value changes nothing. */
  content: Random;
}

export interface LoadProgram {
  prepare(): Promise<void>;
  /**
   * Calls `done`, which may run the next. Ignored errors roll back and retry with new draws, as in sysbench
   * (threads retry the same transaction); what was sent counts. Other errors go to `done`.
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

export interface PrepareOptions extends PrepareTablesOptions {
  connections?: number;
}

export interface WorkloadKind {
  /** Of a connection. */
  preparedStatements: number;
  connect(target: LoadTarget, options: OpenOptions): Promise<LoadProgram>;
  /** Statistics are computed, too, and stay stable under load. */
  prepareTables(target: LoadTarget, options: PrepareOptions): Promise<void>;
}
