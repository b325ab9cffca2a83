import { msg, type Said, englishOf } from '../../../shared/message.ts';
import { ENGINES } from '../../../shared/kinds/engines.ts';
import type { FileSharing, Passport } from '../../../shared/model/passport.ts';
import { isRemote, type Connection } from '../engine/endpoints.ts';
import { type EngineInfo, type EngineVersion, hasSecurityOption, identify, type Identity } from './probe.ts';
import { joinPath, type Surroundings, variable } from './surroundings.ts';
import { formatBytes } from '../../../shared/words/units.ts';
import { colimaHomes, limaHome } from './places.ts';

/** From the engine's answers and this machine's settings; without names, paths, and addresses. */
export function makePassport(
  surroundings: Surroundings,
  connection: Connection,
  version: EngineVersion,
  info: EngineInfo,
): Passport {
  const identity = identify(version, info);
  const remote = isRemote(connection);
  const vm = runsInVm(surroundings, identity, info);
  const rootless = hasSecurityOption(info, 'rootless');
  const userns = hasSecurityOption(info, 'userns');
  const sharing = findFileSharing(surroundings, identity, info, { vm, remote });
  return {
    runtime: {
      kind: identity.kind,
      name: identity.name,
      engineVersion: version.Version,
      apiVersion: version.ApiVersion ?? '',
      vm,
      rootless,
      remote,
      selinux: hasSecurityOption(info, 'selinux'),
      ...(isSnap(info) ? { noNewPrivileges: false } : {}),
      ...(userns ? { userns } : {}),
      operatingSystem: info.OperatingSystem,
      kernel: info.KernelVersion,
      architecture: info.Architecture,
      cpus: info.NCPU,
      memoryBytes: info.MemTotal,
      storageDriver: info.Driver,
      fileSharing: sharing.fileSharing,
      fileSharingEvidence: sharing.evidence,
      hostNetworking: reachesHostLoopback(surroundings, identity, { vm, remote, rootless, userns }),
    },
    host: surroundings.host,
  };
}

/** Without a VM the engine shares the app's Linux kernel; another kernel means another machine. */
function runsInVm(surroundings: Surroundings, { kind }: Identity, info: EngineInfo): boolean {
  return (
    ENGINES[kind].isAlwaysVm === true ||
    surroundings.platform !== 'linux' ||
    info.KernelVersion !== surroundings.host.release
  );
}

/**
 * The snap's AppArmor profile fails every program of a container with no-new-privileges (EPERM;
 * https://bugs.launchpad.net/snapd/+bug/1908448).
 */
function isSnap({ DockerRootDir }: EngineInfo): boolean {
  return DockerRootDir?.startsWith('/var/snap/') === true;
}

/** A rootless engine's "host" is its own network namespace (slirp4netns or pasta). */
function reachesHostLoopback(
  surroundings: Surroundings,
  { kind }: Identity,
  where: { vm: boolean; remote: boolean; rootless: boolean; userns: boolean },
): boolean {
  if (where.remote || where.rootless || where.userns) return false;
  if (ENGINES[kind].hasHostNetworkingSetting) {
    return readDesktopSettings(surroundings)?.flag('HostNetworkingEnabled') === true;
  }
  return !where.vm || ENGINES[kind].routesNetworks === true;
}

/** In English, for terminal and bug reports; undefined without a runtime. */
export function passportLines(passport: Passport | undefined): string[] {
  if (passport === undefined) return ['No usable runtime.'];
  const { runtime, host } = passport;
  return [
    `In use: ${runtime.name}, ${runtime.vm ? 'in a virtual machine' : 'native'}`,
    `  engine ${runtime.engineVersion} (API ${runtime.apiVersion}), storage driver ${runtime.storageDriver}`,
    `  containers: ${runtime.cpus} CPUs, ${formatBytes(runtime.memoryBytes)}`,
    `  host: ${host.cpus} CPUs (${host.cpuModel}), ${formatBytes(host.memoryBytes)}, ${host.platform} ${host.release}`,
    `  file sharing: ${runtime.fileSharing} (${englishOf(runtime.fileSharingEvidence)})`,
    `  host networking: ${runtime.hostNetworking ? 'yes' : 'no'}`,
  ];
}

interface SharingFinding {
  fileSharing: FileSharing;
  evidence: Said;
}

const unknown = (evidence: Said): SharingFinding => ({ fileSharing: 'unknown', evidence });

/**
 * How the runtime shares host folders with its VM, by its settings. Never guesses: otherwise `unknown`, until a run
 * sees the mount.
 */
function findFileSharing(
  surroundings: Surroundings,
  identity: Identity,
  info: EngineInfo,
  where: { vm: boolean; remote: boolean },
): SharingFinding {
  if (where.remote) return unknown(msg('sharing.remote'));
  switch (identity.kind) {
    case 'docker-desktop':
      return dockerDesktop(surroundings, info, readDesktopSettings(surroundings));
    case 'colima':
      return colima(surroundings, info);
    case 'lima':
      return limaMachine(surroundings, info);
    case 'rancher-desktop':
      return rancherDesktop(surroundings, info);
    case 'orbstack':
      return unknown(msg('sharing.orbstack'));
    case 'podman':
      return where.vm
        ? unknown(msg('sharing.podman'))
        : { fileSharing: 'native', evidence: msg('sharing.noVm') };
    default:
      return where.vm
        ? unknown(msg('sharing.otherKernel'))
        : { fileSharing: 'native', evidence: msg('sharing.noVm') };
  }
}

function isWsl2(info: EngineInfo): boolean {
  return /microsoft-standard-wsl2/i.test(info.KernelVersion);
}

