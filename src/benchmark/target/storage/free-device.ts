import { BenchmarkError } from '../../../shared/errors.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import type { StorageSpec } from '../../../shared/model/storage-spec.ts';
import { isOnDisk } from '../../../shared/preset/mount-options.ts';
import { errnoOf } from '../../errno.ts';
import { bindDeviceProblem } from './bind-root-rules.ts';
import { diskInUse, gatherDiskFacts } from './disk-use.ts';
import { gatherFolderFacts } from './folder-facts.ts';

/**
 * Rejects with PRESET_INVALID for a disk of this machine that is mounted already, and for a “disk” that is a folder which
 * nothing of ours may go into; also where that can't be told. In a virtual machine or elsewhere, disks and folders are others:
 * there the words of the path have to do (`shared/preset/free-folder.ts`).
 */
export async function requireFreeDevice(
  { options }: StorageSpec,
  { runtime }: Passport,
  field: string,
): Promise<void> {
  if (options === undefined || runtime.vm || runtime.remote) return;
  const { type, device } = options;
  let reason: string | undefined;
  try {
    if (type === 'none') {
      reason = bindDeviceProblem(await gatherFolderFacts(device, () => Promise.resolve(true)));
    } else if (isOnDisk(type) && process.platform === 'linux') {
      const point = diskInUse(await gatherDiskFacts(device));
      if (point !== undefined) reason = `It is a disk in use, mounted at ${point}.`;
    }
  } catch (error) {
    // What its user may not see is not the preset's to give to an image.
    reason = `It can’t be looked at (${errnoOf(error) ?? String(error)}).`;
  }
  if (reason === undefined) return;
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: 'storages', count: '1' },
    { evidence: [`${field}.options.device: ${device}: ${reason}`] },
  );
}
