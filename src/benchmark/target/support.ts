import { msg, type Message } from '../../shared/message.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { DriverKind, PathKind } from '../../shared/model/names.ts';
import type { StorageSpec } from '../../shared/model/storage-spec.ts';
import type { Workload } from '../../shared/model/workload.ts';
import { sysbenchCan } from '../load/sysbench/arguments.ts';
import { PATHS } from './paths.ts';

/** What a scenario asks of a runtime. */
export interface ScenarioNeeds {
  storage: StorageSpec;
  path: PathKind;
  driver: DriverKind;
  workload: Workload;
  clientNode: string | undefined;
}

/** What the passport does not say, found out only for plans that ask for it: why it can't be had, or undefined. */
export interface SupportFacts {
  /** A folder in which bind mounts and native datadirs can be made. */
  bind?: Message | undefined;
  /** A server program on this machine. */
  native?: Message | undefined;
  /** An answer at the user's own address. */
  external?: Message | undefined;
  /** A swarm, there or to be started. */
  swarm?: Message | undefined;
  /** The routing mesh. */
  ingress?: Message | undefined;
  /** A node of the swarm for the client, by the node asked for. */
  clientNodes?: Record<string, Message>;
}

/**
 * The support matrix: why this runtime can't run a scenario, or undefined when it can. A refusal is a reason to
 * show, never a reason to drop the scenario silently.
 */
export function unsupportedReason(
  passport: Passport,
  needs: ScenarioNeeds,
  facts: SupportFacts = {},
): Message | undefined {
  return (
    storageReason(passport, needs.storage, facts) ??
    pathReason(passport, needs, facts) ??
    driverReason(passport, needs)
  );
}

function storageReason(
  { runtime }: Passport,
  { kind }: StorageSpec,
  facts: SupportFacts,
): Message | undefined {
  switch (kind) {
    case 'bind-mount':
      return runtime.remote
        ? msg('support.remoteFolder')
        : runtime.userns === true
          ? msg('support.usernsFolder')
          : facts.bind;
    case 'native':
      return runtime.remote ? msg('support.remoteNative') : (facts.bind ?? facts.native);
    case 'external':
      return facts.external;
    case 'named-volume':
    case 'anonymous-volume':
    case 'image-layer':
    case 'data-container':
    case 'volume-options':
    case 'tmpfs':
      return undefined;
    default:
      return kind satisfies never;
  }
}

function pathReason({ runtime }: Passport, needs: ScenarioNeeds, facts: SupportFacts): Message | undefined {
  const { path } = needs;
  const clientHere = PATHS[path].placement === 'host' && needs.driver === 'node';
  switch (path) {
    case 'published-port':
    case 'ingress':
      if (clientHere && runtime.remote) {
        return msg('support.remotePort');
      }
      if (path === 'published-port') return undefined;
      return swarmReason(runtime) ?? serviceReason(runtime, needs.storage) ?? facts.swarm ?? facts.ingress;
    case 'host-network':
      if (runtime.remote) {
        return msg('support.remoteHostNetwork');
      }
      return hostNetworkReason(runtime);
    case 'container-ip':
      if (runtime.remote) return msg('support.remoteContainerIp');
      if (runtime.rootless) {
        return msg('support.rootlessContainerIp');
      }
      // OrbStack routes them (OrbStack documentation, "Container networking").
      return runtime.vm && runtime.kind !== 'orbstack' ? msg('support.vmContainerIp') : undefined;
    case 'overlay':
      return (
        swarmReason(runtime) ??
        facts.swarm ??
        (needs.clientNode === undefined ? undefined : facts.clientNodes?.[needs.clientNode])
      );
    case 'user-bridge':
    case 'shared-netns':
    case 'unix-socket':
      return undefined;
    case 'loopback':
    case 'external':
      // Each belongs to one storage, which says what is in its way.
      return undefined;
    default:
      return path satisfies never;
  }
}

type Runtime = Passport['runtime'];

function hostNetworkReason(runtime: Runtime): Message | undefined {
  if (runtime.hostNetworking) return undefined;
  if (runtime.kind === 'docker-desktop') {
    return msg('support.desktopHostNetwork');
  }
  if (runtime.rootless) {
    return msg('support.rootlessHostNetwork');
  }
  if (runtime.userns === true) {
    return msg('support.usernsHostNetwork');
  }
  return msg('support.vmHostNetwork');
}

function swarmReason(runtime: Runtime): Message | undefined {
  if (runtime.kind === 'podman') return msg('support.podmanSwarm');
  return runtime.rootless ? msg('support.rootlessOverlay') : undefined;
}

/** The routing mesh only leads to services, and those get volumes and folders by name and nothing else. */
function serviceReason({ selinux }: Runtime, { kind }: StorageSpec): Message | undefined {
  switch (kind) {
    case 'named-volume':
    case 'volume-options':
    case 'tmpfs':
      return undefined;
    case 'bind-mount':
      return selinux ? msg('support.meshSelinux') : undefined;
    case 'anonymous-volume':
    case 'image-layer':
    case 'data-container':
    case 'native':
    case 'external':
      return msg('support.meshStorage');
    default:
      return kind satisfies never;
  }
}

/** sysbench only runs in a container; for a path whose client is on the host it needs the host's network. */
function driverReason({ runtime }: Passport, { driver, path, workload }: ScenarioNeeds): Message | undefined {
  if (driver !== 'sysbench') return undefined;
  const cannot = sysbenchCan(workload);
  if (cannot !== undefined) return cannot;
  return PATHS[path].placement === 'host' && (runtime.remote || !runtime.hostNetworking)
    ? msg('support.sysbenchNeedsHost')
    : undefined;
}
