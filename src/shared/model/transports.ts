import type { Transport } from './names.ts';
import type { Workload } from './workload.ts';

/**
 * Connections up to which threads are as fast without more CPU (docs/dev/performance.md); each takes several
 * MiB.
 */
const MOST_THREADS = 64;

/** TPC-C needs the event loop to read its rows' values. */
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
