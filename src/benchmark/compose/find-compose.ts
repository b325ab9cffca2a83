import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { runLimited, type ProgramEnd } from '../host/limited-program.ts';
import { cliConfig, configDirectory } from '../runtime/discovery/candidates.ts';
import { placeOn } from '../runtime/discovery/docker-facts.ts';
import {
  joinPath,
  type Platform,
  type Surroundings,
  thisMachine,
  variable,
} from '../runtime/discovery/surroundings.ts';

/** The first version with `!reset`, `include`, profiles by `*`, and a complete `config --format json`. */
const OLDEST = [2, 20] as const;
export const OLDEST_COMPOSE = OLDEST.join('.');

/** A machine that has just started takes seconds for a first program. */
const VERSION_MS = 10_000;
const VERSION_BYTES = 64 * 1024;

/** `before`: arguments before Compose's own. */
export interface ComposeProgram {
  command: string;
  before: string[];
  version: string;
}

type Candidate = Omit<ComposeProgram, 'version'>;

export interface ComposeSearch extends Pick<Surroundings, 'platform' | 'env' | 'homeDirectory' | 'readText'> {
  isExecutable(path: string): boolean;
  run(command: string, args: string[]): Promise<ProgramEnd>;
}

let ownSearch: ComposeSearch | undefined;
const found = new WeakMap<ComposeSearch, Promise<ComposeProgram>>();

/**
 * The first new enough Compose in Docker's order, remembered until it is gone; rejects with COMPOSE_NOT_FOUND
 * or COMPOSE_TOO_OLD.
 */
export async function findCompose(search = (ownSearch ??= thisSearch())): Promise<ComposeProgram> {
  const known = await found.get(search)?.catch(() => undefined);
  if (known !== undefined && search.isExecutable(known.command)) return known;
  const looking = look(search);
  found.set(search, looking);
  return looking;
}

function thisSearch(): ComposeSearch {
  return {
    ...thisMachine(),
    isExecutable: (path) => {
      try {
        accessSync(path, constants.X_OK);
        return statSync(path).isFile();
      } catch {
        return false;
      }
    },
    run: (command, args) =>
      runLimited(command, args, {
        env: process.env,
        ms: VERSION_MS,
        stdoutBytes: VERSION_BYTES,
        stderrBytes: VERSION_BYTES,
      }),
  };
}

async function look(search: ComposeSearch): Promise<ComposeProgram> {
  let old: ComposeProgram | undefined;
  const silent: string[] = [];
  for (const candidate of candidates(search)) {
    if (!search.isExecutable(candidate.command)) continue;
    const version = await versionOf(search, candidate);
    if (version === undefined) {
      // Docker's own program may have no Compose.
      if (candidate.before.length === 0) silent.push(candidate.command);
    } else if (isNewEnough(version)) return { ...candidate, version };
    else old ??= { ...candidate, version };
  }
  if (old !== undefined) {
    const { command: path, version } = old;
    throw new BenchmarkError('COMPOSE_TOO_OLD', { path, version, oldest: OLDEST_COMPOSE });
  }
  throw new BenchmarkError(
    'COMPOSE_NOT_FOUND',
    { oldest: OLDEST_COMPOSE },
    { evidence: silent.map((path) => msg('composeProgram.noVersion', { path })) },
  );
}

async function versionOf(search: ComposeSearch, { command, before }: Candidate): Promise<string | undefined> {
  const end = await search.run(command, [...before, 'version', '--short']);
  if (end.how !== 'ended' || end.code !== 0) return undefined;
  return /^v?(\d+\.\d+[\w.+-]*)\s*$/.exec(end.stdout)?.[1];
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The app lacks the PATH of the user's shell, so products' folders are included. */
function candidates(search: ComposeSearch): Candidate[] {
  const suffix = search.platform === 'win32' ? '.exe' : '';
  const ofProducts = PRODUCT_FOLDERS[search.platform].map((place) => placeOn(search, place));
  const folders = new Set([...pluginFolders(search), ...pathFolders(search), ...ofProducts]);
  const at = (name: string, before: string[]): Candidate[] =>
    [...folders].map((folder) => ({ command: joinPath(search, folder, `${name}${suffix}`), before }));
  return [...at('docker-compose', []), ...at('docker', ['compose'])];
}

function pathFolders({ env, platform }: ComposeSearch): string[] {
  const path = platform === 'win32' ? win32 : posix;
  return (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter(path.isAbsolute);
}

/** Folders of plugins. Source: docker/cli, cli-plugins/manager: getPluginDirs, defaultSystemPluginDirs. */
function pluginFolders(search: ComposeSearch): string[] {
  const own = [
    ...(cliConfig(search).cliPluginsExtraDirs ?? []),
    joinPath(search, configDirectory(search), 'cli-plugins'),
  ];
  if (search.platform === 'win32') {
    const roots = ['ProgramData', 'ProgramFiles'].flatMap((name) => variable(search, name) ?? []);
    return [...own, ...roots.map((root) => joinPath(search, root, 'Docker', 'cli-plugins'))];
  }
  const system = ['/usr/local/lib', '/usr/local/libexec', '/usr/lib', '/usr/libexec'];
  return [...own, ...system.map((folder) => `${folder}/docker/cli-plugins`)];
}

const PODMAN_DESKTOP =
  '~/.local/share/containers/podman-desktop/extensions-storage/podman-desktop.compose/bin';

/** Docker Desktop, OrbStack, Rancher Desktop, Podman Desktop, Homebrew (with Colima), the snap, and DDEV. */
const PRODUCT_FOLDERS: Readonly<Record<Platform, readonly string[]>> = {
  linux: [
    '~/.rd/bin',
    '/opt/rancher-desktop/resources/resources/linux/docker-cli-plugins',
    ...['/home/linuxbrew/.linuxbrew/lib/docker/cli-plugins', '/home/linuxbrew/.linuxbrew/bin'],
    ...['/usr/local/bin', '/usr/bin'],
    ...['/snap/docker/current/usr/libexec/docker/cli-plugins', '/snap/bin'],
    ...[PODMAN_DESKTOP, '~/.ddev/bin'],
  ],
  darwin: [
    '/Applications/Docker.app/Contents/Resources/cli-plugins',
    ...['~/.orbstack/bin', '/Applications/OrbStack.app/Contents/MacOS/xbin', '~/.rd/bin'],
    '/Applications/Rancher Desktop.app/Contents/Resources/resources/darwin/docker-cli-plugins',
    ...['/opt/homebrew/lib/docker/cli-plugins', '/opt/homebrew/bin', '/usr/local/bin'],
    ...[PODMAN_DESKTOP, '~/.ddev/bin'],
  ],
  win32: [
    ...['cli-plugins', 'bin'].map((name) => `%ProgramFiles%/Docker/Docker/resources/${name}`),
    ...['docker-cli-plugins', 'bin'].map(
      (name) => `%ProgramFiles%/Rancher Desktop/resources/resources/win32/${name}`,
    ),
    '~/.ddev/bin',
  ],
};
