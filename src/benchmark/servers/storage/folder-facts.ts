import { execFile } from 'node:child_process';
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isMissing } from '../../files/failures.ts';
import type { FolderFacts } from './bind-roots.ts';
import { parseMacMounts, parseMountInfo, type Mount } from './mount-info.ts';

const MOUNT_LIMIT_MS = 5000;

export async function gatherFolderFacts(
  chosen: string,
  isOurs: (directory: string) => Promise<boolean>,
): Promise<FolderFacts> {
  const { real, kind } = await resolveFolder(chosen);
  const [homes, mounts] = await Promise.all([realHomes(), findMounts(real)]);
  const foreign = kind === 'folder' ? await foreignNames(real, isOurs) : [];
  return { platform: process.platform, real, kind, foreign, homes, mounts };
}

export async function gatherRemovalFacts(
  directory: string,
): Promise<(Pick<FolderFacts, 'platform' | 'real' | 'homes' | 'mounts'> & { inode: string }) | undefined> {
  const { real, kind } = await resolveFolder(directory);
  if (kind !== 'folder') return undefined;
  const [homes, mounts] = await Promise.all([realHomes(), findMounts(real, true)]);
  return { platform: process.platform, real, homes, mounts, inode: await inodeOf(real) };
}

export async function inodeOf(path: string): Promise<string> {
  return String((await lstat(path, { bigint: true })).ino);
}

/** Links are followed on the way, but not at the end. The path is spelled as on the disk. */
async function resolveFolder(chosen: string): Promise<Pick<FolderFacts, 'real' | 'kind'>> {
  const path = resolve(chosen);
  const there = await lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (there?.isDirectory() === true) return { real: await realpath(path), kind: 'folder' };
  const parent = await realpath(dirname(path)).catch(() => dirname(path));
  const kind = there === undefined ? 'missing' : there.isSymbolicLink() ? 'link' : 'other';
  return { real: join(parent, basename(path)), kind };
}

async function foreignNames(
  folder: string,
  isOurs: (directory: string) => Promise<boolean>,
): Promise<string[]> {
  const names = await readdir(folder);
  const ours = await Promise.all(names.map((name) => isOurs(join(folder, name))));
  return names.filter((_, index) => ours[index] !== true).sort();
}

function realHomes(): Promise<string[]> {
  const homes = [homedir(), process.env['HOME'], process.env['USERPROFILE']];
  return Promise.all(
    homes.flatMap((path) =>
      path === undefined || path === '' ? [] : realpath(path).catch(() => resolve(path)),
    ),
  );
}

/** Without a mount table, device numbers show mounts, inside the folder only with `deep`. */
async function findMounts(folder: string, deep = false): Promise<Mount[]> {
  const table = await mountTable();
  if (table !== undefined) return table;
  const device = async (path: string): Promise<bigint | undefined> =>
    lstat(path, { bigint: true }).then(
      ({ dev }) => dev,
      () => undefined,
    );
  const found: Mount[] = [];
  const look = async (path: string, above: bigint | undefined): Promise<void> => {
    const own = await device(path);
    if (own === undefined || above === undefined) return;
    if (own !== above) {
      found.push({ point: path, type: '', source: '' });
    } else if (deep) {
      const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isDirectory()) await look(join(path, entry.name), own);
    }
  };
  if (dirname(folder) !== folder) await look(folder, await device(dirname(folder)));
  return found;
}

async function mountTable(): Promise<Mount[] | undefined> {
  try {
    if (process.platform === 'linux') return parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8'));
    if (process.platform === 'darwin') {
      const { stdout } = await promisify(execFile)('/sbin/mount', { timeout: MOUNT_LIMIT_MS });
      return parseMacMounts(stdout);
    }
  } catch {}
  return undefined;
}
