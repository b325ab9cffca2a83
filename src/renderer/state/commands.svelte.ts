import type { MenuCommand } from '../../shared/contract/ipc.ts';
import type { RunCommand } from '../../shared/contract/requests/app.ts';
import { currentTrial } from '../../shared/model/run-state.ts';
import { isPaused } from '../../shared/run/progress.ts';
import { passesOf } from '../../shared/run/planned-time.ts';
import { request } from '../api.ts';
import { app, attempt, goTo, lookAgain, openResult, showResult } from './app.svelte.ts';
import { shell } from './shell.svelte.ts';

export async function startRun(): Promise<void> {
  const { plan } = app;
  if (plan === undefined || app.isStarting) return;
  app.isStarting = true;
  app.isStopRequested = false;
  app.commandLines = [];
  await attempt(async () => {
    const { runId } = await request('run:start', { planId: plan.id, consents: app.consents });
    // A run can end before its start is answered.
    if (app.run?.runId === runId && app.run.status === 'finished') showResult(app.run);
    else app.screen = 'live';
  });
  app.isStarting = false;
}

export async function stopRun(): Promise<void> {
  app.isStopRequested = true;
  await attempt(() => request('run:stop', {}));
}

export async function pauseOrResume(): Promise<void> {
  const { run } = app;
  if (run === undefined) return;
  await attempt(() => request(run.pauseRequested || isPaused(run) ? 'run:resume' : 'run:pause', {}));
}

export async function skipTrial(): Promise<void> {
  app.skipping = currentTrial(app.run?.trials ?? [])?.id;
  if (app.skipping !== undefined) await attempt(() => request('run:skip', {}));
}

const RUN_COMMANDS: Record<RunCommand, () => Promise<void>> = {
  'start-run': startRun,
  'pause-run': pauseOrResume,
  'skip-trial': skipTrial,
  'stop-run': stopRun,
};

export function carryOut(command: MenuCommand): void {
  // An open dialog would hide the next screen.
  shell.dialog = command === 'about' || command === 'diagnostics' ? command : undefined;
  shell.figure = command === 'method' ? 'top' : undefined;
  switch (command) {
    case 'new-comparison':
      return goTo('wizard');
    case 'home':
    case 'history':
    case 'settings':
      return goTo(command);
    case 'open-result':
      return void openResult();
    case 'open-given':
      return void openResult('results:open-given');
    case 'look-again':
      return void lookAgain();
    case 'start-run':
    case 'pause-run':
    case 'skip-trial':
    case 'stop-run':
      if (offeredCommands().includes(command)) void RUN_COMMANDS[command]();
      return;
    case 'about':
    case 'method':
    case 'diagnostics':
      return;
  }
}

export function offeredCommands(): RunCommand[] {
  if (app.isRunGoingOn) {
    if (app.isStopRequested) return [];
    const { run } = app;
    // A slice is over before it can be skipped.
    const maySkip =
      run !== undefined && passesOf(run.plan) === 0 && run.trials.some(({ status }) => status === 'running');
    return maySkip ? ['pause-run', 'skip-trial', 'stop-run'] : ['pause-run', 'stop-run'];
  }
  const { plan } = app;
  const mayStart =
    app.screen === 'plan' &&
    plan !== undefined &&
    plan.consents.every(({ consent }) => app.consents.includes(consent)) &&
    !app.isPlanning &&
    !app.isStarting;
  return mayStart ? ['start-run'] : [];
}
