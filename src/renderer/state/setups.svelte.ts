import type { ChosenBy } from '../../shared/contract/requests/setups.ts';
import type { Setup } from '../../shared/model/setup.ts';
import { SETUP_PRESET } from '../../shared/project/setup-preset.ts';
import { errorDataOf, request } from '../api.ts';
import { app } from './app.svelte.ts';
import { LoadedPart } from './housekeeping.svelte.ts';
import { openPlan } from './plan.svelte.ts';
import { settings } from './settings.svelte.ts';

export const foundSetups = new LoadedPart(() => request('setups:find', { runtimeId: app.engine }));

/** Opens the plan of a service; of the first that can be measured, if none is named. */
export async function planSetup(read: Setup, service = firstService(read)): Promise<void> {
  // What was chosen for one service holds for the next.
  const { setup } = app.planRequest;
  const before = app.screen === 'plan' && setup?.read === read ? app.planRequest : newRequest();
  await openPlan({ ...before, setup: { read, service } });
}

/** Opens a Compose file and its plan. False: there was none to open. */
export async function openSetup(by: ChosenBy): Promise<boolean> {
  try {
    const read = await request('setups:open', { by });
    if (read !== null) await planSetup(read);
    return read !== null;
  } catch (error) {
    await openPlan({ ...newRequest(), setup: { read: null, service: '' } });
    app.error = errorDataOf(error);
    return true;
  }
}

function newRequest(): { presetId: string; mode: 'full' | 'quick' } {
  return { presetId: SETUP_PRESET, mode: settings.current.mode };
}

function firstService({ services }: Setup): string {
  return (services.find(({ refusal }) => refusal === null) ?? services[0])?.name ?? '';
}
