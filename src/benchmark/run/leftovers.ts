import { join } from 'node:path';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import type { Leftover } from '../../shared/model/leftovers.ts';
import { isOwnerAlive } from '../machine/owner.ts';
import type { DatasetCache } from '../dataset/dataset-cache.ts';
import { removeLostClientImages } from '../load/client-image.ts';
import { log } from '../log/log.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { createLabels, OWNER_LABEL } from '../runtime/labels.ts';
import { sweepLeftovers } from '../runtime/sweep.ts';
import { listBindDirectories, removeBindDirectory } from '../target/storage/bind-directory.ts';
import { emptyAsRoot } from '../target/helper-container.ts';
import { localServerImages } from '../target/image.ts';
import { BIND_ROOTS, defaultBindRoot, knownBindRoots } from './bind-roots.ts';

export interface Swept {
  removed: Leftover[];
  failed: { name: string; error: ErrorData }[];
}

/** What `removeLeftovers` would remove now, in no order. */
export async function findLeftovers(
  runtime: ContainerRuntime,
  dataDir: string,
  datasets: DatasetCache | undefined = undefined,
): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const { kind, name, labels } of await runtime.listOwned()) {
    // The client image is a cache and stays.
    if (kind === 'image' || isOwnerAlive(labels[OWNER_LABEL] ?? '') !== 'dead') continue;
    found.push({ kind, name });
  }
  for (const name of (await datasets?.leftovers()) ?? []) found.push({ kind: 'volume', name });
  const unread = (error: unknown): void =>
    log.warn('bind roots unread', { error: toErrorData(error).message });
  for (const { directory } of await deadBindDirectories(dataDir, unread)) {
    found.push({ kind: 'folder', name: directory });
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
  dataDir: string,
  appVersion: string,
  datasets: DatasetCache | undefined = undefined,
): Promise<Swept> {
  const swept = await sweepLeftovers(runtime);
  const removed: Leftover[] = [];
  for (const { kind, name } of swept.removed) if (kind !== 'image') removed.push({ kind, name });
  const failed: Swept['failed'] = swept.failed.map(({ resource, error }) => ({ name: resource.name, error }));
  // After the containers, which may hold one.
  for (const name of (await datasets?.sweep())?.removed ?? []) removed.push({ kind: 'volume', name });
  const unread = (error: unknown): void => {
    failed.push({ name: join(dataDir, BIND_ROOTS), error: toErrorData(error) });
  };
  for (const { directory, runId } of await deadBindDirectories(dataDir, unread)) {
    try {
      await removeBindDirectory(directory, async (marked) => {
        const image = (await localServerImages(runtime))[0]?.image.id ?? '';
        const labels = createLabels({ runId, appVersion, role: 'helper' });
        await emptyAsRoot({ runtime, name: `whalemark-sweep-${runId}`, image, labels }, marked);
      });
      removed.push({ kind: 'folder', name: directory });
    } catch (error) {
      failed.push({ name: directory, error: toErrorData(error) });
    }
  }
  // A cache, so nobody is told of it.
  await removeLostClientImages(runtime).catch(() => undefined);
  if (removed.length > 0 || failed.length > 0) {
    log.info('leftovers removed', {
      removed: removed.map(({ kind, name }) => `${kind} ${name}`),
      failed: failed.map(({ name, error }) => `${name}: ${error.code} ${error.message}`),
    });
  }
  return { removed, failed };
}

/**
 * Folders that dead runs of this machine made, wherever a preset had them made. Where it can't be read what presets named,
 * `unread` is told why, and only the usual folder is looked into.
 */
async function deadBindDirectories(dataDir: string, unread: (error: unknown) => void) {
  const roots = await knownBindRoots(dataDir).catch((error: unknown) => {
    unread(error);
    return [defaultBindRoot(dataDir)];
  });
  const found = (await Promise.all(roots.map((root) => listBindDirectories(root)))).flat();
  return found.filter(({ owner }) => isOwnerAlive(owner) === 'dead');
}
