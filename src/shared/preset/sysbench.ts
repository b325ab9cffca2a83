import { mixOf } from '../kinds/mixes.ts';
import { msg, type Message } from '../message.ts';
import { isTpcc, type OltpWorkload, type Workload } from '../model/workload.ts';

/** Sources: the scripts of sysbench 1.0.20 in /usr/share/sysbench, and `sysbench --help`, which lists distributions. */
export function sysbenchRefusal(workload: Workload): Message | undefined {
  if (isTpcc(workload)) return msg('support.sysbenchTpcc');
  if (mixOf(workload.kind).isNotInSysbench) return msg('support.sysbenchComplex');
  return workload.distribution === 'zipfian' ? msg('support.sysbenchZipfian') : undefined;
}

/** Sets every option that affects the load, defaults included. */
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

/** Counted and retried like in Whalemark's load generator: deadlock, record changed, lock wait timeout. */
export const SYSBENCH_IGNORED_ERRORS = '1213,1020,1205';
