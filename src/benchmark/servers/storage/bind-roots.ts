import { join, posix, win32 } from 'node:path';
import { msg, type Message } from '../../../shared/message.ts';
import { isTakenFolder } from '../../../shared/kinds/taken-folders.ts';
import { mountOf, type Mount } from './mount-info.ts';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

const HOMES = /^(\/home|\/Users|\/var\/home|[a-z]:\\Users)$/i;

export function pathProblem(chosen: string, platform: NodeJS.Platform): Message | undefined {
  const hasControl = [...chosen].some((character) => character < ' ' || character === '\u007f');
  if (hasControl) return msg('folder.controlCharacters');
  if (platform === 'win32') {
    if (/^[\\/]{2}/.test(chosen)) return msg('folder.unc');
    if (!/^[a-z]:[\\/]/i.test(chosen)) return msg('folder.notAbsolute');
    return /[:*?"<>|]/.test(chosen.slice(2)) ? msg('folder.badCharacters') : undefined;
  }
  if (!posix.isAbsolute(chosen)) return msg('folder.notAbsolute');
  return chosen.includes(':') ? msg('folder.colon') : undefined;
}

export function bindRootProblem(facts: FolderFacts): Message | undefined {
  const { kind, foreign } = facts;
  // The real path may differ in kind.
  const path = pathProblem(facts.real, facts.platform);
  if (path !== undefined) return path;
  if (kind === 'link') return msg('folder.link');
  if (kind === 'other') return msg('folder.notFolder');
  const place = placeProblem(facts);
  if (place !== undefined) return place;
  const [first] = foreign;
  return first === undefined ? undefined : msg('folder.notEmpty', { name: first });
}

/** A disk that the preset names may hold files. */
export function bindDeviceProblem(facts: FolderFacts): Message | undefined {
  if (facts.kind === 'link') return msg('folder.link');
  if (facts.kind === 'other') return msg('folder.notFolder');
  const { real, homes, platform } = facts;
  // The image sees all of it. "/" is the home of users without one.
  const isInHome = homes.some((home) => home !== '/' && isWithin(home, real, platform));
  const isTaken = isInHome || isTakenFolder(real) || placeProblem({ ...facts, mounts: [] }) !== undefined;
  return isTaken ? msg('preset.folderPath') : undefined;
}

/** `made`: place and inode, from the mark. */
export function removalProblem(
  facts: Pick<FolderFacts, 'platform' | 'real' | 'homes' | 'mounts'> & { inode: string },
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

function placeProblem({
  platform,
  real,
  homes,
  mounts,
}: Pick<FolderFacts, 'platform' | 'real' | 'homes' | 'mounts'>): Message | undefined {
  const { dirname } = platform === 'win32' ? win32 : posix;
  if (dirname(real) === real) return msg('folder.root');
  const isHome = HOMES.test(dirname(real)) || HOMES.test(real) || real === '/root';
  if (isHome || homes.some((home) => isWithin(real, home, platform))) {
    return msg('folder.home');
  }
  if (mounts.some(({ point }) => isSame(point, real, platform))) {
    return msg('folder.mountPoint');
  }
  const nested = mounts.find(({ point }) => isWithin(real, point, platform));
  return nested === undefined ? undefined : msg('folder.mountInside', { path: nested.point });
}

export function isWithin(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const [outer, inner] = [comparable(folder, platform), comparable(path, platform)];
  const separator = platform === 'win32' ? '\\' : '/';
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : `${outer}${separator}`);
}

export function isSame(one: string, other: string, platform: NodeJS.Platform): boolean {
  return comparable(one, platform) === comparable(other, platform);
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

/** One file each, so concurrent processes lose nothing. */
export const BIND_ROOTS = 'bind-roots';
const ENTRY = /^[0-9a-f]{16}\.json$/;
const entrySchema = z.object({ path: z.string(), at: z.number() });
const MOST = 50;

interface Entry {
  file: string;
  path: string;
  at: number;
}

/** Next to a Compose file. It goes with the last of Whalemark's folders in it. */
export const DATABASE_ROOT = 'whalemark-your-database';

export function defaultBindRoot(dataDir: string): string {
  return join(dataDir, 'bind');
}

/** The default first, then the latest. Broken entries are ignored. */
export async function knownBindRoots(dataDir: string): Promise<string[]> {
  const others = (await entries(dataDir)).slice(0, MOST).map(({ path }) => path);
  return [...new Set([defaultBindRoot(dataDir), ...others])];
}

export async function rememberBindRoot(dataDir: string, root: string): Promise<void> {
  if (root === defaultBindRoot(dataDir)) return;
  const known = await entries(dataDir).catch((): Entry[] => []);
  const [latest] = known;
  if (latest?.path === root) return;
  const folder = join(dataDir, BIND_ROOTS);
  await mkdir(folder, PRIVATE_FOLDER);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const entry = { path: root, at: Math.max(Date.now(), (latest?.at ?? 0) + 1) };
  await replaceFile(join(folder, `${name}.json`), (draft) => writeFile(draft, `${JSON.stringify(entry)}\n`));
  const surplus = known.filter(({ path }) => path !== root).slice(MOST - 1);
  for (const { file } of surplus) await rm(file, { force: true }).catch(() => undefined);
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

async function entries(dataDir: string): Promise<Entry[]> {
  const folder = join(dataDir, BIND_ROOTS);
  const found: Entry[] = [];
  for (const name of await namesIn(folder)) {
    if (!ENTRY.test(name)) continue;
    const file = join(folder, name);
    const entry = entrySchema.safeParse(jsonOf(await ifThere(file, readText))).data;
    if (entry !== undefined) found.push({ file, ...entry });
  }
  return found.sort((a, b) => b.at - a.at);
}
