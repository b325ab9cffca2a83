import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { makeEvents, makeState } from '../../unit/builders.ts';
import { serializeResult } from '../../../src/benchmark/store/result-file.ts';
import type { RunState } from '../../../src/shared/model/run-state.ts';

/** Valid examples of what is read, small: every case copies one. */

/** Uses what no built-in preset does. */
const EVERYTHING = `
whalemark: 1
id: everything
name: Everything
question: "Does it all come through?"
server: &server
  image: mysql:8.4
  options: [--innodb-io-capacity=200]
  settings: { bufferPool: 10%, redoLogMiB: 64, flushLogAtTrxCommit: 2, binlog: true, syncBinlog: 0 }
servers:
  other: { image: 'mariadb:11.8', name: MariaDB, settings: { bufferPool: in-memory } }
storages:
  share: { kind: nfs, nfs: { address: nas, path: /export, version: 4.1, soft: true } }
  disk: { kind: volume-options, options: { type: ext4, device: /dev/sdb1, o: noatime } }
  ram: { kind: tmpfs, sizeMiB: 512, name: Memory }
workload: { kind: tpcc, warehouses: 2, mix: sysbench-tpcc }
connections: 4
clientEngine: worker
loadGenerator: [sysbench, builtin]
grid:
  servers: [other]
  storages: [named-volume, share, disk, ram]
  paths: [published-port, user-bridge]
scenarios:
  - { storage: native, path: loopback, id: here, name: Here }
  - { storage: ram, path: overlay-other-node }
bufferPools:
  small: { name: Small, bufferPool: 5 }
  large: { name: Large, bufferPool: in-memory }
baseline: [here, other.named-volume.published-port]
equivalence: 0.1
schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2, untilConclusive: { budgetMinutes: 20 } }
small: { scale: 0.1, warmupSeconds: 0, durationSeconds: 1 }
seed: 7
`;

export const presetTexts: string[] = [
  EVERYTHING,
  ...readdirSync('presets')
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(`presets/${name}`, 'utf8')),
];
export const presetValues: unknown[] = presetTexts.map((text) => parse(text) as unknown);

const SHAPE = {
  scenarios: [
    { storage: 'named-volume', path: 'published-port' },
    { storage: 'bind-mount', path: 'published-port' },
  ],
  rounds: 3,
  schedule: { rounds: 3, warmupSeconds: 1, durationSeconds: 2 },
} as const;

const withFailures = {
  ...SHAPE,
  scenarios: [...SHAPE.scenarios],
  outcomes: { 'bind-mount.published-port': [80, 'SERVER_EXITED' as const, 'canceled' as const] },
  outcome: 'stopped' as const,
};

export const runStates: RunState[] = [
  makeState({ ...SHAPE, scenarios: [...SHAPE.scenarios] }),
  makeState(withFailures),
];
export const resultTexts: string[] = runStates.map((state) => serializeResult(state));
export const resultValues: unknown[] = resultTexts.map((text) => JSON.parse(text) as unknown);

const HEADER = { format: 'whalemark-journal', version: 1, owner: 'machine/1/2' };
/** The objects of a journal's lines. */
export const journals: unknown[][] = [
  [HEADER, ...makeEvents({ ...SHAPE, scenarios: [...SHAPE.scenarios] })],
  [HEADER, ...makeEvents(withFailures)],
];
