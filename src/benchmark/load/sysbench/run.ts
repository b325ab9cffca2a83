import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals } from '../../../shared/model/measurements.ts';
import type { LoadEvent, LoadSpec } from '../driver.ts';

/** Runs sysbench as a child process of the load client. See `LoadDriver.run` for what it promises. */
export function runSysbenchLoad(
  _spec: LoadSpec,
  _on: (event: LoadEvent) => void,
  _signal: AbortSignal,
): Promise<Totals> {
  return Promise.reject(new BenchmarkError('LOAD_FAILED', { reason: 'sysbench is not there yet' }));
}
