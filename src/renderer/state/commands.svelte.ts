import type { MenuCommand } from '../../shared/ipc.ts';
import type { RunCommand } from '../../shared/requests/app.ts';
import { app, goTo, lookAgain, openGiven, openResult, startRun, stopRun } from './app.svelte.ts';
import { method } from './method.svelte.ts';
import { shell } from './shell.svelte.ts';

/** Carries out what was chosen in the menu. */
export function carryOut(command: MenuCommand): void {
  // What stands over the screen must not hide what comes.
  shell.isAboutOpen = command === 'about';
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
    case 'stop-run':
      if (offeredCommands().includes(command)) void stopRun();
      return;
    case 'about':
    case 'method':
      return;
  }
}

/** The commands of a run that make sense now. */
export function offeredCommands(): RunCommand[] {
  if (app.isRunGoingOn) return app.isStopRequested ? [] : ['stop-run'];
  const { plan } = app;
  const mayStart =
    app.screen === 'plan' &&
    plan !== undefined &&
    plan.consents.every(({ consent }) => app.given.includes(consent)) &&
    !app.isPlanning &&
    !app.isStarting;
  return mayStart ? ['start-run'] : [];
}
