import { join, posix, win32 } from 'node:path';
import { msg, type Message } from '../../../shared/message.ts';
import { isSomebodysFolder } from '../../../shared/preset/free-folder.ts';
import { mountOf, type Mount } from './mount-info.ts';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { PRIVATE_FOLDER } from '../../files/data-dir.ts';
import { ifThere, namesIn } from '../../files/failures.ts';
import { replaceFile } from '../../files/replace-file.ts';

/**
 * Which folders of the host Whalemark may make its own folders in, and which of those it may delete: pure rules over
 * facts that `folder-facts.ts` gathers. A reason is a sentence for the user.
 */

/** A folder, and as much of the machine as decides what may be done with it. */
export interface FolderFacts {
  platform: NodeJS.Platform;
  /** Where it really is: absolute, with every symbolic link resolved. */
  real: string;
  /** What stands at the last name of the path that was given. */
  kind: 'missing' | 'folder' | 'link' | 'other';
  /** Names of what is in there and not ours. */
  foreign: readonly string[];
  /** Real paths of home folders. */
  homes: readonly string[];
  /** Real paths of the temporary folder and of our data folder: ours to use, even below /var. */
  usable: readonly string[];
  mounts: readonly Mount[];
}

/** Folders of the system; nothing of ours goes in there. */
const SYSTEM_FOLDERS = [
  ...['/bin', '/boot', '/dev', '/etc', '/lib', '/lib32', '/lib64', '/libx32', '/proc', '/run', '/sbin'],
  ...[
    '/snap',
    '/sys',
    '/usr',
    '/var',
    '/System',
    '/Library',
    '/Applications',
    '/private/etc',
    '/private/var',
  ],
];
/** What lies in one of them, and is its user's all the same: removable disks, temporary folders, what Fedora moved to /var. */
const USERS_FOLDERS = [
  ...['/run/media', '/var/tmp', '/var/mnt', '/var/media', '/var/home', '/var/srv', '/var/opt'],
  ...['/private/var/folders', '/private/var/tmp'],
];
/** Where services may have their homes. */
const SERVICE_FOLDERS = ['/run', '/var', '/private/var'];
/** On every drive. */
const WINDOWS_FOLDERS =
  /^[a-z]:\\(windows|program files|program files \(x86\)|programdata|recovery|system volume information|\$recycle\.bin)(\\|$)/i;
/** Folders whose children are homes. */
const HOMES = /^(\/home|\/Users|\/var\/home|[a-z]:\\Users)$/i;

/** File systems of other machines. */
const NETWORK_TYPES = new Set([
  ...[
    'nfs',
    'nfs3',
    'nfs4',
    'cifs',
    'smb',
    'smb2',
    'smb3',
    'smbfs',
    'afpfs',
    'webdav',
    'davfs',
    'ncpfs',
    'afs',
  ],
  ...['ceph', 'glusterfs', 'lustre', 'beegfs', 'gpfs', 'pvfs2', 'orangefs', 'coda', '9p', 'ftp', 'autofs'],
]);
/** FUSE serves any kind of far place; these are disks of this machine. */
const LOCAL_FUSE = new Set([
  'fuseblk',
  'fuse.mergerfs',
  'fuse.ntfs',
  'fuse.ntfs-3g',
  'fuse.exfat',
  'fuse.ext2',
  'fuse.zfs',
]);

