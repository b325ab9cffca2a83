import { join, posix, win32 } from 'node:path';
import { msg, type Message } from '../../../shared/message.ts';
import { isTakenFolder } from '../../../shared/kinds/taken-folders.ts';
import { isNetworkShare, mountOf, type Mount } from './mount-info.ts';
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../../files/data-dir.ts';
import { ifThere, namesIn } from '../../files/failures.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../files/json.ts';

export interface FolderFacts {
  platform: NodeJS.Platform;
  real: string;
  kind: 'missing' | 'folder' | 'link' | 'other';
  foreign: readonly string[];
  homes: readonly string[];
  mounts: readonly Mount[];
}

export function bindRootProblem(facts: FolderFacts): Message | undefined {
  const { kind, real, platform } = facts;
  if (kind === 'link') return msg('folder.link');
  if (kind === 'other') return msg('folder.notFolder');
  if (isNetworkShare(real, platform)) return msg('folder.unc');
  if (platform !== 'win32' && real.includes(':')) return msg('folder.colon');
  const [name] = facts.foreign;
  return placeProblem(facts) ?? (name === undefined ? undefined : msg('folder.notEmpty', { name }));
}

export function bindDeviceProblem(facts: FolderFacts): Message | undefined {
  if (facts.kind === 'link') return msg('folder.link');
  if (facts.kind === 'other') return msg('folder.notFolder');
  const { real, homes, platform } = facts;
  // The image sees all of it. "/" is the home of users without one.
  const isInHome = homes.some((home) => home !== '/' && isWithin(home, real, platform));
  return isInHome || holdsHome(facts) || isTakenFolder(real) ? msg('preset.folderPath') : undefined;
}

/** `folder` has the path and inode of the mark. */
export function removalProblem(
  facts: Place & { inode: string },
  folder: { path: string; inode?: string | undefined },
): Message | undefined {
  if (folder.path !== facts.real) {
    return msg('folder.moved', { path: folder.path });
  }
  if (folder.inode !== undefined && folder.inode !== facts.inode) {
    return msg('folder.copied');
  }
  return placeProblem(facts);
}

/** FAT and others assign a new inode at each look. */
export function keepsInodes(mounts: readonly Mount[], path: string): boolean {
  return ['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'tmpfs', 'apfs', 'hfs'].includes(
    mountOf(mounts, path)?.type ?? '',
  );
}

type Place = Pick<FolderFacts, 'platform' | 'real' | 'homes' | 'mounts'>;

function placeProblem(place: Place): Message | undefined {
  const { platform, real, mounts } = place;
  if (holdsHome(place)) return msg('folder.home');
  const nested = mounts.find(({ point }) => isWithin(real, point, platform));
  if (nested === undefined) return undefined;
  return isWithin(nested.point, real, platform)
    ? msg('folder.mountPoint')
    : msg('folder.mountInside', { path: nested.point });
}

/** True also for the root of a file system. */
function holdsHome({ platform, real, homes }: Place): boolean {
  const { dirname } = platform === 'win32' ? win32 : posix;
  return dirname(real) === real || homes.some((home) => isWithin(real, home, platform));
}

export function isWithin(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const [outer, inner] = [comparable(folder, platform), comparable(path, platform)];
  const separator = platform === 'win32' ? '\\' : '/';
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : `${outer}${separator}`);
}

function comparable(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return win32
      .normalize(path)
      .replace(/(?<=[^:])\\$/, '')
      .toLowerCase();
  const plain = posix.normalize(path).replace(/(?<=.)\/$/, '');
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain;
}

/** Concurrent processes lose nothing, since each root has its own file. */
export const BIND_ROOTS = 'bind-roots';
const ENTRY = /^[0-9a-f]{16}\.json$/;
const entrySchema = z.object({ path: z.string() });

/** The root next to a Compose file goes with its last folder. */
export const DATABASE_ROOT = 'whalemark-your-database';

export function defaultBindRoot(dataDir: string): string {
  return join(dataDir, 'bind');
}

/** The default is first. Broken entries are ignored. */
export async function knownBindRoots(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, BIND_ROOTS);
  const roots = [defaultBindRoot(dataDir)];
  for (const name of await namesIn(folder)) {
    if (!ENTRY.test(name)) continue;
    const entry = jsonOf(await ifThere(join(folder, name), (path) => readFile(path, 'utf8')));
    const { data } = entrySchema.safeParse(entry);
    if (data !== undefined) roots.push(data.path);
  }
  return [...new Set(roots)];
}

export async function rememberBindRoot(dataDir: string, path: string): Promise<void> {
  const folder = join(dataDir, BIND_ROOTS);
  await mkdir(folder, PRIVATE_FOLDER);
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  await replaceFile(join(folder, `${name}.json`), `${JSON.stringify({ path })}\n`);
}
