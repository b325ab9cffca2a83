import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../errno.ts';
import { parseMountInfo } from './mount-info.ts';

/** By what a disk is known: paths of its device file, and its number, "major:minor". */
export interface DiskNames {
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
