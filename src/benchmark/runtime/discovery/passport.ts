import { ENGINES } from '../../../shared/kinds/engines.ts';
import type { Passport } from '../../../shared/model/passport.ts';
import { apiVersionsOf } from '../engine/api-version.ts';
import { isRemote, type Connection } from '../engine/endpoints.ts';
import { type EngineInfo, type EngineVersion, hasSecurityOption, identify, type Identity } from './probe.ts';
import { isInWsl, type Surroundings } from './surroundings.ts';
import { passportFacts } from '../../../shared/words/facts.ts';
import { ENGLISH } from '../../../shared/words/i18n.ts';
import {
  type DesktopSettings,
  desktopFacts,
  desktopSharing,
  isWsl2,
  readDesktopSettings,
} from './desktop-settings.ts';

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
  const isDesktopHere = identity.kind === 'docker-desktop' && !remote;
  const settings = isDesktopHere ? readDesktopSettings(surroundings) : undefined;
  const sharesKernel = !vm && isInWsl(surroundings);
  const isWsl = !remote && (sharesKernel || isWsl2(info, settings));
  return {
    runtime: {
      kind: identity.kind,
      name: identity.name,
      engineVersion: version.Version,
      ...apiVersionsOf(version),
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
      // Other engines' file sharing shows only in a run.
      fileSharing: isDesktopHere
        ? desktopSharing(surroundings, info, settings)
        : vm || remote
          ? 'unknown'
          : 'native',
      hostNetworking: reachesHostLoopback(identity, { vm, remote, rootless, userns, settings }),
      ...(isWsl ? { virtualMachine: 'wsl2' as const } : {}),
      ...(isDesktopHere ? desktopFacts(surroundings, info, settings) : {}),
    },
    host: surroundings.host,
  };
}

function runsInVm(surroundings: Surroundings, { kind }: Identity, info: EngineInfo): boolean {
  return (
    ENGINES[kind].isAlwaysVm === true ||
    surroundings.platform !== 'linux' ||
    info.KernelVersion !== surroundings.host.release
  );
}

/** In a snap, programs fail with no-new-privileges (EPERM; https://bugs.launchpad.net/snapd/+bug/1908448). */
function isSnap({ DockerRootDir }: EngineInfo): boolean {
  return DockerRootDir?.startsWith('/var/snap/') === true;
}

/** A rootless engine's host network is its own namespace (slirp4netns or pasta). */
function reachesHostLoopback(
  { kind }: Identity,
  where: {
    vm: boolean;
    remote: boolean;
    rootless: boolean;
    userns: boolean;
    settings: DesktopSettings | undefined;
  },
): boolean {
  if (where.remote || where.rootless || where.userns) return false;
  if (ENGINES[kind].hasHostNetworkingSetting) {
    const isIsolated = where.settings?.flag('EnhancedContainerIsolation') === true;
    return where.settings?.flag('HostNetworkingEnabled') === true && !isIsolated;
  }
  return !where.vm || ENGINES[kind].routesNetworks === true;
}

export function passportLines(passport: Passport | undefined): string[] {
  if (passport === undefined) return ['No usable runtime.'];
  const facts = passportFacts(passport, ENGLISH);
  return [`In use: ${passport.runtime.name}`, ...facts.map(([name, value]) => `  ${name}: ${value}`)];
}
