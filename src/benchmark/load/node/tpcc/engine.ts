import type { TpccWorkload } from '../../../../shared/model/workload.ts';
import { SqlConnection } from '../connection.ts';
import type { WorkloadEngine } from '../workload-engine.ts';
import { TPCC_STATEMENTS, TpccProgram } from './program.ts';
import { prepareTpccTables } from './tables.ts';

/** Tables and transactions after TPC-C. */
export const tpccEngine: WorkloadEngine<TpccWorkload> = {
  preparedStatements: () => TPCC_STATEMENTS.length,
  open: async (target, workload, { draws, connection, signal }) => {
    const session = await SqlConnection.open(target, { signal });
    const program = new TpccProgram(session, workload, draws, connection);
    try {
      await program.prepare();
      return program;
    } catch (error) {
      program.destroy();
      throw error;
    }
  },
  prepareTables: prepareTpccTables,
};
