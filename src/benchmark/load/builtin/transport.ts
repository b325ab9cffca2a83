import type { OpenSpec, SliceTiming } from '../load-client.ts';
import type { FixedRateReport } from './rate.ts';
import type { PartRecorder, RecorderOptions } from './windows.ts';

export interface WorkerShare {
  spec: OpenSpec;
  first: number;
  count: number;
}

export interface Connections {
  readonly recording: RecorderOptions;
  connect(connecting: AbortController): Promise<void>;
  /**
   * Drives all until `drain`, and resolves when the last transaction has ended. `startMs` by `nowMs`. Rejects with what
   * ended a connection. Calls `onCounted` when all that counts is counted; only then may it be drained.
   */
  slice(
    startMs: number,
    timing: SliceTiming,
    recorder: PartRecorder,
    onCounted: () => void,
  ): Promise<FixedRateReport | null>;
  /** Transactions of the latest slice that ended outside of what counts. */
  readonly uncounted: number;
  /** Begins no more transactions in this slice. */
  drain(): void;
  /** Gives up transactions that last too long after the end, so that `slice` resolves. */
  cut(): void;
  /** Ends after the running transactions; whether everything is at rest. */
  close(): Promise<boolean>;
}
