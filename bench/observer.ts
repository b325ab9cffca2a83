import { readJournal } from '../tests/helpers/journals.ts';
// What the window costs the measurement: the same preset measured by the app with its live screen open and by its terminal
// twin, in pairs, in random order. The load's client is in a container, so it is the same program in both.
// `--pairs N --duration S --warmup S --rounds N --workload KIND --screen live|home`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { _electron } from '@playwright/test';
import { datasetCache } from '../src/benchmark/dataset/dataset-cache.ts';
import { tps } from '../src/shared/model/measurements.ts';
import type { RunEvent } from '../src/shared/model/events.ts';
import { closeApp } from '../tests/e2e/support/close-app.ts';
import { realRuntime } from '../tests/integration/helpers/bench.ts';
import { describeMachine } from './lib/machine.ts';
import { cpuBetween, sampleTree, type CpuSample } from './lib/process-tree.ts';
import { describeRatio, geometricMean, meanRatio } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

const REACH = 0.98;
/** How often the observer's CPU time is read; nothing in the window is asked while it measures. */
const SAMPLE_MS = 500;
const RUN_MS = 10 * 60_000;

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '8' },
    duration: { type: 'string', default: '10' },
    warmup: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '2' },
    workload: { type: 'string', default: 'oltp_read_write' },
    screen: { type: 'string', default: 'live' },
  },
});

const PRESET = `
whalemark: 1
id: observer
name: Observer
question: What does the window cost?
server: { image: "mysql:8.4", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
workload: { kind: ${values.workload}, tables: 2, tableSize: 10000 }
connections: 8
grid: { storages: [named-volume], paths: [user-bridge] }
baseline: named-volume.user-bridge
aaCheck: false
schedule: { rounds: ${values.rounds}, warmupSeconds: ${values.warmup}, durationSeconds: ${values.duration} }
seed: 1
`;

/** What one run measured, and what watching it cost. */
interface Observed {
  tps: number;
  /** CPU ms per measured second, by process. */
  cpu: Map<string, number>;
}

type Observe = (home: string) => Promise<Observed>;

/** With the window open and its live screen shown. */
const withWindow: Observe = async (home) => {
  const app = await _electron.launch({
    args: ['.', '--disable-gpu'],
    env: { ...ownEnvironment(), WHALEMARK_HOME: home },
  });
  try {
    const page = await app.firstWindow();
    await page.getByRole('button', { name: 'Open Observer', exact: true }).click();
    const start = page.getByRole('button', { name: 'Start', exact: true });
    const before = await runIds(home);
    await start.click();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    if (values.screen === 'home') await page.getByRole('button', { name: 'Whalemark', exact: true }).click();
    return await watched(home, before, app.process().pid ?? 0);
  } finally {
    await closeApp(app);
  }
};

const inTerminal: Observe = async (home) => {
  const before = await runIds(home);
  const child = spawn(process.execPath, ['out/cli/whalemark.cjs', 'run', 'observer', '--json'], {
    env: { ...process.env, WHALEMARK_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.resume();
  const closed = once(child, 'close');
  try {
    return await watched(home, before, child.pid ?? 0);
  } finally {
    if (child.exitCode === null) child.kill('SIGINT');
    await closed;
  }
};

/** Waits for the run that has just been started, by its journal; reads the CPU time of whoever shows it. */
async function watched(home: string, before: Set<string>, pid: number): Promise<Observed> {
  const samples: CpuSample[] = [];
  for (const until = Date.now() + RUN_MS; Date.now() < until; await delay(SAMPLE_MS)) {
    samples.push(sampleTree(pid));
    const runId = [...(await runIds(home))].find((id) => !before.has(id));
    if (runId === undefined) continue;
    const events = (await readJournal(join(home, 'runs', runId, 'journal.ndjson')))?.events;
    if (events?.at(-1)?.type === 'run-finished') return figures(events, samples);
  }
  throw new Error('the run did not end');
}

function figures(events: readonly RunEvent[], samples: readonly CpuSample[]): Observed {
  const rates: number[] = [];
  const cpu = new Map<string, number>();
  let measuringSince = 0;
  for (const event of events) {
    if (event.type === 'trial-phase' && event.phase === 'measure') measuringSince = event.at;
    if (event.type === 'trial-failed') throw new Error(JSON.stringify(event.error));
    if (event.type !== 'trial-finished') continue;
    rates.push(tps(event.totals));
    const seconds = (event.at - measuringSince) / 1000;
    for (const [role, used] of cpuBetween(samples, measuringSince, event.at)) {
      cpu.set(role, (cpu.get(role) ?? 0) + (used * 1000) / seconds);
    }
  }
  if (rates.length === 0) throw new Error('nothing was measured');
  return {
    tps: geometricMean(rates),
    cpu: new Map([...cpu].map(([role, ms]) => [role, ms / rates.length])),
  };
}

async function runIds(home: string): Promise<Set<string>> {
  return new Set(await readdir(join(home, 'runs')).catch(() => []));
}

function ownEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function report(windows: readonly Observed[], terminals: readonly Observed[]): number {
  const rates = (runs: readonly Observed[]): number[] => runs.map((run) => run.tps);
  const mean = (runs: readonly Observed[], role: string): number =>
    runs.reduce((sum, { cpu }) => sum + (cpu.get(role) ?? 0), 0) / runs.length;
  console.log();
  printTable([
    ['pair', 'TPS with the window', 'TPS in the terminal', 'ratio'],
    ...windows.map((window, index) => [
      String(index + 1),
      window.tps.toFixed(0),
      (terminals[index]?.tps ?? NaN).toFixed(0),
      (window.tps / (terminals[index]?.tps ?? NaN)).toFixed(3),
    ]),
  ]);
  console.log();
  printTable([
    ['figure', 'here (95 % interval)', 'reach'],
    ['TPS with the window / in the terminal', describeRatio(rates(windows), rates(terminals)), `≥ ${REACH}`],
  ]);
  console.log('\nCPU of whoever watches, ms in each measured second:\n');
  const roles = [...new Set([...windows, ...terminals].flatMap(({ cpu }) => [...cpu.keys()]))].sort();
  const row = (name: string, runs: readonly Observed[]): string[] => [
    name,
    ...roles.map((role) => mean(runs, role).toFixed(1)),
    roles.reduce((sum, role) => sum + mean(runs, role), 0).toFixed(1),
  ];
  printTable([['', ...roles, 'all'], row('window', windows), row('terminal', terminals)]);
  return meanRatio(rates(windows), rates(terminals));
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'whalemark-observer-'));
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true));
  try {
    await mkdir(join(home, 'presets'));
    await writeFile(join(home, 'presets', 'observer.yaml'), PRESET);
    console.log(describeMachine());
    const windows: Observed[] = [];
    const terminals: Observed[] = [];
    for (let pair = 0; pair < Number(values.pairs) && !stopped; pair++) {
      if (Math.random() < 0.5) {
        windows.push(await withWindow(home));
        terminals.push(await inTerminal(home));
      } else {
        terminals.push(await inTerminal(home));
        windows.push(await withWindow(home));
      }
      console.log(
        `pair ${pair + 1}: ${(windows[pair]?.tps ?? NaN).toFixed(0)} with the window, ${(terminals[pair]?.tps ?? NaN).toFixed(0)} in the terminal`,
      );
    }
    process.exitCode = report(windows, terminals) >= REACH ? 0 : 1;
  } finally {
    await datasetCache(await realRuntime(), {
      datasetDir: join(home, 'datasets'),
      appVersion: '0.0.0-bench',
    })?.clear();
    rmSync(home, { recursive: true, force: true });
  }
}

void main();
