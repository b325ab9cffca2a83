import type { ErrorData } from '../../shared/errors.ts';
import type { AppEvent, MenuCommand } from '../../shared/contract/ipc.ts';
import type { RecentEntry } from '../../shared/model/history-entry.ts';
import type { WhatIsLeft } from '../../shared/model/what-is-left.ts';
import type { RuntimeReport } from '../../shared/model/passport.ts';
import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { planIn, runIn } from '../../shared/words/plan-in-words.ts';
import { errorDataOf, request } from '../api.ts';
import { ONE_CLICK_PRESET } from './one-click-plan.ts';
import { askPower, power } from './power.svelte.ts';
import { RunFeed } from './run-feed.ts';
import { settings } from './settings.svelte.ts';

export type Screen =
  | 'home'
  | 'plan'
  | 'live'
  | 'result'
  | 'wizard'
  | 'history'
  | 'compare'
  | 'settings'
  | 'import-new'
  | 'import';

export interface PlanChoice {
  presetId: string;
  mode: 'full' | 'short';
  /** In place of the preset's own server image. */
  image?: string;
  /** Go on until every comparison is settled, for so many minutes at the most. */
  untilSettledMinutes?: number;
  /** So many transactions per second at planned moments. */
  rate?: number;
  /** Everything with each of these numbers of connections. */
  ramp?: number[];
  /** The finished run that is planned again as it was, in place of the preset. */
  repeated?: { runId: string; startedAt: number };
  /** The run that is to go on, in place of the preset, and what that comes to as far as it is known. */
  continued?: { runId: string; startedAt: number; left?: WhatIsLeft };
  /** A preset that is not kept, and what is shown of it while its plan is made. */
  draft?: DraftPreset;
}

/** A preset that is not kept, and what is shown of it. */
export interface DraftPreset {
  text: string;
  name: string;
  question: string;
  hasShort: boolean;
}

/** What the window shows. The run itself is only ever the fold of its events. */
class AppState {
  screen = $state<Screen>('home');
  /** What was asked for last and failed; each screen shows it until something is asked again. */
  error = $state.raw<ErrorData | undefined>();

  report = $state.raw<RuntimeReport | undefined>();
  /** Id of the runtime in use. */
  readonly engine = $derived(this.report?.chosenId ?? undefined);
  isLooking = $state(false);
  recent = $state.raw<RecentEntry[]>([]);

  #plan = $state.raw<Plan | undefined>();
  planRequest = $state.raw<PlanChoice>({ presetId: ONE_CLICK_PRESET, mode: 'full' });
  isPlanning = $state(false);
  /** What the user has agreed to in the plan that is shown. */
  given = $state.raw<Consent[]>([]);
  localImages = $state.raw<string[]>([]);

  #run = $state.raw<RunView | undefined>();
  isStarting = $state(false);
  isStopRequested = $state(false);
  /** The trial that the user has asked to skip; it may take a moment to end. */
  skipping = $state<string | undefined>();

  #result = $state.raw<RunView | undefined>();
  isLoadingResult = $state(false);

  // What the core named in English is shown in the window's language.
  readonly #planShown = $derived(this.#plan && planIn(this.#plan, settings.language));
  readonly #runShown = $derived(this.#run && runIn(this.#run, settings.language));
  readonly #resultShown = $derived(this.#result && runIn(this.#result, settings.language));

  get plan(): Plan | undefined {
    return this.#planShown;
  }
  set plan(plan: Plan | undefined) {
    this.#plan = plan;
  }

  /** The run of this session that goes on or was the last. */
  get run(): RunView | undefined {
    return this.#runShown;
  }
  set run(run: RunView | undefined) {
    this.#run = run;
  }

  /** The finished run whose result is shown. */
  get result(): RunView | undefined {
    return this.#resultShown;
  }
  set result(run: RunView | undefined) {
    this.#result = run;
  }

