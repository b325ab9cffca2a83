import type { Workload } from '../../../shared/model/workload.ts';

/** Why sysbench can't run a workload; undefined when it can. */
export function sysbenchCan(workload: Workload): string | undefined {
  if (workload.kind === 'tpcc') return 'sysbench itself has no TPC-C; the node driver runs it.';
  return workload.kind === 'oltp_complex'
    ? 'sysbench 1.0 has no script for the complex mode of 0.4; the node driver runs it.'
    : undefined;
}
