import { request } from '../api.ts';
import { oneClickChoice, oneClickEstimate, type OneClickEstimate } from './one-click-plan.ts';
import { settings } from './settings.svelte.ts';

class OneClickState {
  /** Undefined until it is known, or when there is none. */
  estimate = $state.raw<OneClickEstimate | undefined>();
  isAsking = $state(false);
}

export const oneClick = new OneClickState();

/** What the estimate was asked for. */
let asked = '';

/** Plans what the one button would do on a runtime, behind everything else; once, as long as nothing has changed. */
export async function estimateOneClick(runtimeId: string): Promise<void> {
  const key = `${runtimeId} ${JSON.stringify(settings.current)}`;
  if (key === asked) return;
  asked = key;
  oneClick.isAsking = true;
  // What is wrong with the plan is said when it is opened.
  const choice = oneClickChoice(settings.current);
  const plan = await request('plan:make', { ...choice, runtimeId }).catch(() => undefined);
  if (key !== asked) return;
  oneClick.isAsking = false;
  oneClick.estimate = plan === undefined ? undefined : oneClickEstimate(plan);
  if (plan === undefined) asked = '';
}
