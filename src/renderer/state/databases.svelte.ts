import type { ChosenBy } from '../../shared/contract/requests/databases.ts';
import type { Database } from '../../shared/model/database.ts';
import { DATABASE_PRESET } from '../../shared/compose/database-preset.ts';
import { errorDataOf, request } from '../api.ts';
import { app, type PlanChoice } from './app.svelte.ts';
import { LoadedPart } from './housekeeping.svelte.ts';
import { openPlan } from './plan.svelte.ts';

export const foundDatabases = new LoadedPart(() => request('databases:find', { runtimeId: app.engine }));

export async function planDatabase(
  read: Database,
  service = firstService(read),
  isStart?: boolean,
): Promise<void> {
  // Choices for one service hold for the next.
  const { database } = app.planRequest;
  const before = app.screen === 'plan' && database?.read === read ? app.planRequest : newRequest();
  const chosen = { read, service, isStart: isStart ?? before.database?.isStart ?? false };
  await openPlan({ ...before, database: chosen });
}

export async function openDatabase(by: ChosenBy): Promise<boolean> {
  try {
    const read = await request('databases:open', { by });
    if (read !== null) await planDatabase(read);
    return read !== null;
  } catch (error) {
    await openPlan({ ...newRequest(), database: { read: null, service: '' } });
    app.error = errorDataOf(error);
    return true;
  }
}

const newRequest = (): PlanChoice => ({ presetId: DATABASE_PRESET, mode: 'full' });

function firstService({ services }: Database): string {
  return (services.find(({ refusal }) => refusal === null) ?? services[0])?.name ?? '';
}
