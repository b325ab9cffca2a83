// How much of a run is neither warm-up nor measuring: the one-click preset through the real session, once to fill the caches and
// once to look at.
import type { RunState } from '../src/shared/model/run-state.ts';
import { describeMachine } from './lib/machine.ts';
import { builtInPreset, withSessions } from './lib/session.ts';
import { printTable } from './lib/table.ts';

const REACH_SECONDS = 6;

function secondsPerTrial({ plan, trials, outcome, startedAt, finishedAt, error }: RunState): number {
  const failed = trials.filter(({ status }) => status !== 'measured');
  if (outcome !== 'completed' || failed.length > 0) {
    throw new Error(`the run was not whole: ${JSON.stringify(error ?? failed[0]?.error ?? outcome)}`);
  }
  const { warmupSeconds, durationSeconds } = plan.schedule;
  return ((finishedAt ?? NaN) - startedAt) / 1000 / trials.length - warmupSeconds - durationSeconds;
}

await withSessions(async (run) => {
  const found = await builtInPreset('docker-options');
  const schedule = { ...found.schedule, rounds: 3, warmupSeconds: 1, durationSeconds: 2 };
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
