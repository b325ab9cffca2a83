import type { MenuCommand } from '../../shared/contract/ipc.ts';
import type { RunCommand } from '../../shared/contract/requests/app.ts';
import { app, goTo, lookAgain, openGiven, openResult } from './app.svelte.ts';
import { pauseOrResume, skipTrial, startRun, stopRun } from './run-control.ts';
import { method } from './method.svelte.ts';
import { shell } from './shell.svelte.ts';

/** Carries out what was chosen in the menu. */
export function carryOut(command: MenuCommand): void {
  // What stands over the screen must not hide what comes.
  shell.isAboutOpen = command === 'about';
  shell.isDiagnosticsOpen = command === 'diagnostics';
  method.figure = command === 'method' ? 'top' : undefined;
  switch (command) {
    case 'new-comparison':
      return goTo('wizard');
    case 'import-sysbench':
      return goTo('import-new');
    case 'home':
    case 'history':
    case 'settings':
      return goTo(command);
    case 'open-result':
      return void openResult();
    case 'open-given':
      return void openGiven();
    case 'look-again':
      return void lookAgain();
    case 'start-run':
      if (offeredCommands().includes(command)) void startRun();
      return;
    case 'pause-run':
      if (offeredCommands().includes(command)) void pauseOrResume();
      return;
    case 'skip-trial':
      if (offeredCommands().includes(command)) void skipTrial();
      return;
    case 'stop-run':
      if (offeredCommands().includes(command)) void stopRun();
      return;
    case 'about':
    case 'method':
    case 'diagnostics':
      return;
  }
}

/** The commands of a run that make sense now. */
export function offeredCommands(): RunCommand[] {
  if (app.isRunGoingOn) {
    if (app.isStopRequested) return [];
    const isMeasuring = app.run?.trials.some(({ status }) => status === 'running') === true;
    return isMeasuring ? ['pause-run', 'skip-trial', 'stop-run'] : ['pause-run', 'stop-run'];
  }
  const { plan } = app;
  const mayStart =
    app.screen === 'plan' &&
    plan !== undefined &&
    plan.consents.every(({ consent }) => app.given.includes(consent)) &&
    !app.isPlanning &&
    !app.isStarting;
  return mayStart ? ['start-run'] : [];
}
