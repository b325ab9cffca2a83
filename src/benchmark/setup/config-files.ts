import type { Setup } from '../../shared/model/setup.ts';

/** Stub: the merge takes the real one. */
export function withConfigFiles(setup: Setup): Promise<Setup> {
  return Promise.resolve(setup);
}
