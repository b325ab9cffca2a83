import { BenchmarkError, toErrorData, type ErrorData } from '../../shared/errors.ts';
import { isOwnerAlive } from '../owners/owner.ts';
import type { ContainerRuntime, OwnedResource } from './container-runtime.ts';
import { GATEWAY } from './engine/networks.ts';
import { DIRECTORY_LABEL, heldVolume, removeHolder } from './held-directory.ts';
import { OWNER_LABEL, RUN_LABEL } from './labels.ts';

interface SweepResult {
  removed: OwnedResource[];
  remaining: OwnedResource[];
  failed: { resource: OwnedResource; error: ErrorData }[];
}

const ORDER = ['service', 'container', 'holder', 'image', 'network', 'swarm', 'volume'] as const;

export interface SweptRun {
  runId: string;
  owner?: string | undefined;
}

/** Labels alone don't suffice, since tools copy them. */
export async function listOwn(runtime: ContainerRuntime): Promise<OwnedResource[]> {
  return (await runtime.listOwned()).filter(isOwn);
}

function isOwn({ kind, name, labels }: OwnedResource): boolean {
  switch (kind) {
    // The runtime lists these only if a label has their name.
    case 'container':
    case 'image':
    case 'swarm':
      return true;
    default: {
      const own = `whalemark-${labels[RUN_LABEL] ?? ''}`;
      return name === own || name.startsWith(`${own}-`) || (kind === 'network' && name === GATEWAY);
    }
  }
}

/**
 * Without `runId` or `owner`, removes what interrupted runs left. Clients' images stay, as a cache. Rejects
 * only if the engine can't be asked.
 */
export async function sweepLeftovers(
  runtime: ContainerRuntime,
  { runId, owner: only }: Partial<SweptRun> = {},
): Promise<SweepResult> {
  const isLeftover = (labels: Record<string, string>): boolean => {
    const owner = labels[OWNER_LABEL];
    if (owner === undefined) return false;
    if (runId !== undefined && labels[RUN_LABEL] !== runId) return false;
    if (runId !== undefined && only === undefined) return true;
    return (only ?? owner) === owner && isOwnerAlive(owner) === 'dead';
  };

  const owned = await listOwn(runtime);
  const result: SweepResult = { removed: [], remaining: [], failed: [] };
  const heldVolumes = new Set<string | undefined>();
  for (const stage of ORDER) {
    for (const resource of owned.filter((each) => stageOf(each) === stage)) {
      const isHeld = resource.kind === 'volume' && heldVolumes.has(resource.name);
      if (isHeld || !isLeftover(resource.labels)) {
        result.remaining.push(resource);
        continue;
      }
      try {
        await remove(runtime, resource);
        result.removed.push(resource);
      } catch (error) {
        if (error instanceof BenchmarkError && error.code === 'SWARM_IN_USE') result.remaining.push(resource);
        else result.failed.push({ resource, error: toErrorData(error) });
        if (stage === 'holder') heldVolumes.add(heldVolume(resource.labels[DIRECTORY_LABEL] ?? ''));
      }
    }
  }
  return result;
}

/** A running server would still use the holder's directory. */
function stageOf({ kind, labels }: OwnedResource): (typeof ORDER)[number] {
  return kind === 'container' && labels[DIRECTORY_LABEL] !== undefined ? 'holder' : kind;
}

function remove(runtime: ContainerRuntime, { kind, id, name, labels }: OwnedResource): Promise<void> {
  const directory = labels[DIRECTORY_LABEL];
  switch (kind) {
    case 'service':
      return runtime.swarm.removeService(id);
    case 'swarm':
      return runtime.swarm.leave(labels[RUN_LABEL] ?? '');
    case 'container':
      return directory === undefined
        ? runtime.containers.remove(id)
        : removeHolder(runtime, { id, name, directory });
    case 'image':
      return runtime.images.remove(id);
    case 'network':
      return runtime.networks.remove(id);
    case 'volume':
      return runtime.volumes.remove(id);
  }
}
