import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { WhatIsLeft } from '../../shared/model/leftovers.ts';
import { type DatabaseChange, databaseKey } from '../../shared/model/database.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { PRESET_OF_TASK } from '../../shared/preset/task-preset.ts';
import { request } from '../api.ts';
import { app, attempt, type PlanChoice } from './app.svelte.ts';
import { startRun } from './commands.svelte.ts';
import { settings } from './settings.svelte.ts';
import { shell } from './shell.svelte.ts';

/** Larger downloads need a look at the plan. MySQL and Node, for the clients, are 340 MB. */
const MOST_DOWNLOADED_BYTES = 500e6;
const USUAL_IMAGE_BYTES = 250e6;

class PlanState {
  other = $state.raw<Plan | undefined>();
  /** Home's plan; null if it can't be made. */
  oneClick = $state.raw<Plan | null | undefined>();
}

export const planState = new PlanState();

export const openPlan = (choice: PlanChoice): Promise<void> => showPlan(choice, true);

export async function openOwnTask(asked: { command: string } | { dump: 'dialog' | 'drop' }): Promise<void> {
  await attempt(async () => {
    const ownTask =
      'command' in asked
        ? await request('tasks:open-command', { text: asked.command })
        : await request('tasks:open-dump', { by: asked.dump });
    if (ownTask !== null) await openPlan({ presetId: PRESET_OF_TASK[ownTask.kind], mode: 'full', ownTask });
  });
}

export const changePlan = (change: Partial<PlanChoice>): Promise<void> =>
  showPlan({ ...app.planRequest, ...change }, false);

export async function repeatRun(
  { runId, startedAt, plan }: RunState,
  together?: DatabaseChange,
): Promise<void> {
  await openPlan({ presetId: plan.preset.id, mode: plan.mode, repeated: { runId, startedAt, together } });
}

export async function continueRun({ runId, startedAt, plan }: RunState): Promise<void> {
  if (app.isPlanning) return;
  const choice = { presetId: plan.preset.id, mode: plan.mode, continued: { runId, startedAt } };
  app.isPlanning = true;
  const found = await planOf(choice).catch(() => undefined);
  app.isPlanning = false;
  const toDecide = found === undefined || found.plan.consents.length + found.plan.toPrepare.length > 0;
  if (toDecide || shell.onBattery) return openPlan(choice);
  Object.assign(app, { plan: found.plan, left: found.left, planRequest: choice, consents: [] });
  await startRun();
}

export function isOfRun({ repeated, continued }: PlanChoice): boolean {
  return repeated !== undefined || continued !== undefined;
}

export function hasLengths(choice: PlanChoice): boolean {
  return choice.hasSmall === true && !isOfRun(choice);
}

/** False for an unmeasurable database or service. */
export function mayPlan({ database }: PlanChoice): boolean {
  if (database === undefined) return true;
  return database.read?.services.find(({ name }) => name === database.service)?.refusal === null;
}

/** The system's dialog has asked for this consent. */
const agreedBefore = ({ ownTask }: PlanChoice): Consent[] =>
  ownTask?.kind === 'command' ? ['own-command'] : [];

async function showPlan(choice: PlanChoice, isOther: boolean): Promise<void> {
  const before = isOther ? undefined : app.plan;
  if (isOther) app.plan = app.left = planState.other = undefined;
  app.planRequest = choice;
  app.consents = agreedBefore(choice);
  app.screen = 'plan';
  app.isPlanning = mayPlan(choice);
  if (!app.isPlanning) {
    app.error = undefined;
    return;
  }
  let found: { plan: Plan; left?: WhatIsLeft } | undefined;
  await attempt(async () => {
    found = await planOf(choice);
  });
  if (choice !== app.planRequest) return;
  app.plan = found?.plan;
  app.left = found?.left;
  app.isPlanning = false;
  app.localImages = await request('images:local', {}).catch(() => []);
  const other = await otherLength(choice, before);
  if (choice === app.planRequest) planState.other = other;
}

async function otherLength(choice: PlanChoice, before?: Plan): Promise<Plan | undefined> {
  if (!hasLengths(choice)) return undefined;
  const mode = choice.mode === 'full' ? 'small' : 'full';
  if (before?.mode === mode) return before;
  return (await planOf({ ...choice, mode }).catch(() => undefined))?.plan;
}

async function planOf(
  choice: PlanChoice,
  runtimeId = app.engine,
): Promise<{ plan: Plan; left?: WhatIsLeft }> {
  const { repeated, continued, draft, database: chosen, ownTask } = choice;
  const { presetId, mode, image, comparedImage, untilConclusiveMinutes } = choice;
  if (continued !== undefined) return request('plan:continue', { runId: continued.runId, runtimeId });
  const database = chosen?.read && {
    key: databaseKey(chosen.read.source),
    service: chosen.service,
    isStart: chosen.isStart,
  };
  const plan =
    repeated === undefined
      ? await request('plan:make', {
          ...{ presetId, mode, image, comparedImage, untilConclusiveMinutes },
          presetText: draft?.text,
          database: database ?? undefined,
          ownTask: ownTask?.key,
          runtimeId,
        })
      : await request('plan:repeat', {
          ...{ runId: repeated.runId, together: repeated.together },
          runtimeId,
        });
  return { plan };
}

export const oneClickChoice = (): PlanChoice => ({ presetId: 'docker-options', mode: 'full' });

let askedFor = '';

export async function planOneClick(runtimeId: string): Promise<void> {
  // A look finds a new core, a run leaves images and datasets.
  const key = JSON.stringify([runtimeId, app.report?.at, app.run?.runId, settings.current]);
  if (key === askedFor) return;
  askedFor = key;
  planState.oneClick = undefined;
  const made = await planOf(oneClickChoice(), runtimeId).catch(() => undefined);
  if (key !== askedFor) return;
  planState.oneClick = made?.plan ?? null;
  if (made === undefined) askedFor = '';
}

export function largeDownloadBytes({ toPrepare }: Plan): number {
  const sum = toPrepare.reduce((all, { bytes }) => all + (bytes ?? USUAL_IMAGE_BYTES), 0);
  return sum > MOST_DOWNLOADED_BYTES ? sum : 0;
}

export function needsReview(plan: Plan | null): boolean {
  return plan === null || plan.consents.length > 0 || largeDownloadBytes(plan) > 0 || shell.onBattery;
}

export async function startOneClick(): Promise<void> {
  const plan = planState.oneClick;
  if (plan === undefined) return;
  if (plan === null || needsReview(plan)) return openPlan(oneClickChoice());
  app.plan = plan;
  app.planRequest = oneClickChoice();
  app.consents = [];
  await startRun();
}
