import type { Workload } from '../../../shared/model/workload.ts';
import type { LoadSpec, LoadTarget } from '../load-client.ts';
import { oltpKind } from './oltp/kind.ts';
import type { LoadNeeds } from './sql-error.ts';
import { tpccKind } from './tpcc/program.ts';
import type { LoadProgram, OpenOptions, PrepareOptions } from './workload-kind.ts';

export function needsOf({ connections, workload }: Pick<LoadSpec, 'connections' | 'workload'>): LoadNeeds {
  const each =
    workload.kind === 'tpcc' ? tpccKind.preparedStatements(workload) : oltpKind.preparedStatements(workload);
  return { connections, preparedStatements: connections * each };
}

export async function openProgram(
  target: LoadTarget,
  workload: Workload,
  options: OpenOptions,
): Promise<LoadProgram> {
  const program =
    workload.kind === 'tpcc'
      ? await tpccKind.connect(target, workload, options)
      : await oltpKind.connect(target, workload, options);
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
  options: PrepareOptions,
): Promise<void> {
  return workload.kind === 'tpcc'
    ? tpccKind.prepareTables(target, workload, options)
    : oltpKind.prepareTables(target, workload, options);
}
