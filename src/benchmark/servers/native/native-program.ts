import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join, posix, win32 } from 'node:path';
import { requestedServer } from '../../../shared/compose/image.ts';
import { msg, type Message, type Said, listOf } from '../../../shared/message.ts';
import { FLAVOR_NAMES } from '../../../shared/words/provenance.ts';
import { isNetworkShare } from '../storage/mount-info.ts';
import { versionNumbers, type ServerVersion } from '../server-options.ts';

const VERSION_LIMIT_MS = 10_000;
const NAMES = ['mysqld', 'mariadbd'];

export interface NativeProgram extends ServerVersion {
  binary: string;
}

interface SearchOptions {
  env?: NodeJS.ProcessEnv;
  platform?: NodeJS.Platform;
  image?: string | undefined;
}

export async function findNativeProgram(
  named: string | undefined,
  { env = process.env, platform = process.platform, image }: SearchOptions = {},
): Promise<NativeProgram | { reason: Message }> {
  const ownChoice = env['WHALEMARK_MYSQLD'];
  const fixed = ownChoice || named;
  if (fixed !== undefined) {
    const isForeign = !ownChoice && !mayBeServer(fixed, platform);
    const found = isForeign ? { reason: FOREIGN } : await identify(fixed);
    return 'reason' in found
      ? { reason: msg('native.program', { program: fixed, reason: found.reason }) }
      : found;
  }
  const folders = await searchFolders(env, platform);
  const programs: NativeProgram[] = [];
  const refused: Message[] = [];
  for (const binary of await executables(folders, NAMES, platform)) {
    const found = await identify(binary);
    if ('reason' in found) refused.push(msg('field.problem', { field: binary, problem: found.reason }));
    else programs.push(found);
  }
  const wanted = image === undefined ? undefined : requestedServer(image);
  const best = nearest(
    programs.filter(({ flavor }) => wanted === undefined || flavor === wanted.flavor),
    wanted,
  );
  if (best !== undefined) return best;
  const [other] = programs;
  if (other !== undefined && wanted !== undefined) {
    return {
      reason: msg('native.otherFlavor', {
        found: `${FLAVOR_NAMES[other.flavor]} ${other.version}`,
        wanted: FLAVOR_NAMES[wanted.flavor],
      }),
    };
  }
  return {
    reason:
      refused.length > 0
        ? msg('native.refused', { reasons: listOf(refused) })
        : msg('native.none', { folders: folders.slice(pathFolders(env).length).join(', ') }),
  };
}

const FOREIGN = msg('native.foreign');

/** Presets come from strangers and may name any program. */
function mayBeServer(binary: string, platform: NodeJS.Platform): boolean {
  const { basename, isAbsolute } = platform === 'win32' ? win32 : posix;
  return (
    isAbsolute(binary) &&
    !isNetworkShare(binary, platform) &&
    /^(?:mysqld|mariadbd)(?:-debug)?(?:\.exe)?$/i.test(basename(binary))
  );
}

/** "mysqld Ver 8.4.10 for Linux on x86_64 (MySQL Community Server - GPL)"; MariaDB's version names it. */
export function parseVersion(text: string): ServerVersion | undefined {
  const version = /\bVer (\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (version === undefined) return undefined;
  if (/MariaDB/i.test(text)) return { flavor: 'mariadb', version };
  return { flavor: /Percona/i.test(text) ? 'percona' : 'mysql', version };
}

export function unsupportedVersion({ flavor, version }: ServerVersion): Message | undefined {
  const [major, minor] = versionNumbers(version);
  const isOld = flavor === 'mariadb' ? major < 10 || (major === 10 && minor < 5) : major < 8;
  if (!isOld) return undefined;
  return flavor === 'mariadb' ? msg('native.oldMariadb', { version }) : msg('native.oldMysql', { version });
}

async function identify(binary: string): Promise<NativeProgram | { reason: Message }> {
  const text = await versionText(binary);
  if (typeof text !== 'string') return { reason: text };
  const server = parseVersion(text);
  if (server === undefined) return { reason: msg('native.noVersion') };
  const reason = unsupportedVersion(server);
  return reason === undefined ? { binary, ...server } : { reason };
}

function versionText(binary: string): Promise<Said> {
  return new Promise((resolve) => {
    execFile(
      binary,
      ['--no-defaults', '--version'],
      { timeout: VERSION_LIMIT_MS, killSignal: 'SIGKILL', windowsHide: true },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else if (error.killed === true) resolve(msg('native.noAnswer'));
        else if (error.code === 'ENOENT') resolve(msg('native.missing'));
        else if (error.code === 'EACCES') resolve(msg('native.notExecutable'));
        else resolve(msg('native.failed', { code: String(error.code) }));
      },
    );
  });
}

/** A baseline should be the same build. */
function nearest(
  programs: readonly NativeProgram[],
  wanted: { version: string } | undefined,
): NativeProgram | undefined {
  if (wanted === undefined) return programs[0];
  const [major, minor, patch] = versionNumbers(wanted.version);
  const distance = (program: NativeProgram): number => {
    const own = versionNumbers(program.version);
    return Math.abs(own[0] - major) * 1e6 + Math.abs(own[1] - minor) * 1e3 + Math.abs(own[2] - patch);
  };
  return [...programs].sort((a, b) => distance(a) - distance(b))[0];
}

function pathFolders(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? env['Path'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

async function searchFolders(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string[]> {
  const own = pathFolders(env);
  const all = async (folders: string[], starts: string[]): Promise<string[]> => {
    const { join } = platform === 'win32' ? win32 : posix;
    const found = folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names
        .filter((name) => starts.some((start) => name.startsWith(start)))
        .map((name) => join(folder, name));
    });
    return (await Promise.all(found)).flat();
  };
  if (platform === 'win32') {
    const vendors = await all(['C:\\Program Files'], ['MySQL', 'MariaDB', 'Percona']);
    const products = await all(vendors, ['']);
    return [...own, ...[...vendors, ...products].map((folder) => win32.join(folder, 'bin'))];
  }
  const brew = await all(['/opt/homebrew/opt', '/usr/local/opt'], ['mysql', 'mariadb', 'percona-server']);
  const ports = await all(['/opt/local/lib'], ['mysql', 'mariadb', 'percona']);
  return [
    ...own,
    '/usr/sbin',
    '/usr/local/sbin',
    '/usr/libexec',
    '/usr/local/mysql/bin',
    ...[...brew, ...ports].map((folder) => posix.join(folder, 'bin')),
  ];
}

async function executables(
  folders: string[],
  names: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const suffix = platform === 'win32' ? '.exe' : '';
  const found: string[] = [];
  for (const folder of new Set(folders)) {
    for (const name of names) {
      const path = join(folder, `${name}${suffix}`);
      const isExecutable = access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (await isExecutable) found.push(path);
    }
  }
  return found;
}

const CLIENTS = ['mariadb', 'mysql'];
export async function nativeClient(binary: string): Promise<string | { reason: Message }> {
  const names = /mariadb/i.test(basename(binary)) ? CLIENTS : [...CLIENTS].reverse();
  const own = dirname(binary);
  // Packages have it in /usr/bin for a server in /usr/sbin or /usr/libexec.
  const [client] = await executables([own, join(own, '../bin')], names);
  return client ?? { reason: msg('native.noClient', { folder: own }) };
}
