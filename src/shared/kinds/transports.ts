import type { Transport } from '../model/names.ts';
import type { Workload } from '../model/workload.ts';

/**
 * Connections. With 16 per core, the event loop has more throughput and needs less CPU: too many isolates share a core's
 * caches. Measured on 2 cores with 4 and 16 per core (docs/dev/performance.md).
 */
const MOST_PER_CORE = 8;

/**
 * For all scenarios of a run, so that they differ in nothing else. TPC-C needs the values of its rows, planned starts
 * need a timer, and sockets of Windows don't block: there it is the event loop, also if threads are wanted.
 */
export function chooseTransport({
  wanted,
  workload,
  levels,
  rate,
  cores,
  platform,
}: {
  wanted?: Transport | undefined;
  workload: Workload;
  /** Numbers of connections. */
  levels: readonly number[];
  rate: number | null;
  /** Of the client that has the fewest. */
  cores: number;
  platform: 'linux' | 'darwin' | 'win32';
}): Transport {
  if (workload.kind === 'tpcc' || rate !== null || platform === 'win32') return 'loop';
  return wanted ?? (Math.max(...levels) <= MOST_PER_CORE * cores ? 'threads' : 'loop');
}
