import { isWriting } from './mixes.ts';
import type { Transport } from '../model/names.ts';
import type { Workload } from '../model/workload.ts';

/**
 * Above, too many isolates share a core's caches; for writes, the event loop is as fast with less CPU from earlier on.
 * Measured on 2 cores (docs/dev/performance.md).
 */
const READING_PER_CORE = 16;
const WRITING_PER_CORE = 8;

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
  const perCore = isWriting(workload.kind) ? WRITING_PER_CORE : READING_PER_CORE;
  return wanted ?? (Math.max(...levels) <= perCore * cores ? 'threads' : 'loop');
}
