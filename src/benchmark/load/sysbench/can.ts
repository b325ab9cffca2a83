import type { Workload } from '../../../shared/model/workload.ts';
import { sysbenchLacks } from '../../../shared/preset/sysbench-options.ts';

const REASONS = {
  tpcc: 'sysbench itself has no TPC-C; the node driver runs it.',
  complex: 'sysbench 1.0 has no script for the complex mode of 0.4; the node driver runs it.',
  zipfian: 'sysbench 1.0 can’t draw zipfian ids, 1.1 was to bring them; the node driver draws them.',
};

/** Why sysbench 1.0.20, which the client image has, can't run a workload; undefined when it can. */
export function sysbenchCan(workload: Workload): string | undefined {
  const lacks = sysbenchLacks(workload);
  return lacks === undefined ? undefined : REASONS[lacks];
}
