import { BenchmarkError, toErrorData, type ErrorData } from '../../shared/errors.ts';
import { isOwnerAlive } from '../machine/owner.ts';
import type { ContainerRuntime, OwnedResource } from './container-runtime.ts';
import { DIRECTORY_LABEL, heldVolume, removeHolder } from './held-directory.ts';
import { OWNER_LABEL, RUN_LABEL } from './labels.ts';

export interface SweepResult {
  removed: OwnedResource[];
  /** Ours, but in use by somebody else, or of a process that lives or can't be seen from here. */
  kept: OwnedResource[];
  failed: { resource: OwnedResource; error: ErrorData }[];
}

/** What is used goes after what uses it; a service would start its container again. */
const ORDER = ['service', 'config', 'secret', 'container', 'holder', 'network', 'swarm', 'volume'] as const;

/**
 * Removes what dead runs left behind: services, containers, networks, swarms, then volumes whose owner no longer lives.
 * `runId` removes what belongs to that run instead, whoever owns it.
 * Images stay: the client image is a cache. What doesn't carry our label is never seen, let alone touched.
 * With a container that holds a disk of the user's goes the directory of ours on it; when that can't go, the container and
 * its volume stay. A removal that fails is reported and does not keep the others from going. Rejects only when the engine
 * can't even be asked what there is.
 */
export async function sweepLeftovers(
  runtime: ContainerRuntime,
  { runId }: { runId?: string } = {},
): Promise<SweepResult> {
  const isLeftover = (labels: Record<string, string>): boolean => {
    const owner = labels[OWNER_LABEL];
    if (owner === undefined) return false;
    if (runId !== undefined) return labels[RUN_LABEL] === runId;
    return isOwnerAlive(owner) === 'dead';
  };

  const owned = await runtime.listOwned();
  const result: SweepResult = { removed: [], kept: [], failed: [] };
  const heldVolumes = new Set<string | undefined>();
  for (const stage of ORDER) {
    for (const resource of owned.filter((each) => stageOf(each) === stage)) {
      const isHeld = resource.kind === 'volume' && heldVolumes.has(resource.name);
      if (isHeld || !isLeftover(resource.labels)) {
        result.kept.push(resource);
        continue;
      }
      try {
        await remove(runtime, resource);
        result.removed.push(resource);
      } catch (error) {
        if (error instanceof BenchmarkError && error.code === 'SWARM_IN_USE') result.kept.push(resource);
        else result.failed.push({ resource, error: toErrorData(error) });
        if (stage === 'holder') heldVolumes.add(heldVolume(resource.labels[DIRECTORY_LABEL] ?? ''));
      }
    }
  }
  return result;
}

/** Last of the containers: a server that still runs would keep the directory from going. */
function stageOf({ kind, labels }: OwnedResource): (typeof ORDER)[number] | 'image' {
  return kind === 'container' && labels[DIRECTORY_LABEL] !== undefined ? 'holder' : kind;
}

function remove(runtime: ContainerRuntime, { kind, id, name, labels }: OwnedResource): Promise<void> {
  const directory = labels[DIRECTORY_LABEL];
  switch (kind) {
    case 'service':
      return runtime.swarm.removeService(id);
    case 'config':
    case 'secret':
      return runtime.swarm.removeFile({ kind, id });
    case 'swarm':
      return runtime.swarm.leave(labels[RUN_LABEL] ?? '');
    case 'container':
      return directory === undefined
        ? runtime.containers.remove(id)
        : removeHolder(runtime, { id, name, directory });
    case 'network':
      return runtime.networks.remove(id);
    case 'volume':
      return runtime.volumes.remove(id);
    case 'image':
      return runtime.images.remove(id);
  }
}
