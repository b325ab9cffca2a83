import { stringify } from 'yaml';
import type { Fault } from './fault.ts';
import type { Moment } from './phases.ts';

/** Enough rows that filling the tables takes seconds, and as few as possible. */
const MANY_ROWS = 300_000;
const FEW_ROWS = 2000;

/** The preset of a cell: two paths to one storage, two rounds of trials of seconds. */
export function presetOf({ preset = {} }: Fault, phase: Moment, image: string): string {
  const {
    storages = ['named-volume'],
    paths = ['published-port', 'user-bridge'],
    workload,
    connections = 2,
    seconds = 3,
    sliceSeconds,
  } = preset;
  return stringify({
    whalemark: 1,
    id: 'fault-matrix',
    name: 'Fault matrix',
    question: 'Is anything lost, is anything left?',
    server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
    workload: {
      ...(workload === undefined ? {} : { kind: workload }),
      tables: 1,
      tableSize: phase === 'load' ? MANY_ROWS : FEW_ROWS,
    },
    connections,
    grid: { storages, paths },
    baseline: `${String(storages[0])}.${String(paths[0])}`,
    aaCheck: false,
    schedule: {
      ...{ rounds: 2, warmupSeconds: 1, durationSeconds: seconds },
      ...(sliceSeconds === undefined ? {} : { sliceSeconds }),
    },
    seed: 7,
  });
}
