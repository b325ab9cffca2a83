import { mixOf } from '../kinds/mixes.ts';
import { msg, type Message } from '../message.ts';
import { isTpcc, type Workload } from '../model/workload.ts';

/**
 * Sources: sysbench 1.0.20's scripts in /usr/share/sysbench, and `sysbench --help`, which lists
 * distributions.
 */
export function sysbenchRefusal(workload: Workload): Message | undefined {
  if (isTpcc(workload)) return msg('support.sysbenchTpcc');
  if (mixOf(workload.kind).isNotInSysbench) return msg('support.sysbenchComplex');
  return workload.distribution === 'zipfian' ? msg('support.sysbenchZipfian') : undefined;
}
