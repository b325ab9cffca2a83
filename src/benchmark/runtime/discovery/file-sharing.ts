import { msg, type Said } from '../../../shared/message.ts';
import type { FileSharing } from '../../../shared/model/passport.ts';
import { type DesktopSettings, desktopSharing, isWsl2 } from './desktop-settings.ts';
import { colimaHomes, limaHome } from './places.ts';
import type { EngineInfo, Identity } from './probe.ts';
import { isInWsl, joinPath, readObject, readTextOf, type Surroundings, variable } from './surroundings.ts';

interface SharingFinding {
  fileSharing: FileSharing;
  evidence: Said;
}

const unknown = (evidence: Said): SharingFinding => ({ fileSharing: 'unknown', evidence });

/** By settings. Never guesses: else `unknown`, until a run sees the mount. */
export function findFileSharing(
  surroundings: Surroundings,
  identity: Identity,
  info: EngineInfo,
  where: { vm: boolean; remote: boolean; settings: DesktopSettings | undefined },
): SharingFinding {
  if (where.remote) return unknown(msg('sharing.remote'));
  switch (identity.kind) {
    case 'docker-desktop':
      return desktopSharing(surroundings, info, where.settings);
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
      if (where.vm) return unknown(msg('sharing.otherKernel'));
      return {
        fileSharing: 'native',
        evidence: msg(isInWsl(surroundings) ? 'sharing.wslDistribution' : 'sharing.noVm'),
      };
  }
}

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
  return fromMountType(settings === undefined ? null : type, msg('sharing.rancherFile'));
}

/** `type`: null without such a file. */
function fromMountType(type: string | null | undefined, file: Said): SharingFinding {
  switch (type) {
    case null:
      return unknown(msg('sharing.missing', { file }));
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

function firstText(surroundings: Surroundings, paths: string[], pattern: RegExp): string | null | undefined {
  const texts = paths.flatMap((path) => readTextOf(surroundings, path) ?? []);
  if (texts.length === 0) return null;
  return texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])[0];
}

function stringAt(value: unknown, keys: string[]): string | undefined {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Reflect.get(at, key);
  }
  return typeof at === 'string' ? at : undefined;
}
