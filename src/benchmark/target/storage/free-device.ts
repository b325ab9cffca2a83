import { msg, type Message } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { StorageSpec } from '../../../shared/model/storage-spec.ts';
import { isOnDisk } from '../../../shared/preset/mount-options.ts';
import { errnoOf } from '../../errno.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { bindDeviceProblem } from './bind-root-rules.ts';
import { diskInUse, gatherDiskFacts } from './disk-use.ts';
import { gatherFolderFacts } from './folder-facts.ts';
import { mkdtemp, readFile, realpath, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Rejects with PRESET_INVALID for a disk of this machine that is mounted already, and for a “disk” that is a folder which
 * nothing of ours may go into; also where that can't be told. In a virtual machine or elsewhere, disks and folders are others:
 * there the words of the path have to do (`shared/preset/free-folder.ts`). So they have of an engine that may be elsewhere;
 * only a disk that is seen in use is refused there as well.
 */
export async function requireFreeDevice(
  { options }: StorageSpec,
  runtime: Pick<ContainerRuntime, 'passport' | 'hasPath'>,
  field: string,
): Promise<void> {
  const { vm, remote } = runtime.passport.runtime;
  if (options === undefined || vm || remote) return;
  const { type, device } = options;
  if (type !== 'none' && !isOnDisk(type)) return;
  const isHere = await sharesMounts(runtime);
  let reason: Message | undefined;
  try {
    if (type === 'none' && !isHere) return;
    if (type === 'none') {
      reason = bindDeviceProblem(await gatherFolderFacts(device, () => Promise.resolve(true)));
    } else if (process.platform === 'linux') {
      const point = diskInUse(await gatherDiskFacts(device));
      if (point !== undefined) reason = msg('device.mounted', { path: point });
    }
  } catch (error) {
    if (!isHere) return;
    // What its user may not see is not the preset's to give to an image.
    reason = msg('device.unseen', { code: errnoOf(error) ?? String(error) });
  }
  if (reason === undefined) return;
  throw new BenchmarkError(
    'PRESET_INVALID',
    { name: 'storages', count: '1' },
    {
      evidence: [
        msg('field.problem', {
          field: `${field}.options.device`,
          problem: msg('field.problem', { field: device, problem: reason }),
        }),
      ],
    },
  );
}

/**
 * Whether what this process sees mounted is what is mounted where the engine runs. A socket tells nothing of that: it may
 * lead out of a container, through ssh, or into another engine's container. True only when the engine finds a new folder
 * below this very process, so both have the same processes, and when the first of those has the same mounts.
 */
export async function sharesMounts(runtime: Pick<ContainerRuntime, 'hasPath'>): Promise<boolean> {
  let folder: string | undefined;
  try {
    const [own, first] = await Promise.all([rootMount('self'), rootMount('1')]);
    if (own === undefined || own !== first) return false;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'whalemark-here-')));
    const seen = `/proc/${process.pid}/root${folder}`;
    // An engine that finds everything has not looked.
    return (await runtime.hasPath(seen)) === true && (await runtime.hasPath(`${seen}-not`)) === false;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) await rmdir(folder).catch(() => undefined);
  }
}

/** The kernel's number of what is mounted at a process's root; no two mounts have the same (proc_pid_mountinfo(5)). */
async function rootMount(pid: string): Promise<string | undefined> {
  const lines = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n');
  return lines.map((line) => line.split(' ')).find((fields) => fields[4] === '/')?.[0];
}
