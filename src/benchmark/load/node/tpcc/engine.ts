import { BenchmarkError } from '../../../../shared/errors.ts';
import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import type { WorkloadEngine } from '../workload-engine.ts';

function notYet(): never {
  throw new BenchmarkError('LOAD_FAILED', { reason: 'tpcc is not there yet' });
}

/** TPC-C-like transactions. */
export const tpccEngine: WorkloadEngine<TpccWorkload> = {
  preparedStatements: () => 0,
  program: notYet,
  prepareTables: () => Promise.resolve().then(notYet),
};
