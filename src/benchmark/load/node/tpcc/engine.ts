import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import type { WorkloadEngine } from '../workload-engine.ts';
import { TPCC_STATEMENTS, TpccProgram } from './program.ts';
import { prepareTpccTables } from './tables.ts';

/** Tables and transactions after TPC-C. */
export const tpccEngine: WorkloadEngine<TpccWorkload> = {
  preparedStatements: () => TPCC_STATEMENTS.length,
  program: (session, workload, draws, connection) => new TpccProgram(session, workload, draws, connection),
  prepareTables: prepareTpccTables,
};
