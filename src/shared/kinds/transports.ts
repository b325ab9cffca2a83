import type { Transport } from '../model/names.ts';
import type { Workload } from '../model/workload.ts';

/**
 * Connections. Up to here, threads have at least the throughput of the event loop and need no more CPU
 * (docs/dev/performance.md). Each takes several MiB, so for many more, the event loop is the better guest.
 */
const MOST_THREADS = 64;

/**
 * For all scenarios of a run, so that they differ in nothing else. TPC-C needs the values of its rows, planned starts
 * need a timer, and not every client can block: there it is the event loop, also if threads are wanted.
 */
export function chooseTransport({
  wanted,
  workload,
  levels,
  rate,
  canBlock,
}: {
  wanted?: Transport | undefined;
  workload: Workload;
  /** Numbers of connections. */
  levels: readonly number[];
  rate: number | null;
  canBlock: boolean;
}): Transport {
  if (workload.kind === 'tpcc' || rate !== null || !canBlock) return 'loop';
  return wanted ?? (Math.max(...levels) <= MOST_THREADS ? 'threads' : 'loop');
}
