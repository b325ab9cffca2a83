import type { Workload } from '../../../shared/model/workload.ts';
import type { LoadSpec, LoadTarget, PrepareTablesOptions } from '../load-client.ts';
import { oltpKind } from './oltp/kind.ts';
import type { LoadNeeds } from './sql-error.ts';
import { tpccKind } from './tpcc/program.ts';
import type { LoadProgram, OpenOptions, WorkloadKind } from './workload-kind.ts';

function kindOf(workload: Workload): WorkloadKind {
  return workload.kind === 'tpcc' ? tpccKind(workload) : oltpKind(workload);
}

export function needsOf({ connections, workload }: Pick<LoadSpec, 'connections' | 'workload'>): LoadNeeds {
  return { connections, preparedStatements: connections * kindOf(workload).preparedStatements };
}

export async function openProgram(
  target: LoadTarget,
  workload: Workload,
  options: OpenOptions,
): Promise<LoadProgram> {
  const program = await kindOf(workload).connect(target, options);
  try {
    await program.prepare();
    return program;
  } catch (error) {
    program.destroy();
    throw error;
  }
}

export function prepareTables(
  target: LoadTarget,
  workload: Workload,
  options: PrepareTablesOptions,
): Promise<void> {
  return kindOf(workload).prepareTables(target, options);
}