/** VirtioFS wins over gRPC FUSE; with both off it is osxfs, in old versions for the Mac. */
function dockerDesktop(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): SharingFinding {
  if (isWsl2(info)) {
    return unknown(msg('sharing.wsl2'));
  }
  // Always virtiofsd (desktop-linux#289 and #231).
  if (platform === 'linux') return { fileSharing: 'virtiofs', evidence: msg('sharing.desktopLinux') };
  if (settings === undefined) return unknown(msg('sharing.desktopUnreadable'));
  const virtiofs = settings.flag('UseVirtualizationFrameworkVirtioFS');
  const grpcfuse = settings.flag('UseGrpcfuse');
  // Windows with Hyper-V has no VirtioFS, whatever the key says.
  if (platform === 'darwin' && virtiofs === true) return { fileSharing: 'virtiofs', evidence: settings.file };
  if (grpcfuse === true) return { fileSharing: 'grpcfuse', evidence: settings.file };
  if (platform === 'darwin' && virtiofs === false && grpcfuse === false) {
    return { fileSharing: 'osxfs', evidence: settings.file };
  }
  return unknown(msg('sharing.silentDefault', { file: settings.file }));
}

/** From the profile's colima.yaml. */
function colima(surroundings: Surroundings, info: EngineInfo): SharingFinding {
  const profile = /^colima-(.+)$/.exec(info.Name ?? '')?.[1] ?? 'default';
  const paths = colimaHomes(surroundings).map((home) => joinPath(surroundings, home, profile, 'colima.yaml'));
  return fromMountType(firstText(surroundings, paths, /^mountType:\s*['"]?([\w-]+)/m), 'colima.yaml');
}

function limaMachine(surroundings: Surroundings, info: EngineInfo): SharingFinding {
  const machine = /^lima-(.+)$/.exec(info.Name ?? '')?.[1] ?? 'default';
  const path = joinPath(surroundings, limaHome(surroundings), machine, 'lima.yaml');
  return fromMountType(firstText(surroundings, [path], /^mountType:\s*['"]?([\w-]+)/m), 'lima.yaml');
}

/** `virtualMachine.mount.type`, formerly under `experimental`. */
function rancherDesktop(surroundings: Surroundings, info: EngineInfo): SharingFinding {
  if (isWsl2(info)) {
    return unknown(msg('sharing.wsl2'));
  }
  const { homeDirectory } = surroundings;
  const config =
    surroundings.platform === 'darwin'
      ? joinPath(surroundings, homeDirectory, 'Library', 'Preferences')
      : (variable(surroundings, 'XDG_CONFIG_HOME') ?? joinPath(surroundings, homeDirectory, '.config'));
  const settings = readObject(
    surroundings,
    joinPath(surroundings, config, 'rancher-desktop', 'settings.json'),
  );
  const type =
    stringAt(settings, ['virtualMachine', 'mount', 'type']) ??
    stringAt(settings, ['experimental', 'virtualMachine', 'mount', 'type']);
  return fromMountType(type, msg('sharing.rancherFile'));
}

/** Lima's mount types, which Colima and Rancher Desktop share. */
function fromMountType(type: string | undefined, file: Said): SharingFinding {
  switch (type) {
    case 'virtiofs':
      return { fileSharing: 'virtiofs', evidence: file };
    case '9p':
      return { fileSharing: '9p', evidence: file };
    case 'sshfs':
    case 'reverse-sshfs':
      return { fileSharing: 'sshfs', evidence: file };
    default:
      return unknown(msg('sharing.silent', { file }));
  }
}

function firstText(surroundings: Surroundings, paths: string[], pattern: RegExp): string | undefined {
  for (const path of paths) {
    try {
      const found = pattern.exec(surroundings.readText(path) ?? '')?.[1];
      if (found !== undefined) return found;
    } catch {}
  }
  return undefined;
}

function stringAt(value: unknown, keys: string[]): string | undefined {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return typeof at === 'string' ? at : undefined;
}

/** By key in lower case: old versions wrote camelCase, new ones PascalCase. */
interface DesktopSettings {
  file: string;
  flag(key: string): boolean | undefined;
}

const DESKTOP_SETTINGS = ['settings-store.json', 'settings.json'];

function readDesktopSettings(surroundings: Surroundings): DesktopSettings | undefined {
  const directory = settingsDirectory(surroundings);
  for (const file of DESKTOP_SETTINGS) {
    const values = readObject(surroundings, joinPath(surroundings, directory, file));
    if (values === undefined) continue;
    const byKey = new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
    return {
      file,
      flag: (key) => {
        const value = byKey.get(key.toLowerCase());
        return typeof value === 'boolean' ? value : undefined;
      },
    };
  }
  return undefined;
}

function settingsDirectory(surroundings: Surroundings): string {
  const { platform, homeDirectory } = surroundings;
  switch (platform) {
    case 'darwin':
      return joinPath(surroundings, homeDirectory, 'Library', 'Group Containers', 'group.com.docker');
    case 'win32': {
      const roaming =
        variable(surroundings, 'APPDATA') ?? joinPath(surroundings, homeDirectory, 'AppData', 'Roaming');
      return joinPath(surroundings, roaming, 'Docker');
    }
    case 'linux':
      return joinPath(surroundings, homeDirectory, '.docker', 'desktop');
  }
}

function readObject(surroundings: Surroundings, path: string): Record<string, unknown> | undefined {
  try {
    const text = surroundings.readText(path);
    const json: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.fromEntries(Object.entries(json))
      : undefined;
  } catch {
    return undefined;
  }
}
