import * as z from 'zod';
import { ownOwner } from '../owners/owner.ts';

/** Nothing without this label is ever listed or removed. The label alone proves nothing. */
export const OWNER_LABEL = 'io.whalemark.owner';
export const RUN_LABEL = 'io.whalemark.run';
export const VERSION_LABEL = 'io.whalemark.version';
export const ROLE_LABEL = 'io.whalemark.role';
/** Containers from Whalemark's images have none, or another's. */
export const NAME_LABEL = 'io.whalemark.name';
/** The image's own tag; images built from it inherit the label. */
export const IMAGE_LABEL = 'io.whalemark.image';

export const DATASET_LABEL = 'io.whalemark.dataset';
export const DATASET_HOME_LABEL = 'io.whalemark.dataset-home';
export const DATASET_LOADER_LABEL = 'io.whalemark.dataset-loader';

/** Some engines have null for none. */
export const labelsSchema = z.record(z.string(), z.string()).nullish();

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

export function isOwnContainer({ name, labels }: { name: string; labels: Record<string, string> }): boolean {
  const own = labels[NAME_LABEL];
  return own !== undefined && (name === own || name.startsWith(`${own}.`));
}

/** A new object each time, since docker-modem modifies it. */
export function ownedFilter(): { label: string[] } {
  return { label: [OWNER_LABEL] };
}
