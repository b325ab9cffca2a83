import { isPaused } from '../../shared/run/pauses.ts';
import { request } from '../api.ts';
import { app, attempt, showResult } from './app.svelte.ts';

/** What the user does to a run. */

/** Starts the plan that is shown. */
export async function startRun(): Promise<void> {
  const { plan } = app;
  if (plan === undefined || app.isStarting) return;
  app.isStarting = true;
  app.isStopRequested = false;
  await attempt(async () => {
    const { runId } = await request('run:start', { planId: plan.id, consents: app.given });
    // A run can end before its start is answered.
    if (app.run?.runId === runId && app.run.status === 'finished') showResult(app.run);
    else app.screen = 'live';
  });
  app.isStarting = false;
}

/** Ends the run; what is measured so far is kept. */
export async function stopRun(): Promise<void> {
  app.isStopRequested = true;
  await attempt(async () => {
    await request('run:stop', {});
  });
}

/** Has the run wait once the trial that runs has ended; again: has it go on. */
export async function pauseOrResume(): Promise<void> {
  const { run } = app;
  if (run === undefined) return;
  const isPausing = run.pauseRequested || isPaused(run);
  await attempt(async () => {
    await request(isPausing ? 'run:resume' : 'run:pause', {});
  });
}

/** Leaves the trial that runs out. */
export async function skipTrial(): Promise<void> {
  app.skipping = app.run?.trials.find(({ status }) => status === 'running')?.id;
  if (app.skipping === undefined) return;
  await attempt(async () => {
    await request('run:skip', {});
  });
}
