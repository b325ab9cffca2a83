import { ownOwner } from '../machine/owner.ts';

/** Labels on everything we create for a run. Only what carries `OWNER_LABEL` is ever listed or removed after one. */
export const OWNER_LABEL = 'io.whalemark.owner';
export const RUN_LABEL = 'io.whalemark.run';
export const VERSION_LABEL = 'io.whalemark.version';
export const ROLE_LABEL = 'io.whalemark.role';

/**
 * Labels on the volume of a dataset that is kept between runs, in place of owner and run: its key, the folder
 * that its record is in, and the process that loaded it. See `DatasetCache`.
 */
export const DATASET_LABEL = 'io.whalemark.dataset';
export const DATASET_HOME_LABEL = 'io.whalemark.dataset-home';
export const DATASET_LOADER_LABEL = 'io.whalemark.dataset-loader';

/** The labels for a resource of this process. `role` says what it is for (`server`, `client-image`, …). */
export function createLabels(options: {
  runId: string;
  appVersion: string;
  role: string;
}): Record<string, string> {
  return {
    [OWNER_LABEL]: ownOwner(),
    [RUN_LABEL]: options.runId,
    [VERSION_LABEL]: options.appVersion,
    [ROLE_LABEL]: options.role,
  };
}

/**
 * The engine's filter for everything that carries our owner label, whatever its value. A new object each time:
 * docker-modem changes what it is given.
 */
export function ownedFilter(): { label: string[] } {
  return { label: [OWNER_LABEL] };
}
