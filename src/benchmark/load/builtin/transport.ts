import type { OpenSpec, SliceTiming } from '../load-client.ts';
import type { PartRecorder, RecorderOptions } from './windows.ts';

export interface WorkerShare {
  spec: OpenSpec;
  first: number;
  count: number;
}

export interface Connections {
  readonly recording: RecorderOptions;
  /** The system's ids of the threads that run the load; empty where it has none. */
  readonly threads: readonly string[];
  connect(connecting: AbortController): Promise<void>;
  /**
   * Resolves when the last transaction has ended. `startMs` by `nowMs`. Rejects with what ended a connection.
   * `onCounted`: all that counts is counted.
   */
  slice(startMs: number, timing: SliceTiming, recorder: PartRecorder, onCounted: () => void): Promise<void>;
  readonly uncounted: number;
  drain(): void;
  /** Ends the slice now, and with it these connections: after it they can only be closed. */
  cut(): void;
  close(): Promise<boolean>;
}
