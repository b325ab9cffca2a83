import type { LoadSpec } from '../load-client.ts';
import type { FixedRateReport } from './rate.ts';
import type { PartRecorder, RecorderOptions } from './windows.ts';

export interface WorkerShare {
  spec: LoadSpec;
  first: number;
  count: number;
}

export interface Connections {
  readonly recording: RecorderOptions;
  connect(connecting: AbortController): Promise<void>;
  /** Drives all until the last transaction has ended. Rejects with what ended a connection. */
  run(startMs: number, recorder: PartRecorder): Promise<{ fixedRate: FixedRateReport | null }>;
  /** Gives up transactions that last too long after the end, so that `run` resolves. */
  cut(): void;
  /** Ends after the running transactions; whether everything is at rest. */
  close(): Promise<boolean>;
}
