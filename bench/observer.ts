// The cost of the window for the measurement. One long trial runs in the app with its live screen open. The processes of the
// window are stopped and continued (SIGSTOP, SIGCONT) for a few seconds each, in pairs of random order, so that both halves of a
// pair have the same server in the same state. Work that piles up while the window is stopped counts as a cost of the window.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { geometricMean } from '../src/shared/analysis/samples.ts';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import type { RunEvent } from '../src/shared/model/events.ts';
import { realRuntime } from '../tests/integration/helpers/bench.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { App } from './lib/app.ts';
import { Cleanup } from './lib/cleanup.ts';
import { followedRun, runIdsOf } from './lib/journal.ts';
import { describeMachine } from './lib/machine.ts';
import type { Process } from './lib/processes.ts';
import { describeRatio } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

const TARGET = 0.98;
/** One-second intervals of a half; the first one is left out, since the switch falls into it. */
const HALF = 5;
const WARMUP_S = 10;
const START_MS = 5 * 60_000;

const { values } = optionsOf('npm run bench:observer -- [--pairs N]', {
  pairs: { type: 'string', default: '60' },
});
const pairs = Number(values.pairs);
const durationSeconds = 2 * HALF * pairs;

const PRESET = `
whalemark: 1
id: observer
name: observer
question: What does the window cost?
server: { image: "mysql:8.4", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
workload: { kind: oltp_read_write, tables: 2, tableSize: 10000 }
connections: 8
grid: { storages: [named-volume], paths: [user-bridge] }
baseline: named-volume.user-bridge
aaCheck: false
schedule: { rounds: 1, warmupSeconds: ${WARMUP_S}, durationSeconds: ${durationSeconds} }
seed: 1
`;

/** Whether the window runs in the first half of each pair. */
const order = Array.from({ length: pairs }, () => Math.random() < 0.5);
const runsIn = (half: number): boolean => order[Math.floor(half / 2)] === (half % 2 === 0);

/** Transactions per second of the intervals that count, by half. */
async function measured(home: string): Promise<Map<number, number[]>> {
  const app = await App.launch(home);
  try {
    const known = await runIdsOf(home);
    /** The window's processes, once the load runs. */
    let drawing: Process[] = [];
    const runWindow = (isRunning: boolean): void => {
      for (const { pid } of drawing) process.kill(pid, isRunning ? 'SIGCONT' : 'SIGSTOP');
    };
    const rates = new Map<number, number[]>();
    const see = (event: RunEvent): void => {
      if (event.type === 'trial-failed') throw new Error(JSON.stringify(event.error));
      if (event.type === 'trial-phase' && event.phase === 'warmup') {
        void app.processes().then((all) => {
          drawing = all.filter(({ role }) => role === 'renderer' || role === 'gpu');
        });
      }
      if (event.type !== 'window' || event.window.phase !== 'measure') return;
      const { index, transactions } = event.window;
      const half = Math.floor(index / HALF);
      if (index % HALF > 0) rates.set(half, [...(rates.get(half) ?? []), transactions]);
      if (index % HALF === HALF - 1) runWindow(runsIn(half + 1));
    };
    try {
      const following = followedRun(home, known, START_MS + durationSeconds * 1000, see);
      await app.start('observer');
      await following;
    } finally {
      runWindow(true);
    }
    return rates;
  } finally {
    await app.close();
  }
}

function report(rates: ReadonlyMap<number, number[]>): void {
  const shown: number[] = [];
  const stopped: number[] = [];
  // The window ran in the first half, whatever the order.
  for (let pair = 1; pair < pairs; pair++) {
    for (const half of [2 * pair, 2 * pair + 1]) {
      (runsIn(half) ? shown : stopped).push(geometricMean(rates.get(half) ?? []));
    }
  }
  printTable([
    ['figure', 'here (95% interval)', 'target'],
    ['TPS while the window runs', geometricMean(shown).toFixed(0), ''],
    ['TPS while it is stopped', geometricMean(stopped).toFixed(0), ''],
    ['ratio', describeRatio(shown, stopped), `at least ${TARGET}`],
  ]);
}

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = cleanup.folder('observer');
  const directory = join(home, 'datasets');
  const cache = new DatasetCache({ runtime: await realRuntime(), directory, appVersion: '0.0.0-bench' });
  cleanup.add(() => cache.clear());
  await mkdir(join(home, 'presets'));
  await writeFile(join(home, 'presets', 'observer.yaml'), PRESET);
  console.log(`${describeMachine()}\n${pairs} pairs of ${HALF} s\n`);
  report(await measured(home));
});
