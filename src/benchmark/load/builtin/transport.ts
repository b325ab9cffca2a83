import type { OpenSpec, SliceTiming } from '../load-client.ts';
import type { PartRecorder, RecorderOptions } from './windows.ts';

export interface WorkerShare {
  spec: OpenSpec;
  first: number;
  count: number;
}

export interface Connections {
  readonly recording: RecorderOptions;
  /** The system's ids; empty if unknown. */
  readonly threads: readonly string[];
  connect(connecting: AbortController): Promise<void>;
  /**
   * Rejects with the error of a connection. `startMs` is by the clock of `nowMs`. `onCounted` comes when all
   * is counted.
   */
  slice(startMs: number, timing: SliceTiming, recorder: PartRecorder, onCounted: () => void): Promise<void>;
  readonly uncounted: number;
  drain(): void;
  /** Afterwards, the connections can only be closed. */
  cut(): void;
  close(): Promise<boolean>;
}
