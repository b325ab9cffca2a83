import type { Consent, Plan } from '../../shared/model/plan.ts';
import type { WhatIsLeft } from '../../shared/model/leftovers.ts';
import type { RunView } from '../../shared/model/run-view.ts';
import { request } from '../api.ts';
import { app, attempt, type PlanChoice } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

const ONE_CLICK_PRESET = 'compare-my-setup';

export const openPlan = (choice: PlanChoice): Promise<void> => showPlan(choice, true);

export const changePlan = (change: Partial<PlanChoice>): Promise<void> =>
  showPlan({ ...app.planRequest, ...change }, false);

export async function repeatRun({ runId, startedAt, plan }: RunView): Promise<void> {
  await openPlan({ presetId: plan.preset.id, mode: plan.mode, repeated: { runId, startedAt } });
}

export async function continueRun({ runId, startedAt, plan }: RunView): Promise<void> {
  await openPlan({ presetId: plan.preset.id, mode: plan.mode, continued: { runId, startedAt } });
}

/** Nothing can be chosen for a run that is repeated or resumed. */
export function isOfRun({ repeated, continued }: PlanChoice): boolean {
  return repeated !== undefined || continued !== undefined;
}

export async function agree(given: Consent[]): Promise<void> {
  const looks = given.includes('external') && !app.given.includes('external');
  app.given = given;
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
  plan = $state.raw<Plan | undefined>();
  isAsking = $state(false);
}

export const oneClick = new OneClickState();

let askedFor = '';

/** Plans in the background, and only when something has changed. */
export async function planOneClick(runtimeId: string): Promise<void> {
  const key = `${runtimeId} ${JSON.stringify(settings.current)}`;
  if (key === askedFor) return;
  askedFor = key;
  oneClick.isAsking = true;
  // Errors are shown when the plan is opened.
  const plan = await request('plan:make', { ...oneClickChoice(), runtimeId }).catch(() => undefined);
  if (key !== askedFor) return;
  oneClick.isAsking = false;
  oneClick.plan = plan;
  if (plan === undefined) askedFor = '';
}
