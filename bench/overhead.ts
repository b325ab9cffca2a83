// How much of a run is neither warm-up nor measuring: a built-in preset through the real session, once to fill the caches and once
// to look at. `--rounds N --duration S --warmup S --preset ID`
import { parseArgs } from 'node:util';
import type { RunState } from '../src/shared/model/run-state.ts';
import { describeMachine } from './lib/machine.ts';
import { builtInPreset, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const REACH_SECONDS = 6;

const { values } = parseArgs({
  options: {
    preset: { type: 'string', default: 'docker-options' },
    rounds: { type: 'string', default: '3' },
    duration: { type: 'string', default: '2' },
    warmup: { type: 'string', default: '1' },
  },
});

function secondsPerTrial({ plan, trials, outcome, startedAt, finishedAt, error }: RunState): number {
  const failed = trials.filter(({ status }) => status !== 'measured');
  if (outcome !== 'completed' || failed.length > 0) {
    throw new Error(`the run was not whole: ${JSON.stringify(error ?? failed[0]?.error ?? outcome)}`);
  }
  const { warmupSeconds, durationSeconds } = plan.schedule;
  return ((finishedAt ?? NaN) - startedAt) / 1000 / trials.length - warmupSeconds - durationSeconds;
}

await withSessions(async (run) => {
  const found = await builtInPreset(values.preset, undefined);
  const schedule = {
    ...found.schedule,
    rounds: Number(values.rounds),
    warmupSeconds: Number(values.warmup),
    durationSeconds: Number(values.duration),
  };
  const preset = { ...found, schedule };
  const loaded = secondsPerTrial((await run(preset)).state);
  const cached = secondsPerTrial((await run(preset)).state);
  console.log(`${describeMachine()}\n`);
  printTable([
    ['', 'dataset loaded', 'dataset cached', 'reach'],
    ['seconds per trial', loaded.toFixed(2), cached.toFixed(2), `≤ ${REACH_SECONDS}`],
  ]);
  process.exitCode = cached <= REACH_SECONDS ? 0 : 1;
});
