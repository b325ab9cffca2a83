import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { PRODUCTS, productTraits, type Product } from '../../../shared/kinds/engines.ts';
import type { DockerFacts, RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import { ownHost, type HostSource } from '../../host/host-source.ts';
import { parseEndpoint } from '../engine/endpoints.ts';
import { joinPath, type Platform, supportedPlatform, type Surroundings, variable } from './surroundings.ts';
import { readProcesses, TICKS_PER_SECOND } from '../../host/processes.ts';

export interface FactSource extends HostSource {
  env: Record<string, string | undefined>;
  homeDirectory: string;
  userName: string;
  stat(path: string): { groupId: number; mode: number } | undefined;
}

export async function withDockerFacts(
  report: RuntimeReport,
  source: FactSource = thisMachinesFacts(),
): Promise<RuntimeReport> {
  if (report.chosenId !== null) return report;
  return { ...report, facts: await dockerFacts(source, report.attempts) };
}

async function dockerFacts(source: FactSource, attempts: RuntimeAttempt[]): Promise<DockerFacts> {
  const platform = supportedPlatform(source.platform);
  const running = await listProcesses(source);
  const machine = { platform, env: source.env, homeDirectory: source.homeDirectory };
  const products = PRODUCTS.flatMap((product) => {
    const paths = installedPlaces(machine, product);
    const programs = running.filter(({ name }) => productTraits(product).processes.test(name));
    if (programs.length === 0 && !paths.some((path) => source.stat(path) !== undefined)) return [];
    return [{ product, isRunning: programs.length > 0, runningSeconds: longest(programs) }];
  });
  return {
    platform,
    wsl: platform === 'linux' && /microsoft/i.test(source.read('/proc/sys/kernel/osrelease') ?? ''),
    products: products.sort((a, b) => Number(b.isRunning) - Number(a.isRunning)),
    hasCommand: hasCommand(source, platform),
    services: servicesOf(source),
    user: source.userName,
    sockets: platform === 'win32' ? [] : forbiddenSockets(source, platform, attempts),
  };
}

function longest(programs: RunningProgram[]): number | null {
  const known = programs.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  return known.length === 0 ? null : Math.max(...known);
}

function hasCommand(source: FactSource, platform: Platform): boolean {
  const [separator, file] = platform === 'win32' ? [';', 'docker.exe'] : [':', 'docker'];
  // Apps started from the desktop may have a short PATH.
  const usual = platform === 'win32' ? [] : ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/snap/bin'];
  const directories = [
    ...(variable(source, 'PATH') ?? variable(source, 'Path') ?? '').split(separator),
    ...usual,
  ];
  return directories.some(
    (directory) => directory !== '' && source.stat(joinPath({ platform }, directory, file)) !== undefined,
  );
}

function servicesOf(source: FactSource): DockerFacts['services'] {
  const hasPackage = ['/usr/bin/dockerd', '/usr/sbin/dockerd'].some(
    (path) => source.stat(path) !== undefined,
  );
  if (!hasPackage && source.stat('/snap/bin/docker') !== undefined) return 'snap';
  return source.stat('/run/systemd/system') === undefined ? 'other' : 'systemd';
}

function forbiddenSockets(
  source: FactSource,
  platform: Platform,
  attempts: RuntimeAttempt[],
): DockerFacts['sockets'] {
  return attempts.flatMap(({ endpoint, error }) => {
    if (error?.code !== 'ENDPOINT_FORBIDDEN' || !endpoint.startsWith('unix:')) return [];
    const connection = parseEndpoint(endpoint, platform);
    const found = connection.kind === 'socket' ? source.stat(connection.path) : undefined;
    if (connection.kind !== 'socket' || found === undefined) return [];
    const group = groupOf(source, found.groupId);
    return [
      {
        path: connection.path,
        group: group?.name ?? String(found.groupId),
        openToGroup: (found.mode & 0o060) === 0o060,
        isMember: group?.members.includes(source.userName) ?? false,
      },
    ];
  });
}

/** Lines of group(5) are name:password:gid:members. */
function groupOf(source: FactSource, id: number): { name: string; members: string[] } | undefined {
  for (const line of (source.read('/etc/group') ?? '').split('\n')) {
    const [name, , gid, members = ''] = line.split(':');
    if (name !== undefined && gid === String(id)) return { name, members: members.trim().split(',') };
  }
  return undefined;
}

function thisMachinesFacts(): FactSource {
  return {
    ...ownHost(),
    env: process.env,
    homeDirectory: homedir(),
    userName: nameOfUser(),
    stat: (path) => {
      try {
        const { gid, mode } = statSync(path);
        return { groupId: gid, mode };
      } catch {
        return undefined;
      }
    },
  };
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

interface RunningProgram {
  name: string;
  seconds: number | null;
}

async function listProcesses(source: HostSource): Promise<RunningProgram[]> {
  if (source.platform === 'win32')
    return parseTasks((await source.run('tasklist', ['/FO', 'CSV', '/NH'])) ?? '');
  if (source.platform === 'darwin') return parsePs((await source.run('ps', ['-axo', 'etime=,comm='])) ?? '');
  return fromProc(source);
}

function fromProc(source: HostSource): RunningProgram[] {
  const uptime = Number(source.read('/proc/uptime')?.split(' ')[0] ?? Number.NaN);
  return [...readProcesses(source)].map(([key, { name }]) => {
    const seconds = uptime - Number(key.split('.')[1]) / TICKS_PER_SECOND;
    return { name, seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : null };
  });
}

/** `ps -axo etime=,comm=`: "[[days-]hours:]minutes:seconds /path/of/the program". */
function parsePs(text: string): RunningProgram[] {
  return text.split('\n').flatMap((line) => {
    const [, days, hours, minutes, seconds, path] =
      /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    if (path === undefined) return [];
    const [d = 0, h = 0, m = 0, s = 0] = [days, hours, minutes, seconds].map((part) => Number(part ?? 0));
    return [{ name: path.split('/').at(-1) ?? path, seconds: ((d * 24 + h) * 60 + m) * 60 + s }];
  });
}

/** `tasklist /FO CSV /NH`: "Docker Desktop.exe","1234",… */
function parseTasks(text: string): RunningProgram[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, name] = /^"([^"]+)"/.exec(line) ?? [];
    return name === undefined ? [] : [{ name: name.replace(/\.exe$/i, ''), seconds: null }];
  });
}

type Machine = Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>;

function installedPlaces(machine: Machine, product: Product): string[] {
  const places = productTraits(product).installedAt[machine.platform] ?? [];
  return places.map((place) => placeOn(machine, place));
}

export function placeOn(machine: Machine, place: string): string {
  const home = machine.homeDirectory;
  const roots: Record<string, string> = {
    '~': home,
    '%ProgramFiles%': variable(machine, 'ProgramFiles') ?? 'C:\\Program Files',
    '%LOCALAPPDATA%': variable(machine, 'LOCALAPPDATA') ?? joinPath(machine, home, 'AppData', 'Local'),
  };
  const [first = '', ...rest] = place.split('/');
  const root = roots[first];
  return root === undefined ? place : joinPath(machine, root, ...rest);
}
