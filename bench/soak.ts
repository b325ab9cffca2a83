// A long run and short ones in the open app: does anything grow, get lost or stay behind?
// `npm run soak -- --minutes 10`: a run of few long trials, then short runs, with every process watched.
// Figures and samples go to `.cache/soak.json`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import { realRuntime } from '../tests/integration/helpers/bench.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { App } from './lib/app.ts';
import { Cleanup } from './lib/cleanup.ts';
import { describeMachine } from './lib/machine.ts';
import { leftBy, untouched } from './lib/soak-left.ts';
import { soakRun, type SoakedRun } from './lib/soak-long-run.ts';
import { makeHome } from './lib/soak-presets.ts';
import { printRuns } from './lib/soak-report.ts';

const OUT = join('.cache', 'soak.json');
/** Loading, cloning, starting and stopping of the long run, and the short runs after it. */
const ASIDE_MS = 110_000;
const LEAST_TRIAL_S = 20;
const SHORT_RUNS = 3;

const { values } = optionsOf('npm run soak -- [--minutes N]', { minutes: { type: 'string', default: '10' } });

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = cleanup.folder('soak');
  const runtime = await realRuntime();
  cleanup.add(async () => {
    const directory = join(home, 'datasets');
    await new DatasetCache({ runtime, directory, appVersion: 'soak' }).clear();
  });
  const trialSeconds = Math.max(
    LEAST_TRIAL_S,
    Math.round((Number(values.minutes) * 60_000 - ASIDE_MS) / 2000),
  );
  makeHome(home, trialSeconds);
  const began = Date.now();
  console.log(`${describeMachine()}\n`);
  const app = await App.launch(home);
  cleanup.add(() => app.close());

  const before = await untouched(home, app);
  const runs: SoakedRun[] = [];
  runs.push(await soakRun(app, home, 'soak-long', began, (2 * trialSeconds + 600) * 1000));
  for (let short = 1; short <= SHORT_RUNS; short++) {
    runs.push(await soakRun(app, home, 'soak-short', began, 600_000));
  }
  const left = await leftBy(home, runtime, app, before);
  mkdirSync('.cache', { recursive: true });
  writeFileSync(OUT, `${JSON.stringify({ machine: describeMachine(), runs, left }, null, 1)}\n`);
  if (!printRuns(runs, left)) process.exitCode = 1;
  console.log(`\n${((Date.now() - began) / 60_000).toFixed(1)} minutes; samples: ${OUT}`);
});
