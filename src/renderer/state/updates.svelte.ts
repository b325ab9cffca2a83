import type { UpdateState } from '../../shared/model/updates.ts';
import { request } from '../api.ts';

/** What is known of newer versions. */
class Updates {
  state = $state.raw<UpdateState>({ kind: 'not-asked' });
  isAsking = $state(false);
}

export const updates = new Updates();

/** Learns what is known already. */
export async function learnUpdates(): Promise<void> {
  updates.state = await request('updates:get', {});
}

/** Asks now. */
export async function askForUpdates(): Promise<void> {
  updates.isAsking = true;
  try {
    updates.state = await request('updates:ask', {});
  } finally {
    updates.isAsking = false;
  }
}

/** Says no more of the version that is known to be newer. */
export async function dismissUpdate(): Promise<void> {
  updates.state = await request('updates:dismiss', {});
}
