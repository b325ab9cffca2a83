import { isTpcc, type OltpWorkload, type Workload } from '../model/workload.ts';

/**
 * What keeps sysbench 1.0.20 from running a workload; undefined when it can (source: its own scripts in
 * /usr/share/sysbench, and `sysbench --help`, which lists uniform, gaussian, special and pareto only).
 */
export function sysbenchLacks(workload: Workload): 'tpcc' | 'complex' | 'zipfian' | undefined {
  if (isTpcc(workload)) return 'tpcc';
  if (workload.kind === 'oltp_complex') return 'complex';
  return workload.distribution === 'zipfian' ? 'zipfian' : undefined;
}

/** A workload in sysbench's words; whatever decides the load is explicit, also where it is sysbench's default. */
export function sysbenchOptions(workload: OltpWorkload): Record<string, string | number> {
  return {
    'db-ps-mode': workload.preparedStatements ? 'auto' : 'disable',
    'rand-type': workload.distribution,
    tables: workload.tables,
    'table-size': workload.tableSize,
    'range-size': workload.rangeSize,
    'skip-trx': workload.skipTransactions ? 'on' : 'off',
  };
}

/** Errors that are counted and tried again, as our own driver does: deadlock, record changed, lock wait time-out. */
export const SYSBENCH_IGNORED_ERRORS = '1213,1020,1205';
