import type { Workload } from '../../../shared/model/workload.ts';
import type { LoadSpec, LoadTarget } from '../load-client.ts';
import { oltpEngine } from './oltp/engine.ts';
import type { LoadNeeds } from './sql-error.ts';
import { tpccEngine } from './tpcc/program.ts';
import type { LoadProgram, OpenOptions, PrepareOptions } from './workload-engine.ts';

export function needsOf({ connections, workload }: Pick<LoadSpec, 'connections' | 'workload'>): LoadNeeds {
  const each =
    workload.kind === 'tpcc'
      ? tpccEngine.preparedStatements(workload)
      : oltpEngine.preparedStatements(workload);
  return { connections, preparedStatements: connections * each };
}

export async function openProgram(
  target: LoadTarget,
  workload: Workload,
  options: OpenOptions,
): Promise<LoadProgram> {
  const program =
    workload.kind === 'tpcc'
      ? await tpccEngine.connect(target, workload, options)
      : await oltpEngine.connect(target, workload, options);
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
    ? tpccEngine.prepareTables(target, workload, options)
    : oltpEngine.prepareTables(target, workload, options);
}
