import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { WhatIsLeft } from '../../shared/model/what-is-left.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { request } from '../api.ts';
import { app, attempt, type PlanChoice } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

const ONE_CLICK_PRESET = 'compare-my-setup';

/** Shows what a run of a preset would do. */
export const openPlan = (choice: PlanChoice): Promise<void> => showPlan(choice, true);

/** Shows what the run would do with other choices; undefined takes a choice back. */
export const changePlan = (change: Partial<PlanChoice>): Promise<void> =>
  showPlan({ ...app.planRequest, ...change }, false);

/** Shows the plan of a finished run again: the same thing, whatever became of its preset. */
export async function repeatRun({ runId, startedAt, plan }: RunView): Promise<void> {
  await openPlan({ presetId: plan.preset.id, mode: plan.mode, repeated: { runId, startedAt } });
}

/** Shows what is left of a run that ended early; its start resumes the run itself. */
export async function continueRun({ runId, startedAt, plan }: RunView): Promise<void> {
  await openPlan({ presetId: plan.preset.id, mode: plan.mode, continued: { runId, startedAt } });
}

/** Whether a plan comes from a run, whatever its preset is: nothing about it can be chosen. */
export function isOfRun({ repeated, continued }: PlanChoice): boolean {
  return repeated !== undefined || continued !== undefined;
}

/** Takes the user's consents. What the plan could not look at without them is looked at now. */
export async function agree(given: Consent[]): Promise<void> {
  const looks = given.includes('external') && !app.given.includes('external');
  app.given = given;
  // A run that is resumed looks when it is started.
  if (looks && app.planRequest.continued === undefined) await showPlan({ ...app.planRequest }, false, given);
}

async function showPlan(asked: PlanChoice, isOther: boolean, given: Consent[] = []): Promise<void> {
  // Another preset's plan must not be shown meanwhile.
  if (isOther) app.plan = undefined;
  app.planRequest = asked;
  app.given = given;
  app.screen = 'plan';
  app.isPlanning = true;
  let found: { plan: Plan; left?: WhatIsLeft } | undefined;
  await attempt(async () => {
    found = await planOf(asked, given);
  });
  if (asked !== app.planRequest) return;
  app.plan = found?.plan;
  app.left = found?.left;
  app.isPlanning = false;
  app.localImages = await request('images:local', {}).catch(() => []);
}

async function planOf(asked: PlanChoice, consents: Consent[]): Promise<{ plan: Plan; left?: WhatIsLeft }> {
  const { repeated, continued, draft, ...choices } = asked;
  const runtimeId = app.engine;
  if (continued !== undefined) return request('plan:continue', { runId: continued.runId, runtimeId });
  const plan =
    repeated === undefined
      ? await request('plan:make', { ...choices, presetText: draft?.text, consents, runtimeId })
      : await request('plan:repeat', { runId: repeated.runId, consents, runtimeId });
  return { plan };
}

export const oneClickChoice = (): PlanChoice => ({
  presetId: ONE_CLICK_PRESET,
  mode: settings.current.mode,
});

class OneClickState {
  /** The plan of the one button; undefined until it is known, or when there is none. */
  plan = $state.raw<Plan | undefined>();
  isAsking = $state(false);
}

export const oneClick = new OneClickState();

/** What the plan was asked for. */
let askedFor = '';

/** Plans what the one button would do on a runtime, in the background; only once until something changes. */
export async function planOneClick(runtimeId: string): Promise<void> {
  const key = `${runtimeId} ${JSON.stringify(settings.current)}`;
  if (key === askedFor) return;
  askedFor = key;
  oneClick.isAsking = true;
  // What is wrong with the plan is shown when it is opened.
  const plan = await request('plan:make', { ...oneClickChoice(), runtimeId }).catch(() => undefined);
  if (key !== askedFor) return;
  oneClick.isAsking = false;
  oneClick.plan = plan;
  if (plan === undefined) askedFor = '';
}