/** Why a path can't even be looked at, or undefined. */
export function pathProblem(given: string, platform: NodeJS.Platform): Message | undefined {
  const hasControl = [...given].some((character) => character < ' ' || character === '\u007f');
  if (hasControl) return msg('folder.controlCharacters');
  if (platform === 'win32') {
    if (isUnc(given)) return msg('folder.unc');
    if (!/^[a-z]:[\\/]/i.test(given)) return msg('folder.notAbsolute');
    return /[:*?"<>|]/.test(given.slice(2)) ? msg('folder.badCharacters') : undefined;
  }
  if (!posix.isAbsolute(given)) return msg('folder.notAbsolute');
  return given.includes(':') ? msg('folder.colon') : undefined;
}

/** Why no folders of ours may be made in this one, or undefined when they may. */
export function bindRootProblem(facts: FolderFacts): Message | undefined {
  const { kind, foreign } = facts;
  // The real path may be one that the given one did not look like.
  const path = pathProblem(facts.real, facts.platform);
  if (path !== undefined) return path;
  if (kind === 'link') return msg('folder.link');
  if (kind === 'other') return msg('folder.notFolder');
  const place = placeProblem(facts) ?? systemProblem(facts) ?? networkProblem(facts);
  if (place !== undefined) return place;
  const [first] = foreign;
  return first === undefined ? undefined : msg('folder.notEmpty', { name: first });
}

/**
 * Why no folder of ours may be made on a disk that the preset names by the folder where it is mounted. It may hold files, and
 * be a mount point: that is what makes it a disk.
 */
export function bindDeviceProblem(facts: FolderFacts): Message | undefined {
  if (facts.kind === 'link') return msg('folder.link');
  if (facts.kind === 'other') return msg('folder.notFolder');
  const { real, homes, platform } = facts;
  // The image sees all of it, so that a folder in a home is as much as the home. “/” is that of users without one.
  const isInHome = homes.some((home) => home !== '/' && isWithin(home, real, platform));
  if (isInHome || isSomebodysFolder(real)) return msg('device.home');
  return placeProblem({ ...facts, mounts: [] }) ?? systemProblem(facts);
}

/**
 * Why a folder that carries our mark may not be deleted, or undefined when it may. `made`: where it was made, and its
 * inode there, from its mark.
 */
export function removalProblem(
  facts: Pick<FolderFacts, 'platform' | 'real' | 'homes' | 'mounts'> & { inode: string },
  made: { path: string; inode?: string | undefined },
): Message | undefined {
  if (made.path !== facts.real) {
    return msg('folder.moved', { path: made.path });
  }
  if (made.inode !== undefined && made.inode !== facts.inode) {
    return msg('folder.copied');
  }
  return placeProblem(facts);
}

/**
 * Whether a file system gives a folder the same inode as long as it is there. Those without inodes of their own, such as
 * FAT, give a new one whenever they look again.
 */
export function keepsInodes(mounts: readonly Mount[], path: string): boolean {
  return ['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'f2fs', 'tmpfs', 'apfs', 'hfs'].includes(
    mountOf(mounts, path)?.type ?? '',
  );
}

/** What holds for making and deleting alike. */
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

function systemProblem({ platform, real, homes, usable }: FolderFacts): Message | undefined {
  if (platform === 'win32') {
    const folder = WINDOWS_FOLDERS.exec(real)?.[0];
    return folder === undefined ? undefined : msg('folder.system', { folder: folder.replace(/\\$/, '') });
  }
  const folder = SYSTEM_FOLDERS.find((one) => isWithin(one, real, platform));
  if (folder === undefined) return undefined;
  const inside = (one: string): boolean => isWithin(one, real, platform) && !isSame(one, real, platform);
  if (USERS_FOLDERS.some(inside)) return undefined;
  const ofServices = (one: string): boolean =>
    SERVICE_FOLDERS.some((known) => isWithin(known, one, platform) && !isSame(known, one, platform));
  if ([...homes, ...usable].filter(ofServices).some(inside)) return undefined;
  return msg('folder.system', { folder });
}

function networkProblem({ real, mounts }: FolderFacts): Message | undefined {
  const mount = mountOf(mounts, real);
  if (mount === undefined) return undefined;
  const { type, source } = mount;
  // A drive of Windows as WSL shows it.
  if (type === '9p' && /^([a-z]:[\\/]?|drvfs)$/i.test(source)) return undefined;
  const isFar = NETWORK_TYPES.has(type) || (/fuse/.test(type) && !LOCAL_FUSE.has(type));
  return isFar ? msg('folder.network', { type }) : undefined;
}

/** `\\server\share`, `\\?\…`, `//server/share`: other machines, and devices. */
function isUnc(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

/** Whether `path` is `folder` or lies in it. */
export function isWithin(folder: string, path: string, platform: NodeJS.Platform): boolean {
  const [outer, inner] = [comparable(folder, platform), comparable(path, platform)];
  const separator = platform === 'win32' ? '\\' : '/';
  return inner === outer || inner.startsWith(outer.endsWith(separator) ? outer : `${outer}${separator}`);
}

/** Whether two paths name the same place, by the platform's usual rules for names. */
export function isSame(one: string, other: string, platform: NodeJS.Platform): boolean {
  return comparable(one, platform) === comparable(other, platform);
}

/** As the platform's usual file systems compare names. */
function comparable(path: string, platform: NodeJS.Platform): string {
  if (platform === 'win32')
    return win32
      .normalize(path)
      .replace(/(?<=[^:])\\$/, '')
      .toLowerCase();
  const plain = posix.normalize(path).replace(/(?<=.)\/$/, '');
  return platform === 'darwin' ? plain.normalize('NFC').toLowerCase() : plain;
}

/**
 * In the data folder: other folders in which runs made theirs, so that what a dead run left there is found. One file for
 * each, so that two processes that remember something at the same time take nothing from each other.
 */
export const BIND_ROOTS = 'bind-roots';
const ENTRY = /^[0-9a-f]{16}\.json$/;
const entrySchema = z.object({ path: z.string(), at: z.number() });
const MOST = 50;

interface Entry {
  file: string;
  path: string;
  /** When it was named last, ms since 1970. */
  at: number;
}

/** Where bind mounts are made unless the preset names a folder. */
export function defaultBindRoot(dataDir: string): string {
  return join(dataDir, 'bind');
}

/**
 * Every folder in which runs of this data folder made theirs: the default one first, then those of presets, latest first.
 * What is broken counts as none; rejects where something can't be read.
 */
export async function knownBindRoots(dataDir: string): Promise<string[]> {
  const others = (await entries(dataDir)).slice(0, MOST).map(({ path }) => path);
  return [...new Set([defaultBindRoot(dataDir), ...others])];
}

/** Remembers a folder that a preset names, before anything is made in there. Rejects when the data folder can't be written. */
export async function rememberBindRoot(dataDir: string, root: string): Promise<void> {
  if (root === defaultBindRoot(dataDir)) return;
  // What can't be read keeps nothing from being remembered, and is not touched.
  const known = await entries(dataDir).catch((): Entry[] => []);
  const [latest] = known;
  if (latest?.path === root) return;
  const folder = join(dataDir, BIND_ROOTS);
  await mkdir(folder, PRIVATE_FOLDER);
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  // A clock may stand still for a while, or be set back.
  const entry = { path: root, at: Math.max(Date.now(), (latest?.at ?? 0) + 1) };
  await replaceFile(join(folder, `${name}.json`), (draft) => writeFile(draft, `${JSON.stringify(entry)}\n`));
  const surplus = known.filter(({ path }) => path !== root).slice(MOST - 1);
  for (const { file } of surplus) await rm(file, { force: true }).catch(() => undefined);
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8');

/** All that is remembered, latest first, each folder once. */
async function entries(dataDir: string): Promise<Entry[]> {
  const folder = join(dataDir, BIND_ROOTS);
  const found: Entry[] = [];
  for (const name of await namesIn(folder)) {
    if (!ENTRY.test(name)) continue;
    const file = join(folder, name);
    const entry = entrySchema.safeParse(parsed(await ifThere(file, readText))).data;
    if (entry !== undefined) found.push({ file, ...entry });
  }
  return found.sort((a, b) => b.at - a.at);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
