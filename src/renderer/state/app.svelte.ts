import type { ErrorData } from '../../shared/errors.ts';
import type { AppEvent, MenuCommand } from '../../shared/contract/ipc.ts';
import type { RecentRun } from '../../shared/model/history-entry.ts';
import type { WhatIsLeft } from '../../shared/model/leftovers.ts';
import type { RuntimeReport } from '../../shared/model/passport.ts';
import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { OwnTaskChoice } from '../../shared/contract/requests/tasks.ts';
import type { Database, DatabaseChange } from '../../shared/model/database.ts';
import { planIn, runIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { RunFeed } from './run-feed.ts';
import { changeSettings, settings } from './settings.svelte.ts';
import { shell } from './shell.svelte.ts';

type Screen = 'home' | 'plan' | 'live' | 'result' | 'wizard' | 'history' | 'compare' | 'settings';

export interface PlanChoice {
  presetId: string;
  mode: Plan['mode'];
  hasSmall?: boolean;
  image?: string | undefined;
  /** Image of a second server for the same task. */
  comparedImage?: string | undefined;
  untilConclusiveMinutes?: number | undefined;
  /** `together` replaces the scenarios by these changes of the database. */
  repeated?: { runId: string; startedAt: number; together?: DatabaseChange | undefined };
  continued?: { runId: string; startedAt: number };
  draft?: { text: string; name: string; question: string };
  ownTask?: OwnTaskChoice;
  /** `read` is null for an unreadable Compose file. */
  database?: { read: Database | null; service: string; isStart?: boolean };
}

export class Attempts {
  error = $state.raw<ErrorData | undefined>();

  readonly attempt = async (action: () => Promise<unknown>): Promise<void> => {
    this.error = undefined;
    try {
      await action();
    } catch (reason) {
      this.error = errorDataOf(reason);
    }
  };
}

/** A run is always the fold of its events. */
class AppState extends Attempts {
  screen = $state<Screen>('home');
  report = $state.raw<RuntimeReport | undefined>();
  readonly engine = $derived(this.report?.chosenId ?? undefined);
  isLooking = $state(false);
  recent = $state.raw<RecentRun[]>([]);

  #plan = $state.raw<Plan | undefined>();
  planRequest = $state.raw<PlanChoice>({ presetId: '', mode: 'full' });
  isPlanning = $state(false);
  left = $state.raw<WhatIsLeft | undefined>();
  consents = $state.raw<Consent[]>([]);
  localImages = $state.raw<string[]>([]);

  #run = $state.raw<RunState | undefined>();
  isStarting = $state(false);
  isStopRequested = $state(false);
  skipping = $state<string | undefined>();
  /** Last lines of the user's command at its latest failure. */
  commandLines = $state.raw<string[]>([]);

  #result = $state.raw<RunState | undefined>();
  exampleId = $state<string | undefined>();

  readonly #planShown = $derived(this.#plan && planIn(this.#plan, settings.language));
  readonly #runShown = $derived(this.#run && runIn(this.#run, settings.language));
  readonly #resultShown = $derived(this.#result && runIn(this.#result, settings.language));

  get plan(): Plan | undefined {
    return this.#planShown;
  }
  set plan(plan: Plan | undefined) {
    this.#plan = plan;
  }

  get run(): RunState | undefined {
    return this.#runShown;
  }
  set run(run: RunState | undefined) {
    this.#run = run;
  }

  get result(): RunState | undefined {
    return this.#resultShown;
  }
  set result(run: RunState | undefined) {
    this.#result = run;
  }

  commandLinesOf({ runId }: Pick<RunState, 'runId'>, { code }: ErrorData): string[] {
    return code === 'TASK_FAILED' && this.run?.runId === runId ? this.commandLines : [];
  }

  readonly isRunGoingOn = $derived(this.#run !== undefined && this.#run.status !== 'finished');
}

export const app = new AppState();
export const attempt = app.attempt;

const feed = new RunFeed((run) => {
  app.run = run;
});

export async function start(onCommand: (command: MenuCommand) => void): Promise<void> {
  await attempt(async () => {
    feed.begin((await request('run:current', {})) ?? undefined);
  });
  window.whalemark.onEvent((event) => {
    if (event.type === 'command') onCommand(event.command);
    else onEvent(event);
  });
  if (app.isRunGoingOn) app.screen = 'live';
  void request('app:power', {}).then(
    ({ onBattery }) => (shell.onBattery = onBattery),
    () => undefined,
  );
  await Promise.all([lookAgain(), refreshRecent()]);
}

function onEvent(event: Exclude<AppEvent, { type: 'command' }>): void {
  if (event.type === 'run-event') {
    feed.push(event.event);
    if (event.event.type === 'run-finished') onRunFinished();
  } else if (event.type === 'run-continues') feed.begin(event.run);
  else if (event.type === 'command-failed') app.commandLines = event.lines;
  else if (event.type === 'power') shell.onBattery = event.onBattery;
  else if (event.status === 'restarted') void onCoreRestarted();
}

function onRunFinished(): void {
  app.isStopRequested = false;
  void refreshRecent();
  if (app.screen !== 'live') return;
  showResult(app.run);
}

async function onCoreRestarted(): Promise<void> {
  const lost = app.isRunGoingOn ? app.run : undefined;
  app.isStarting = false;
  app.isStopRequested = false;
  // The first look removes what the old core left on the engine.
  void lookAgain();
  await refreshRecent();
  if (lost === undefined) return;
  const wasWatching = app.screen === 'live';
  feed.begin(undefined);
  if (wasWatching) goTo('home');
  await attempt(async () => {
    const state = await request('results:load', { runId: lost.runId });
    feed.begin(state);
    if (wasWatching) showResult(state);
  });
}

export async function lookAgain(preferId?: string): Promise<void> {
  if (app.isLooking) return;
  app.isLooking = true;
  await attempt(async () => {
    app.report = await request('runtimes:look', { preferId });
  });
  app.isLooking = false;
}

export async function refreshRecent(): Promise<void> {
  try {
    app.recent = await request('results:recent', {});
  } catch (error) {
    const data = errorDataOf(error);
    // Other errors are shown where they happen.
    if (data.code === 'DATA_FOLDER_UNREADABLE') app.error = data;
    app.recent = [];
  }
}

export function goTo(screen: Screen): void {
  app.error = undefined;
  app.screen = screen;
}

export function goToRun(): void {
  app.error = undefined;
  if (app.isRunGoingOn) app.screen = 'live';
  else showResult(app.run);
}

export function showResult(state: RunState | undefined): void {
  if (state === undefined) return;
  app.result = state;
  app.screen = 'result';
}

export async function loadResult(runId: string): Promise<void> {
  await attempt(async () => showResult(await request('results:load', { runId })));
}

export async function openResult(
  name: 'results:open' | 'results:open-given' = 'results:open',
): Promise<void> {
  await attempt(async () => {
    showResult((await request(name, {})) ?? undefined);
  });
}

export async function openExample(): Promise<void> {
  await attempt(async () => {
    const run = await request('results:example', {});
    app.exampleId = run.runId;
    showResult(run);
  });
}

/** Shows an error for a value that can't be saved. */
export function setting<K extends keyof Settings>(name: K): { value: Settings[K] } {
  return {
    get value() {
      return settings.current[name];
    },
    set value(chosen) {
      const change: Partial<Settings> = {};
      change[name] = chosen;
      void attempt(() => changeSettings(change));
    },
  };
}
