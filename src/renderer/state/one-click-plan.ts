import { scenarioCount, type Plan } from '../../shared/model/plan.ts';
import type { Settings } from '../../shared/model/settings.ts';

/** The preset behind the one button. */
export const ONE_CLICK_PRESET = 'compare-my-setup';

/** What the one button's plan comes to. */
export interface OneClickEstimate {
  seconds: number;
  diskBytes: number;
  scenarios: number;
}

/** The plan that the one button asks for, and that is estimated beside it. */
export function oneClickChoice({ mode }: Pick<Settings, 'mode'>): {
  presetId: string;
  mode: Settings['mode'];
} {
  return { presetId: ONE_CLICK_PRESET, mode };
}

/** What is said of that plan before it is opened: the same figures as in it. */
export function oneClickEstimate(plan: Pick<Plan, 'estimate' | 'scenarios'>): OneClickEstimate {
  const { seconds, diskBytes } = plan.estimate;
  return { seconds, diskBytes, scenarios: scenarioCount(plan) };
}
