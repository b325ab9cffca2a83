import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { Leftover } from '../../shared/requests/housekeeping.ts';
import type { DatasetCache } from '../dataset/dataset-cache.ts';
import { removeLostClientImages } from '../load/client-image.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { createLabels, isOwnerAlive, OWNER_LABEL } from '../runtime/labels.ts';
import { sweepLeftovers } from '../runtime/sweep.ts';
import { listBindDirectories, removeBindDirectory } from '../target/bind-directory.ts';
import { emptyAsRoot } from '../target/helper-container.ts';
import { localServerImages } from '../target/image.ts';
import { removeLeftDirectory } from '../target/volume-options.ts';

export interface Swept {
  removed: Leftover[];
  failed: { name: string; error: ErrorData }[];
}

/** What `removeLeftovers` would remove now, in no order. */
export async function findLeftovers(
  runtime: ContainerRuntime,
  bindRoot: string,
  datasets: DatasetCache | undefined = undefined,
): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const { kind, name, labels } of await runtime.listOwned()) {
    // The client image is a cache and stays.
    if (kind === 'image' || isOwnerAlive(labels[OWNER_LABEL] ?? '') !== 'dead') continue;
    found.push({ kind, name });
  }
  for (const name of (await datasets?.leftovers()) ?? []) found.push({ kind: 'volume', name });
  for (const { directory, owner } of await listBindDirectories(bindRoot)) {
    if (isOwnerAlive(owner) === 'dead') found.push({ kind: 'folder', name: directory });
  }
  return found;
}

/**
 * Removes what dead runs of this machine left: containers, networks and volumes by label, bind folders by their
 * mark, what their loads left of datasets to be kept, and client images that another has replaced. A live run's things, and
 * another machine's, are never touched.
 */
export async function removeLeftovers(
  runtime: ContainerRuntime,
  bindRoot: string,
  appVersion: string,
  datasets: DatasetCache | undefined = undefined,
): Promise<Swept> {
  for (const resource of await runtime.listOwned()) {
    const owner = resource.labels[OWNER_LABEL];
    if (resource.kind !== 'container' || owner === undefined || isOwnerAlive(owner) !== 'dead') continue;
    // Whatever keeps it from going will keep the container from going, too, and is told then.
    await removeLeftDirectory(runtime, resource).catch(() => undefined);
  }
  const swept = await sweepLeftovers(runtime);
  const removed: Leftover[] = [];
  for (const { kind, name } of swept.removed) if (kind !== 'image') removed.push({ kind, name });
  const failed: Swept['failed'] = swept.failed.map(({ resource, error }) => ({ name: resource.name, error }));
  // After the containers, which may hold one.
  for (const name of (await datasets?.sweep())?.removed ?? []) removed.push({ kind: 'volume', name });
  for (const { directory, owner, runId } of await listBindDirectories(bindRoot)) {
    if (isOwnerAlive(owner) !== 'dead') continue;
    try {
      await removeBindDirectory(directory, async (data) => {
        const image = (await localServerImages(runtime))[0]?.image.id ?? '';
        const labels = createLabels({ runId, appVersion, role: 'helper' });
        await emptyAsRoot({ runtime, name: `whalemark-sweep-${runId}`, image, labels }, data);
      });
      removed.push({ kind: 'folder', name: directory });
    } catch (error) {
      failed.push({ name: directory, error: toErrorData(error) });
    }
  }
  // A cache, so nobody is told of it.
  await removeLostClientImages(runtime).catch(() => undefined);
  return { removed, failed };
}
