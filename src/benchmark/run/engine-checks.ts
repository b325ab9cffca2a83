import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { ownOwner } from '../owners/owner.ts';
import { diskBytes, diskTooSmall } from '../plan/plan-fits.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { engineFreeBytes, isDiskHidden } from '../servers/engine-disk.ts';
import type { HelperContext } from '../servers/helper-container.ts';
import { seesFolder, sharedFolderProblem } from '../servers/storage/shared-folder.ts';
import { unlessStopped } from '../stop.ts';
import type { RunContext } from '../context/context.ts';

/** Rejects with DISK_TOO_SMALL, or BIND_REFUSED for a baseline; returns that of other bind mounts. */
export async function checkEngine(
  context: RunContext,
  helper: HelperContext,
): Promise<BenchmarkError | undefined> {
  const { plan, signal, runtime, bindRoot, runId } = context;
  const { vm, remote } = runtime.passport.runtime;
  if (isDiskHidden(runtime, await runtime.dataRoot())) {
    const free = await engineFreeBytes(helper, signal);
    const needed = diskBytes(plan).engine;
    if (free !== undefined && needed > free) {
      throw diskTooSmall(plan, { needed, free, folder: msg('place.engineDisk') });
    }
  }
  const onBind = plan.scenarios.filter(({ storage }) => storage.kind === 'bind-mount');
  if (remote || onBind.length === 0) return undefined;
  // A native engine can write a folder that it sees.
  if (!vm && (await seesFolder(bindRoot, runtime)) === true) return undefined;
  const place = {
    ...helper,
    name: `${helper.name}-look`,
    mark: { owner: ownOwner(), runId },
    bindRoot,
  };
  const problem = await unlessStopped(signal, sharedFolderProblem(place)).catch((error: unknown) => {
    if (signal.aborted || isEngineLost(error) || !(error instanceof BenchmarkError)) throw error;
    return error;
  });
  if (problem !== undefined && onBind.some(({ id }) => id === plan.baselineId)) throw problem;
  return problem;
}
