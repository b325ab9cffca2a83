import { msg, type Said } from '../../../shared/message.ts';
import type { FileSharing } from '../../../shared/model/passport.ts';
import { readDesktopSettings, readObject, type DesktopSettings } from './desktop-settings.ts';
import type { EngineInfo, Identity } from './identify.ts';
import { colimaHomes, limaHome } from './places.ts';
import { joinPath, variable, type Surroundings } from './surroundings.ts';

export interface SharingFinding {
  fileSharing: FileSharing;
  /** Where it was learnt, in words. No paths: it goes into reports. */
  evidence: Said;
}

const unknown = (evidence: Said): SharingFinding => ({ fileSharing: 'unknown', evidence });

/**
 * How a runtime shares the host's folders with its virtual machine, as far as its settings tell. Guesses are not
 * made: what no file says is `unknown`, and a run learns it from the mount itself.
 */
export function findFileSharing(
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

/** VirtioFS wins over gRPC FUSE; with both off it is osxfs, which only old versions for the Mac had. */
function dockerDesktop(
  { platform }: Surroundings,
  info: EngineInfo,
  settings: DesktopSettings | undefined,
): SharingFinding {
  if (isWsl2(info)) {
    return unknown(msg('sharing.wsl2'));
  }
  // It has no other way: virtiofsd is all that desktop-linux#289 and #231 show, and no setting changes it.
  if (platform === 'linux') return { fileSharing: 'virtiofs', evidence: msg('sharing.desktopLinux') };
  if (settings === undefined) return unknown(msg('sharing.desktopUnreadable'));
  const virtiofs = settings.flag('UseVirtualizationFrameworkVirtioFS');
  const grpcfuse = settings.flag('UseGrpcfuse');
  // Windows with Hyper-V has no VirtioFS; the key may still stand there.
  if (platform === 'darwin' && virtiofs === true) return { fileSharing: 'virtiofs', evidence: settings.file };
  if (grpcfuse === true) return { fileSharing: 'grpcfuse', evidence: settings.file };
  if (platform === 'darwin' && virtiofs === false && grpcfuse === false) {
    return { fileSharing: 'osxfs', evidence: settings.file };
  }
  return unknown(msg('sharing.silentDefault', { file: settings.file }));
}

/** Colima writes the settings a profile was started with to the profile's colima.yaml. */
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

/** `virtualMachine.mount.type`, which older versions kept under `experimental`. */
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

/** The mount types of Lima, which Colima and Rancher Desktop are built on. */
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
    } catch {
      // Unreadable is as good as absent: it stays unknown.
    }
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
