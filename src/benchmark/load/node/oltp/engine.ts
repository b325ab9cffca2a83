import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import { WireSession } from '../wire/session.ts';
import type { WorkloadEngine } from '../workload-engine.ts';
import { OltpProgram } from './program.ts';
import { preparedStatements } from './statements.ts';
import { prepareOltpTables } from './tables.ts';

/** sysbench's `oltp_*` workloads. */
export const oltpEngine: WorkloadEngine<OltpWorkload> = {
  preparedStatements: (workload) => preparedStatements(workload).length,
  connect: async (target, workload, { draws, times, signal }) =>
    new OltpProgram(await WireSession.open(target, { signal }), workload, draws, times),
  prepareTables: prepareOltpTables,
};
