// Runs in the open app, one after the other: does anything grow, get lost, or stay behind?
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { realRuntime } from '../tests/integration/helpers/bench.ts';
import { App } from './lib/app.ts';
import { Cleanup } from './lib/cleanup.ts';
import { followedRun, runIdsOf } from './lib/journal.ts';
import { describeMachine } from './lib/machine.ts';
import { held } from './lib/processes.ts';
import { leftBy, untouched } from './lib/soak-left.ts';
import { lostWindows } from './lib/soak-windows.ts';
import { printTable } from './lib/table.ts';

const RUN_MS = 600_000;
const FEWEST_RUNS = 3;
/** Caches fill and code is compiled in the first run; from the second to the last, a figure may grow by this factor. */
const GROWTH = 1.25;

/** A volume, a bind mount, a network, and clients in the measuring process and in a container. */
const PRESET = `whalemark: 1
id: soak
name: soak
question: Does it stay as it is?
server: { image: "mysql:8.4", settings: { bufferPool: 64, redoLogMiB: 64, flushLogAtTrxCommit: 2 } }
workload: { kind: oltp_read_write, tables: 1, tableSize: 10000 }
connections: 4
grid: { storages: [named-volume], paths: [user-bridge] }
scenarios: [{ storage: bind-mount, path: published-port }]
baseline: named-volume.user-bridge
aaCheck: false
schedule: { rounds: 2, warmupSeconds: 1, durationSeconds: 10 }
`;

interface Soaked {
  lost: readonly string[];
  /** Figures on the home screen after the run: MiB and counts. */
  figures: Record<string, number>;
}

async function soakedRun(app: App, home: string): Promise<Soaked> {
  await app.arrived();
  const following = followedRun(home, await runIdsOf(home), RUN_MS, () => undefined);
  await app.start('soak');
  const runId = await following;
  await app.settle();
  const lost = await lostWindows(home, runId, await app.arrived());
  const figures = await app.inside();
  for (const process of await app.processes()) {
    const now = process.role === 'helper' ? undefined : held(process);
    if (now === undefined) continue;
    figures[`${now.role}, MiB`] = now.privateMiB;
    figures[`${now.role}’s files`] = now.files;
  }
  return { lost, figures };
}

/** Prints what a soak found; false when something grows, was lost, or was left. */
function printRuns(runs: readonly Soaked[], left: readonly string[]): boolean {
  const [, second, ...others] = runs.map(({ figures }) => figures);
  const last = others.at(-1) ?? {};
  const names = Object.keys(last);
  const grown = names.filter((name) => (last[name] ?? 0) > GROWTH * (second?.[name] ?? Infinity));
  const cell = (value = NaN): string => (Number.isInteger(value) ? String(value) : value.toFixed(1));
  printTable([
    ['at home after each run', ...runs.map((_, index) => `run ${index + 1}`), ''],
    ...names.map((name) => [
      name,
      ...runs.map(({ figures }) => cell(figures[name])),
      grown.includes(name) ? '**grows**' : '',
    ]),
  ]);
  const lost = runs.flatMap((one) => one.lost);
  console.log(
    `\nLost or failed: ${lost.join(', ') || 'nothing'}\nLeft behind: ${left.join(', ') || 'nothing'}`,
  );
  return grown.length + lost.length + left.length === 0;
}

const { values } = optionsOf('npm run soak -- [--minutes N]', { minutes: { type: 'string', default: '10' } });
const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = cleanup.folder('soak');
  const runtime = await realRuntime();
  const directory = join(home, 'datasets');
  cleanup.add(() => new DatasetCache({ runtime, directory, appVersion: 'soak' }).clear());
  mkdirSync(join(home, 'presets'));
  writeFileSync(join(home, 'presets', 'soak.yaml'), PRESET);
  console.log(`${describeMachine()}\n`);
  const app = await App.launch(home);
  cleanup.add(() => app.close());

  const before = await untouched(home, app);
  const end = Date.now() + Number(values.minutes) * 60_000;
  const runs: Soaked[] = [];
  while (runs.length < FEWEST_RUNS || Date.now() < end) runs.push(await soakedRun(app, home));
  if (!printRuns(runs, await leftBy(home, runtime, app, before))) process.exitCode = 1;
});
