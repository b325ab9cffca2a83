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
   * Resolves when the last transaction has ended. `startMs` is by the clock of `nowMs`. Rejects with the error that
   * ended a connection. `onCounted` is called when all that counts is counted.
   */
  slice(startMs: number, timing: SliceTiming, recorder: PartRecorder, onCounted: () => void): Promise<void>;
  readonly uncounted: number;
  drain(): void;
  /** Ends the slice now, and with it these connections: they can only be closed then. */
  cut(): void;
  close(): Promise<boolean>;
}
