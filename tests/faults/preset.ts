import { stringify } from 'yaml';
import { HOST, HOST_NETWORK, type Fault } from './fault.ts';
import type { Phase } from './phases.ts';

/** Enough rows that filling the tables takes seconds, and as few as possible. */
const MANY_ROWS = 300_000;
const FEW_ROWS = 2000;

/** The preset of a cell: two paths to one storage, two rounds of trials of seconds. */
export function presetOf({ scenario }: Fault, phase: Phase, image: string): string {
  const paths = ['published-port', scenario === HOST_NETWORK ? 'host-network' : 'user-bridge'];
  return stringify({
    whalemark: 1,
    id: 'fault-matrix',
    name: 'Fault matrix',
    question: 'Is anything lost, is anything left?',
    server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
    workload: { tables: 1, tableSize: phase === 'load' ? MANY_ROWS : FEW_ROWS },
    connections: 2,
    grid: { storages: ['named-volume'], paths },
    baseline: HOST,
    noiseFloor: false,
    schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 3 },
    seed: 7,
  });
}