  readonly isRunGoingOn = $derived(this.#run !== undefined && this.#run.status !== 'finished');
}

export const app = new AppState();

const feed = new RunFeed((run) => {
  app.run = run;
});

/**
 * Learns what goes on already, listens to what happens from now on, and looks for runtimes. `onCommand` carries out
 * what is chosen in the menu.
 */
export async function start(onCommand: (command: MenuCommand) => void): Promise<void> {
  await attempt(async () => {
    feed.begin((await request('run:current', {})) ?? undefined);
  });
  window.whalemark.onEvent((event) => {
    if (event.type === 'command') onCommand(event.command);
    else onEvent(event);
  });
  if (app.isRunGoingOn) app.screen = 'live';
  // Not to know it is no reason to bother anybody.
  const ignore = (): undefined => undefined;
  await Promise.all([lookAgain(), refreshRecent(), askPower().catch(ignore)]);
}

function onEvent(event: Exclude<AppEvent, { type: 'command' }>): void {
  if (event.type === 'run-event') {
    feed.push(event.event);
    if (event.event.type === 'run-finished') onRunFinished();
  } else if (event.type === 'run-continues') feed.begin(event.run);
  else if (event.type === 'power') power.onBattery = event.onBattery;
  else if (event.status === 'restarted') void onCoreRestarted();
}

function onRunFinished(): void {
  app.isStopRequested = false;
  void refreshRecent();
  if (app.screen !== 'live') return;
  showResult(app.run);
}

/** The new core has made a result of the journal that the old one left. */
async function onCoreRestarted(): Promise<void> {
  const lost = app.isRunGoingOn ? app.run : undefined;
  app.isStarting = false;
  app.isStopRequested = false;
  // With its first look it removes what the old one left on the engine.
  void lookAgain();
  await refreshRecent();
  if (lost === undefined) return;
  const wasWatching = app.screen === 'live';
  feed.begin(undefined);
  if (wasWatching) goHome();
  await attempt(async () => {
    const state = await request('results:load', { runId: lost.runId });
    feed.begin(state);
    if (wasWatching) showResult(state);
  });
}

/** Looks for runtimes anew; with an id, uses that one. */
export async function lookAgain(preferId?: string): Promise<void> {
  if (app.isLooking) return;
  app.isLooking = true;
  await attempt(async () => {
    app.report = await request('runtimes:look', preferId === undefined ? {} : { preferId });
  });
  app.isLooking = false;
}

/** Asks for the latest results anew. */
export async function refreshRecent(): Promise<void> {
  try {
    app.recent = await request('results:recent', {});
  } catch (error) {
    const data = errorDataOf(error);
    // Whatever else keeps it away is shown where it happens.
    if (data.code === 'DATA_FOLDER_UNREADABLE') app.error = data;
    app.recent = [];
  }
}

/** Shows the home screen. */
export function goHome(): void {
  goTo('home');
}

/** Shows another screen, without what went wrong on the one before. */
export function goTo(screen: Screen): void {
  app.error = undefined;
  app.screen = screen;
}

/** Back to the run that goes on, or to its result when it has ended meanwhile. */
export function goToRun(): void {
  app.error = undefined;
  if (app.isRunGoingOn) app.screen = 'live';
  else showResult(app.run);
}

/** Shows a finished run. */
export function showResult(state: RunView | undefined): void {
  if (state === undefined) return;
  app.result = state;
  app.screen = 'result';
}

/** Shows the result of one of the recent runs. */
export async function loadResult(runId: string): Promise<void> {
  app.isLoadingResult = true;
  await attempt(async () => showResult(await request('results:load', { runId })));
  app.isLoadingResult = false;
}

/** Lets the user choose a result file and shows it. */
export async function openResult(): Promise<void> {
  await attempt(async () => {
    const state = await request('results:open', {});
    if (state !== null) showResult(state);
  });
}

/** Shows the result file that the user opened with the app. */
export async function openGiven(): Promise<void> {
  await attempt(async () => {
    const state = await request('results:open-given', {});
    if (state !== null) showResult(state);
  });
}

/** Does something that may fail; what it failed with is shown. */
export async function attempt(action: () => Promise<unknown>): Promise<void> {
  app.error = undefined;
  try {
    await action();
  } catch (error) {
    app.error = errorDataOf(error);
  }
}
