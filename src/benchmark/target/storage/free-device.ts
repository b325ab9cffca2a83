import { BenchmarkError } from '../../../shared/errors.ts';
import type { StorageSpec } from '../../../shared/model/storage-spec.ts';
import { isOnDisk } from '../../../shared/preset/mount-options.ts';
import { errnoOf } from '../../errno.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { bindDeviceProblem } from './bind-roots.ts';
import { gatherFolderFacts } from './folder-facts.ts';
import { mkdtemp, readdir, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMountInfo } from './mount-info.ts';

/**
 * Rejects with PRESET_INVALID for a disk of this machine that is mounted already, and for a “disk” that is a folder which
 * nothing of ours may go into; also where that can't be told. In a virtual machine or elsewhere, disks and folders are others:
 * there the words of the path have to do (`shared/preset/free-folder.ts`). So they have of an engine that may be elsewhere;
 * only a disk that is seen in use is refused there as well.
 */
export async function requireFreeDevice(
  { options }: StorageSpec,
  runtime: Pick<ContainerRuntime, 'passport' | 'containers'>,
  field: string,
): Promise<void> {
  const { vm, remote } = runtime.passport.runtime;
  if (options === undefined || vm || remote) return;
  const { type, device } = options;
  if (type !== 'none' && !isOnDisk(type)) return;
  const isHere = await sharesMounts(runtime);
  let reason: string | undefined;
  try {
    if (type === 'none' && !isHere) return;
    if (type === 'none') {
      reason = bindDeviceProblem(await gatherFolderFacts(device, () => Promise.resolve(true)));
    } else if (process.platform === 'linux') {
      const point = diskInUse(await gatherDiskFacts(device));
      if (point !== undefined) reason = `It is a disk in use, mounted at ${point}.`;
    }
  } catch (error) {
    if (!isHere) return;
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

/**
 * Whether what this process sees mounted is what is mounted where the engine runs. A socket tells nothing of that: it may
 * lead out of a container, through ssh, or into another engine's container. True only when the engine finds a new folder
 * below this very process, so both have the same processes, and when the first of those has the same mounts.
 */
export async function sharesMounts({ containers }: Pick<ContainerRuntime, 'containers'>): Promise<boolean> {
  let folder: string | undefined;
  try {
    const [own, first] = await Promise.all([rootMount('self'), rootMount('1')]);
    if (own === undefined || own !== first) return false;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'whalemark-here-')));
    const seen = `/proc/${process.pid}/root${folder}`;
    // An engine that finds everything has not looked.
    return (await containers.hasPath(seen)) === true && (await containers.hasPath(`${seen}-not`)) === false;
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

/** By what a disk is known: paths of its device file, and its number, "major:minor". */
interface DiskNames {
  paths: readonly string[];
  numbers: readonly string[];
}

/** As much of the machine as tells whether a disk is in use. */
export interface DiskFacts {
  disk: DiskNames;
  mounts: readonly (DiskNames & { point: string })[];
  /** Numbers of disks that together are one file system: whoever mounts one mounts all. */
  groups: readonly (readonly string[])[];
}

/** Where the engine mounts volumes of ours: two servers of a run may be on the same disk. */
const OWN_VOLUME = /\/volumes\/whalemark-[\w-][\w.-]*\/_data$/;
/** File systems over several disks, by their id, while they are mounted (btrfs documentation, "sysfs interface"). */
const BTRFS = '/sys/fs/btrfs';

/**
 * Where a disk is mounted already, or undefined. The kernel mounts such a disk once more without a word, and whoever gets
 * it would have the files of whoever uses it, be it the system's own.
 */
export function diskInUse({ disk, mounts, groups }: DiskFacts): string | undefined {
  const numbers = new Set([
    ...disk.numbers,
    ...groups.filter((group) => group.some((number) => disk.numbers.includes(number))).flat(),
  ]);
  return mounts.find(
    (mount) =>
      !OWN_VOLUME.test(mount.point) &&
      (mount.paths.some((path) => disk.paths.includes(path)) ||
        mount.numbers.some((number) => numbers.has(number))),
  )?.point;
}

/** Looks at a device of this machine and at what is mounted. Rejects where it may not look; one that isn't there has no number. */
export async function gatherDiskFacts(device: string): Promise<DiskFacts> {
  const [disk, table, groups] = await Promise.all([
    namesOf(device),
    readFile('/proc/self/mountinfo', 'utf8'),
    diskGroups(),
  ]);
  const mounts = await Promise.all(
    parseMountInfo(table).map(async ({ point, source, number }) => {
      const parts = source.startsWith('/') ? source.split(/:(?=\/)/) : [];
      const names = await Promise.all(
        // A device may have gone while it is mounted, and "/dev/root" never is there; its number is in the table.
        parts.map((part) => namesOf(part).catch(() => ({ paths: [part], numbers: [] }))),
      );
      return {
        point,
        paths: [source, ...names.flatMap(({ paths }) => paths)],
        numbers: [...(number === undefined ? [] : [number]), ...names.flatMap(({ numbers }) => numbers)],
      };
    }),
  );
  return { disk, mounts, groups };
}

async function namesOf(device: string): Promise<DiskNames> {
  try {
    const real = await realpath(device);
    const there = await stat(real, { bigint: true });
    return { paths: [device, real], numbers: there.isBlockDevice() ? [numberOf(there.rdev)] : [] };
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { paths: [device], numbers: [] };
    throw error;
  }
}

/** As makedev(3) of Linux puts them together. */
function numberOf(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}

async function diskGroups(): Promise<string[][]> {
  const ids = await readdir(BTRFS).catch(() => []);
  return Promise.all(
    ids.map(async (id) => {
      const devices = join(BTRFS, id, 'devices');
      const names = await readdir(devices).catch(() => []);
      const numbers = names.map((name) => readFile(join(devices, name, 'dev'), 'utf8').catch(() => ''));
      return (await Promise.all(numbers)).map((text) => text.trim()).filter((text) => text !== '');
    }),
  );
}
