import { statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { type DockerFacts, type Product, PRODUCTS } from '../../../shared/model/docker-facts.ts';
import type { RuntimeAttempt, RuntimeReport } from '../../../shared/model/passport.ts';
import { ownHost, type HostSource } from '../../machine/host-source.ts';
import { parseEndpoint } from '../engine/endpoints.ts';
import { joinPath, type Platform, supportedPlatform, type Surroundings, variable } from './surroundings.ts';
import { parseProcess, TICKS_PER_SECOND } from '../../machine/processes.ts';

/** Replaceable, so that a test can be any machine. */
export interface FactSource extends HostSource {
  env: Record<string, string | undefined>;
  homeDirectory: string;
  userName: string;
  /** Follows links; undefined if missing. */
  stat(path: string): { groupId: number; mode: number } | undefined;
}

/** Adds facts if no engine is usable. Never rejects. */
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
  const places = installedPlaces({ platform, env: source.env, homeDirectory: source.homeDirectory });
  const products = places.flatMap(({ product, paths }) => {
    const programs = running.filter(({ name }) => PROCESS_NAMES[product].test(name));
    if (programs.length === 0 && !paths.some((path) => source.stat(path) !== undefined)) return [];
    return [{ product, isRunning: programs.length > 0, runningSeconds: longest(programs) }];
  });
  return {
    platform,
    wsl: platform === 'linux' && /microsoft/i.test(source.read('/proc/sys/kernel/osrelease') ?? ''),
    // Running products first.
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
  // An app started from the desktop may have a short PATH.
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
  // sd_booted(3).
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

/** group(5): name:password:gid:members. */
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

/** A user id may have no name. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** Its file's name without folder and `.exe` (on Linux cut to 15 characters), and its age. */
interface RunningProgram {
  name: string;
  /** Null if unknown. */
  seconds: number | null;
}

/** Empty if unknown. */
async function listProcesses(source: HostSource): Promise<RunningProgram[]> {
  if (source.platform === 'win32')
    return parseTasks((await source.run('tasklist', ['/FO', 'CSV', '/NH'])) ?? '');
  if (source.platform === 'darwin') return parsePs((await source.run('ps', ['-axo', 'etime=,comm='])) ?? '');
  return fromProc(source);
}

function fromProc(source: HostSource): RunningProgram[] {
  const uptime = Number(source.read('/proc/uptime')?.split(' ')[0] ?? Number.NaN);
  return source.list('/proc').flatMap((pid) => {
    const text = /^\d+$/.test(pid) ? source.read(`/proc/${pid}/stat`) : undefined;
    const found = text === undefined ? undefined : parseProcess(text);
    if (found === undefined) return [];
    const seconds = uptime - Number(found.key.split('.')[1]) / TICKS_PER_SECOND;
    return [{ name: found.process.name, seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : null }];
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

/** As `listProcesses` returns them. */
const PROCESS_NAMES: Record<Product, RegExp> = {
  'docker-desktop': /^(com\.docker\.back.*|Docker Desktop)$/,
  'docker-engine': /^dockerd(-rootless.*)?$/,
  orbstack: /^OrbStack( Helper)?$/,
  colima: /^colima$/,
  'rancher-desktop': /^([Rr]ancher[ -][Dd]eskt.*)$/,
  podman: /^(gvproxy|win-sshproxy)$/,
};

/** Usual places of installers and Homebrew (Apple silicon, Intel, Linux), the likeliest first. */
function installedPlaces(
  machine: Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>,
): { product: Product; paths: string[] }[] {
  const places = PLACES[machine.platform](machine);
  return PRODUCTS.map((product) => ({ product, paths: places[product] }));
}

type Machine = Pick<Surroundings, 'platform' | 'env' | 'homeDirectory'>;
type Places = Record<Product, string[]>;

const PLACES: Record<Machine['platform'], (machine: Machine) => Places> = {
  linux: (machine) => ({
    'docker-desktop': ['/opt/docker-desktop'],
    'docker-engine': [
      '/usr/bin/dockerd',
      '/usr/sbin/dockerd',
      '/usr/local/bin/dockerd',
      '/snap/bin/docker',
      // Rootless mode's script installs here.
      joinPath(machine, machine.homeDirectory, 'bin', 'dockerd'),
    ],
    orbstack: [],
    colima: ['/usr/local/bin/colima', '/home/linuxbrew/.linuxbrew/bin/colima'],
    'rancher-desktop': ['/opt/rancher-desktop', '/usr/bin/rancher-desktop'],
    podman: ['/usr/bin/podman', '/usr/local/bin/podman'],
  }),
  darwin: (machine) => {
    const app = (name: string): string[] => [
      `/Applications/${name}.app`,
      joinPath(machine, machine.homeDirectory, 'Applications', `${name}.app`),
    ];
    const command = (name: string): string[] => [`/opt/homebrew/bin/${name}`, `/usr/local/bin/${name}`];
    return {
      'docker-desktop': app('Docker'),
      'docker-engine': [],
      orbstack: app('OrbStack'),
      colima: command('colima'),
      'rancher-desktop': app('Rancher Desktop'),
      podman: ['/opt/podman/bin/podman', ...command('podman')],
    };
  },
  win32: (machine) => {
    const programs = variable(machine, 'ProgramFiles') ?? 'C:\\Program Files';
    const own =
      variable(machine, 'LOCALAPPDATA') ?? joinPath(machine, machine.homeDirectory, 'AppData', 'Local');
    return {
      'docker-desktop': [
        joinPath(machine, programs, 'Docker', 'Docker', 'Docker Desktop.exe'),
        joinPath(machine, own, 'Programs', 'DockerDesktop', 'Docker Desktop.exe'),
      ],
      'docker-engine': [joinPath(machine, programs, 'Docker', 'dockerd.exe')],
      orbstack: [],
      colima: [],
      'rancher-desktop': [
        joinPath(machine, programs, 'Rancher Desktop', 'Rancher Desktop.exe'),
        joinPath(machine, own, 'Programs', 'Rancher Desktop', 'Rancher Desktop.exe'),
      ],
      podman: [joinPath(machine, programs, 'RedHat', 'Podman', 'podman.exe')],
    };
  },
};
