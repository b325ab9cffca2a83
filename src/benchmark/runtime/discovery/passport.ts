import type { Passport } from '../../../shared/model/passport.ts';
import { readDesktopSettings } from './desktop-settings.ts';
import { isRemote, type Connection } from '../engine/endpoints.ts';
import { findFileSharing } from './file-sharing.ts';
import {
  hasSecurityOption,
  identify,
  type EngineInfo,
  type EngineVersion,
  type Identity,
} from './identify.ts';
import type { Surroundings } from './surroundings.ts';

/** These run their engine in a virtual machine on every platform, Docker Desktop for Linux too. */
const ALWAYS_VM = new Set<string>(['docker-desktop', 'orbstack', 'colima', 'rancher-desktop', 'lima']);

/** The passport of an engine, from what it says and what this machine's settings say. Holds no name, path or address. */
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

/**
 * Engines without a machine of their own share the kernel of the app's machine, and only Linux has the kernel that
 * containers need. An engine on another kernel, whatever brought its socket here, is on another machine.
 */
function runsInVm(surroundings: Surroundings, { kind }: Identity, info: EngineInfo): boolean {
  return (
    ALWAYS_VM.has(kind) ||
    surroundings.platform !== 'linux' ||
    info.KernelVersion !== surroundings.host.release
  );
}

/**
 * The snap's own AppArmor profile forbids the change to a container's profile once no privileges may be gained, so every
 * program of such a container fails with EPERM (https://bugs.launchpad.net/snapd/+bug/1908448).
 */
function isSnap({ DockerRootDir }: EngineInfo): boolean {
  return DockerRootDir?.startsWith('/var/snap/') === true;
}

/** A rootless engine has a network namespace of its own (slirp4netns or pasta), so its "host" isn't ours. */
function reachesHostLoopback(
  surroundings: Surroundings,
  { kind }: Identity,
  where: { vm: boolean; remote: boolean; rootless: boolean; userns: boolean },
): boolean {
  if (where.remote || where.rootless || where.userns) return false;
  if (kind === 'docker-desktop') {
    return readDesktopSettings(surroundings)?.flag('HostNetworkingEnabled') === true;
  }
  // OrbStack brings both localhosts together (OrbStack documentation, “Container networking”, “Host networking”).
  return !where.vm || kind === 'orbstack';
}
