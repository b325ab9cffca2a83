// A long run and many short ones: does anything grow, get lost or stay behind?
// `npm run soak -- --minutes 10 [--terminal]`: a run of few long trials, then short runs, with every process watched.
// `npm run soak -- --cycles 200 [--minutes 8] [--seed 1] [--fresh] [--terminal]`: runs stopped at a moment drawn from the seed. It continues
// where an earlier call ended, until there are as many; `--fresh` begins again, `--minutes` ends it earlier.
// Figures, samples and the plot go to `.cache/soak/`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DatasetCache } from '../src/benchmark/servers/dataset/dataset-cache.ts';
import { realRuntime } from '../tests/integration/helpers/bench.ts';
import { Cleanup } from './lib/cleanup.ts';
import { describeMachine } from './lib/machine.ts';
import { AppSubject } from './lib/soak/app-subject.ts';
import { runCycles } from './lib/soak/cycles.ts';
import { soakRun, type SoakedRun } from './lib/soak/long-run.ts';
import { leftBy, untouched } from './lib/soak/left.ts';
import { memoryPlot } from './lib/soak/plot.ts';
import { makeHome } from './lib/soak/presets.ts';
import { printCycles, printRuns } from './lib/soak/report.ts';
import type { Subject } from './lib/soak/subject.ts';
import { TerminalSubject } from './lib/soak/terminal-subject.ts';

const OUT = join('.cache', 'soak');
/** Loading, cloning, starting and stopping of the long run, and the short runs after it. */
const ASIDE_MS = 110_000;
const LEAST_TRIAL_S = 20;
const SHORT_RUNS = 3;
const NEVER_MS = 365 * 86_400_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    cycles: { type: 'string' },
    seed: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    terminal: { type: 'boolean', default: false },
  },
});
const subjectName = values.terminal ? 'terminal' : 'window';
const minutes = values.minutes === undefined ? undefined : Number(values.minutes);

const cleanup = new Cleanup();
await cleanup.around(async () => {
  const home = mkdtempSync(join(tmpdir(), 'whalemark-soak-'));
  cleanup.add(() => Promise.resolve(rmSync(home, { recursive: true, force: true })));
  const runtime = await realRuntime();
  cleanup.add(async () => {
    const directory = join(home, 'datasets');
    await new DatasetCache({ runtime, directory, appVersion: 'soak' }).clear();
  });
  const trialSeconds = Math.max(LEAST_TRIAL_S, Math.round(((minutes ?? 10) * 60_000 - ASIDE_MS) / 2000));
  makeHome(home, trialSeconds);
  mkdirSync(OUT, { recursive: true });
  const began = Date.now();
  console.log(`${describeMachine()}\n`);
  const subject: Subject = values.terminal ? new TerminalSubject(home) : await AppSubject.launch(home);
  cleanup.add(() => subject.close());

  if (values.cycles !== undefined) {
    const stateFile = join(OUT, `cycles-${subjectName}.json`);
    if (values.fresh) rmSync(stateFile, { force: true });
    const cycles = await runCycles({
      ...{ subject, home, runtime, stateFile },
      wanted: Number(values.cycles),
      untilMs: minutes === undefined ? Date.now() + NEVER_MS : began + minutes * 60_000,
      seed: Number(values.seed),
      onCycle: ({ index, moment, outcome, stopMs, left }) =>
        console.log(
          `${index}. ${moment}: ${outcome} after ${(stopMs / 1000).toFixed(1)} s${left.length === 0 ? '' : `; LEFT: ${left.join(', ')}`}`,
        ),
    });
    console.log();
    if (!printCycles(cycles)) process.exitCode = 1;
    return;
  }

  const before = await untouched(home, subject);
  const runs: SoakedRun[] = [];
  runs.push(await soakRun(subject, home, 'soak-long', began, (2 * trialSeconds + 600) * 1000));
  for (let short = 1; short <= SHORT_RUNS; short++) {
    runs.push(await soakRun(subject, home, 'soak-short', began, 600_000));
  }
  const left = await leftBy(home, runtime, subject, before);
  const took = `${((Date.now() - began) / 60_000).toFixed(1)} minutes`;
  const samples = runs.flatMap((run) => run.samples);
  writeFileSync(
    join(OUT, `soak-${subjectName}.json`),
    `${JSON.stringify({ machine: describeMachine(), minutes, runs, left }, null, 1)}\n`,
  );
  const roles = [...new Set(samples.map(({ role }) => role))];
  writeFileSync(
    join(OUT, `soak-${subjectName}.svg`),
    memoryPlot(
      `Memory of every process, ${values.terminal ? 'in the terminal' : 'with the window open'}`,
      `A run with two trials of ${trialSeconds} s, then ${SHORT_RUNS} short runs: ${took}. Shaded: measuring.`,
      roles.map((role) => ({
        name: role,
        points: samples
          .filter((sample) => sample.role === role)
          .map(({ at, privateMiB }) => ({ x: at / 60_000, y: privateMiB })),
      })),
      (runs[0]?.spans ?? []).map(({ from, to, name }) => ({
        ...{ from: from / 60_000, to: to / 60_000 },
        name: name.replace(/^r1\.named-volume\./, ''),
      })),
    ),
  );
  if (!printRuns(runs, left)) process.exitCode = 1;
  console.log(`\n${took}; samples and plot: ${OUT}/soak-${subjectName}.json, .svg`);
});
