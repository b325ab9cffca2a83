import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import { SqlConnection } from '../connection.ts';
import type { WorkloadEngine } from '../workload-engine.ts';
import { TPCC_STATEMENTS, TpccProgram } from './program.ts';
import { prepareTpccTables } from './tables.ts';

/** Tables and transactions after TPC-C. */
export const tpccEngine: WorkloadEngine<TpccWorkload> = {
  preparedStatements: () => TPCC_STATEMENTS.length,
  connect: async (target, workload, { draws, connection, signal }) =>
    new TpccProgram(await SqlConnection.open(target, { signal }), workload, draws, connection),
  prepareTables: prepareTpccTables,
};
