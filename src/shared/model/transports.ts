import type { Transport } from './names.ts';
import type { Workload } from './workload.ts';

/** Connections. Up to here, threads are as fast with no more CPU (docs/dev/performance.md); each takes several MiB. */
const MOST_THREADS = 64;

/** TPC-C needs the values of its rows: there it is the event loop. */
export function chooseTransport({
  workload,
  levels,
  canBlock,
}: {
  workload: Workload;
  /** Numbers of connections. */
  levels: readonly number[];
  canBlock: boolean;
}): Transport {
  if (workload.kind === 'tpcc' || !canBlock) return 'loop';
  return Math.max(...levels) <= MOST_THREADS ? 'threads' : 'loop';
}
