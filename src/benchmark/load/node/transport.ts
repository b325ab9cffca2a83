import type { LoadSpec } from '../load-client.ts';
import type { FixedRateReport } from './rate.ts';
import type { PartRecorder, RecorderOptions } from './windows.ts';

/** Of the connections of a load. */
export interface WorkerShare {
  spec: LoadSpec;
  first: number;
  count: number;
}

/** How a worker drives its connections. */
export interface Connections {
  readonly recording: RecorderOptions;
  /** Logs in and prepares. Rejects with the first error, after aborting the other logins. */
  connect(connecting: AbortController): Promise<void>;
  /**
   * Drives all until the last transaction has ended. `startMs` by `nowMs`. Rejects with what ended a connection.
   */
  run(startMs: number, recorder: PartRecorder): Promise<{ fixedRate: FixedRateReport | null }>;
  /** Gives up transactions that last too long after the end, so that `run` resolves. */
  cut(): void;
  /** Ends after the running transactions; whether everything is at rest. */
  close(): Promise<boolean>;
}
