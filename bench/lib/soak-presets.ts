import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const COMMON = `
whalemark: 1
question: Does it stay as it is?
connections: 4
workload: { kind: oltp_read_write, tables: 1, tableSize: 10000 }
aaCheck: false
seed: 1
`;

/** Few long trials; a path with its client in the measuring process, and one with its client in a container. */
function long(trialSeconds: number): string {
  return `${COMMON}
id: soak-long
name: soak-long
server: { image: "mysql:8.4", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
grid: { storages: [named-volume], paths: [published-port, user-bridge] }
baseline: named-volume.published-port
schedule: { rounds: 1, warmupSeconds: 2, durationSeconds: ${trialSeconds} }
`;
}

/** Short trials: what a run takes and gives back again, with a volume, a bind mount, a network and a client container. */
const SHORT = `${COMMON}
id: soak-short
name: soak-short
server: { image: "mariadb:11.8", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
grid: { storages: [named-volume], paths: [user-bridge] }
scenarios: [{ storage: bind-mount, path: published-port }]
baseline: named-volume.user-bridge
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 2 }
`;

/** The data folder of a soak, with its presets. */
export function makeHome(home: string, trialSeconds: number): void {
  mkdirSync(join(home, 'presets'));
  writeFileSync(join(home, 'presets', 'soak-long.yaml'), long(trialSeconds));
  writeFileSync(join(home, 'presets', 'soak-short.yaml'), SHORT);
}
