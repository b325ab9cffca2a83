// What the window costs when a run is very long: 8 scenarios with 36,000 windows each, as 10 rounds of an hour. (8 trials of
// ten hours have as many points, but fewer trials to lay out, to merge and to draw: `--rounds 1` measures them.)
// Every window goes the way of a real one: session, fold and journal in the measuring process, main process, live screen;
// then the result file that the run has left is opened by the app that users get.
// `--rounds N --windows N (of each scenario) --paced N --pace MS --per-second N --opens N`
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { _electron, type ElectronApplication } from '@playwright/test';
import { appCopyWith, removeAppCopy } from '../tests/e2e/support/app-copy.ts';
import { closeApp } from '../tests/e2e/support/close-app.ts';
import { Cleanup } from './lib/cleanup.ts';
import { markWindows, marksReached, untilUsable, WINDOW_MARK } from './lib/in-page.ts';
import { describeMachine } from './lib/machine.ts';
import { traced, updatesAfter, type Update } from './lib/main-thread.ts';
import { mebibytes, memoryOf, type Memory } from './lib/memory.ts';
import { median } from './lib/ratio.ts';
import { FILLED, type Feed } from './lib/scripted-execute.ts';
import { printTable } from './lib/table.ts';

const REACH = { updateMs: 16, openMs: 1000, rendererBytes: 300 * 2 ** 20 };
const LONG_MS = 1_800_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    windows: { type: 'string', default: '36000' },
    paced: { type: 'string', default: '240' },
    pace: { type: 'string', default: '250' },
    'per-second': { type: 'string', default: '4000' },
    opens: { type: 'string', default: '5' },
  },
});
const rounds = Number(values.rounds);
const windows = Number(values.windows);

const PRESET = `
whalemark: 1
id: long-run
name: Long run
question: What does the window cost?
server: { image: "mysql:8.4", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
workload: { kind: oltp_read_write, tables: 1, tableSize: 1000 }
connections: 8
grid: { storages: [named-volume, bind-mount], paths: [published-port, container-ip, user-bridge, host-network] }
baseline: named-volume.published-port
aaCheck: false
schedule: { rounds: ${rounds}, warmupSeconds: 0, durationSeconds: ${windows / rounds} }
seed: 1
`;

type Processes = Awaited<ReturnType<typeof memoryOf>>;

interface Watched {
  updates: Update[];
  memory: Processes;
  fillSeconds: number;
}

/** The live screen while a run comes in that is as good as complete. */
async function watchRun(home: string, folder: string): Promise<Watched> {
  const goFile = join(home, 'go');
  const feed: Feed = {
    perSecond: Number(values['per-second']),
    paced: Number(values.paced),
    paceMs: Number(values.pace),
    goFile,
  };
  const app = await launch(home, folder, { WHALEMARK_BENCH_FEED: JSON.stringify(feed) });
  try {
    const page = await app.firstWindow();
    await page.getByRole('button', { name: 'Open Long run', exact: true }).click();
    const began = performance.now();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText(FILLED).waitFor({ state: 'attached', timeout: LONG_MS });
    const fillSeconds = (performance.now() - began) / 1000;
    await page.evaluate(markWindows, WINDOW_MARK);
    const session = await page.context().newCDPSession(page);
    const events = await traced(session, async () => {
      writeFileSync(goFile, '');
      await page.waitForFunction(
        marksReached,
        { name: WINDOW_MARK, count: feed.paced - 1 },
        { timeout: LONG_MS, polling: 1000 },
      );
    });
    const updates = updatesAfter(events, WINDOW_MARK);
    const memory = await memoryOf(app);
    await page.getByRole('region', { name: 'Numbers', exact: true }).waitFor({ timeout: LONG_MS });
    await savedResult(home);
    return { updates, memory, fillSeconds };
  } finally {
    await closeApp(app);
  }
}

