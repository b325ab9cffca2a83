import { msg, type Message } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { StorageSpec } from '../../../shared/model/server-spec.ts';
import { isOnDisk } from '../../../shared/kinds/mount-options.ts';
import { errnoOf } from '../../files/failures.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import { bindDeviceProblem } from './bind-roots.ts';
import { gatherFolderFacts } from './folder-facts.ts';
import { mkdtemp, readdir, readFile, realpath, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseMountInfo } from './mount-info.ts';

/**
 * Rejects with PRESET_INVALID for a mounted local disk, for a forbidden folder, and if that is unknown. In
 * virtual machines and elsewhere, judges only the path and disks seen in use.
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
    reason = msg('device.unseen', { code: errnoOf(error) ?? String(error) });
  }
  if (reason === undefined) return;
  const problem = msg('field.problem', { field: device, problem: reason });
  throw invalidStorage(`${field}.options.device`, problem);
}

export function invalidStorage(field: string, problem: Message): BenchmarkError {
  const evidence = [msg('field.problem', { field, problem })];
  return new BenchmarkError('PRESET_INVALID', { name: 'storages', count: '1' }, { evidence });
}

/** A socket may lead into another engine or machine; a new folder that the engine finds is proof. */
export async function sharesMounts({ containers }: Pick<ContainerRuntime, 'containers'>): Promise<boolean> {
  let folder: string | undefined;
  try {
    const [own, first] = await Promise.all([rootMount('self'), rootMount('1')]);
    if (own === undefined || own !== first) return false;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'whalemark-here-')));
    const seen = `/proc/${process.pid}/root${folder}`;
    return (await containers.hasPath(seen)) === true && (await containers.hasPath(`${seen}-not`)) === false;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) await rmdir(folder).catch(() => undefined);
  }
}

/** A root mount's id is unique (proc_pid_mountinfo(5)). */
async function rootMount(pid: string): Promise<string | undefined> {
  const lines = (await readFile(`/proc/${pid}/mountinfo`, 'utf8')).split('\n');
  return lines.map((line) => line.split(' ')).find((fields) => fields[4] === '/')?.[0];
}

interface DiskNames {
  paths: readonly string[];
  numbers: readonly string[];
}

export interface DiskFacts {
  disk: DiskNames;
  mounts: readonly (DiskNames & { point: string })[];
  /** Disks of one file system: mounting one mounts all. */
  groups: readonly (readonly string[])[];
}

/** Own volumes don't count: two servers of a run may share a disk. */
const OWN_VOLUME = /\/volumes\/whalemark-[\w-][\w.-]*\/_data$/;
/** Source: btrfs documentation, "sysfs interface". */
const BTRFS = '/sys/fs/btrfs';

/** Linux would mount such a disk again, and the server would share its files. */
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

/** Rejects if this process may not look. A missing device has no number. */
async function gatherDiskFacts(device: string): Promise<DiskFacts> {
  const [disk, table, groups] = await Promise.all([
    namesOf(device),
    readFile('/proc/self/mountinfo', 'utf8'),
    diskGroups(),
  ]);
  const mounts = await Promise.all(
    parseMountInfo(table).map(async ({ point, source, number }) => {
      const parts = source.startsWith('/') ? source.split(/:(?=\/)/) : [];
      const names = await Promise.all(
        // "/dev/root" never exists; the table has its number.
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

/** Major and minor number, as makedev(3) of Linux packs them. */
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
