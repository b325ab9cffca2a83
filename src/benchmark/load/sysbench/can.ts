import type { Workload } from '../../../shared/model/workload.ts';

/**
 * Why sysbench 1.0.20, which the client image has, can't run a workload; undefined when it can (source: its own scripts
 * in /usr/share/sysbench, and `sysbench --help`, which lists uniform, gaussian, special and pareto only).
 */
export function sysbenchCan(workload: Workload): string | undefined {
  if (workload.kind === 'tpcc') return 'sysbench itself has no TPC-C; the node driver runs it.';
  if (workload.kind === 'oltp_complex') {
    return 'sysbench 1.0 has no script for the complex mode of 0.4; the node driver runs it.';
  }
  return workload.distribution === 'zipfian'
    ? 'sysbench 1.0 can’t draw zipfian ids, 1.1 was to bring them; the node driver draws them.'
    : undefined;
}