/** The result that the run has left: waits until it is written. Returns its size. */
async function savedResult(home: string): Promise<number> {
  for (;;) {
    for (const run of readdirSync(join(home, 'runs'))) {
      const path = join(home, 'runs', run, 'result.json');
      if (existsSync(path)) return statSync(path).size;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Opens the result in an app that has just been started: from the user's click to the page drawn and
 * idle, so that the next click is answered.
 */
async function openResult(home: string): Promise<{ ms: number; memory: Processes }> {
  const app = await launch(home, '.');
  try {
    const page = await app.firstWindow();
    const entry = page.getByRole('button', { name: /^Open the run of/ }).first();
    await page
      .getByRole('button', { name: 'Docker storage and network', exact: true })
      .and(page.locator(':enabled'))
      .waitFor();
    await entry.waitFor({ timeout: LONG_MS });
    const opened = page.evaluate(untilUsable);
    await entry.click();
    const ms = await opened;
    return { ms, memory: await memoryOf(app) };
  } finally {
    await closeApp(app);
  }
}

function launch(
  home: string,
  folder: string,
  more: Record<string, string> = {},
): Promise<ElectronApplication> {
  const own = Object.entries(process.env).filter((one): one is [string, string] => one[1] !== undefined);
  return _electron.launch({
    args: [folder, '--disable-gpu'],
    env: { ...Object.fromEntries(own), WHALEMARK_HOME: home, ...more },
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

function describeMemory({ resident, peak, private: own }: Memory): string {
  return `${mebibytes(resident)} (peak ${mebibytes(peak)}, private ${mebibytes(own)})`;
}

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = mkdtempSync(join(tmpdir(), 'whalemark-bench-ui-'));
  cleanup.add(() => Promise.resolve(rmSync(home, { recursive: true, force: true })));
  mkdirSync(join(home, 'presets'), { recursive: true });
  writeFileSync(join(home, 'presets', 'long-run.yaml'), PRESET);
  const folder = await appCopyWith(/^.*\/execute\.ts$/, 'bench/lib/scripted-execute.ts');
  cleanup.add(() => Promise.resolve(removeAppCopy(folder)));

  console.log(`${describeMachine()}\n8 scenarios × ${windows} windows, ${rounds} rounds\n`);
  const { updates, memory, fillSeconds } = await watchRun(home, folder);
  const bytes = await savedResult(home);
  const opens: { ms: number; memory: Processes }[] = [];
  for (let index = 0; index < Number(values.opens); index++) opens.push(await openResult(home));

  const busy = updates.map(({ busyMs }) => busyMs);
  const cpu = updates.map(({ cpuMs }) => cpuMs);
  const wall = updates.map(({ wallMs }) => wallMs);
  const ms = (share: number, of: number[]): string => percentile(of, share).toFixed(1);
  const openMs = opens.map((one) => one.ms);
  const most = (process: keyof Processes, of: Processes[]): string => {
    const [found] = of.map((one) => one[process]).sort((a, b) => b.resident - a.resident);
    return found === undefined ? '–' : describeMemory(found);
  };
  const opened = opens.map((one) => one.memory);
  const peak = Math.max(...[memory, ...opened].map(({ renderer }) => renderer.peak));
  printTable([
    ['figure', 'measured', 'reach', ''],
    [
      `chart update p95, ${busy.length} windows (main thread busy, ms)`,
      ms(0.95, busy),
      `≤ ${REACH.updateMs}`,
      mark(percentile(busy, 0.95) <= REACH.updateMs),
    ],
    ['– p50, p99, highest', `${ms(0.5, busy)}, ${ms(0.99, busy)}, ${ms(1, busy)}`, '', ''],
    ['– its CPU time: p50, p95, highest', `${ms(0.5, cpu)}, ${ms(0.95, cpu)}, ${ms(1, cpu)}`, '', ''],
    [
      '– until the frame was committed, its wait for the screen included: p50, p95',
      `${ms(0.5, wall)}, ${ms(0.95, wall)}`,
      '',
      '',
    ],
    [
      `result opens, highest of ${openMs.length} (ms)`,
      ms(1, openMs),
      `≤ ${REACH.openMs}`,
      mark(Math.max(...openMs) <= REACH.openMs),
    ],
    ['– median', median(openMs).toFixed(0), '', ''],
    [
      'renderer, peak of resident memory, all phases (MiB)',
      mebibytes(peak),
      '≤ 300',
      mark(peak <= REACH.rendererBytes),
    ],
    ['– live, at the end (MiB)', describeMemory(memory.renderer), '', ''],
    ['– result opened (MiB)', most('renderer', opened), '', ''],
    [
      'main process, live / result opened (MiB)',
      `${describeMemory(memory.main)} / ${most('main', opened)}`,
      '',
      '',
    ],
    [
      'core process, live / result opened (MiB)',
      `${describeMemory(memory.core)} / ${most('core', opened)}`,
      '',
      '',
    ],
    ['result file (MiB)', mebibytes(bytes), '', ''],
    ['all windows but the paced came in within (s)', fillSeconds.toFixed(0), '', ''],
  ]);
});

function mark(isReached: boolean): string {
  return isReached ? '✓' : '✗';
}
