import type { Plan } from '../../shared/model/plan.ts';
import { request } from '../api.ts';
import { ONE_CLICK_PRESET } from './app.svelte.ts';
import { settings } from './settings.svelte.ts';

/** What the one button's plan comes to. */
interface OneClickEstimate {
  seconds: number;
  diskBytes: number;
  scenarios: number;
}

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
  const plan = await request('plan:make', { presetId: ONE_CLICK_PRESET, mode: 'full', runtimeId }).catch(
    () => undefined,
  );
  if (key !== asked) return;
  oneClick.isAsking = false;
  oneClick.estimate = plan === undefined ? undefined : estimateOf(plan);
  if (plan === undefined) asked = '';
}

function estimateOf({ estimate, scenarios }: Plan): OneClickEstimate {
  return { seconds: estimate.seconds, diskBytes: estimate.diskBytes, scenarios: scenarios.length };
}
