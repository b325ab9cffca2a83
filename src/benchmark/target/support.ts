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
  bind?: string | undefined;
  /** A server program on this machine. */
  native?: string | undefined;
  /** An answer at the user's own address. */
  external?: string | undefined;
  /** A swarm, there or to be started. */
  swarm?: string | undefined;
  /** The routing mesh. */
  ingress?: string | undefined;
  /** A node of the swarm for the client, by the node asked for. */
  clientNodes?: Record<string, string>;
}

/**
 * The support matrix: why this runtime can't run a scenario, or undefined when it can. A refusal is a reason to
 * show, never a reason to drop the scenario silently.
 */
export function unsupportedReason(
  passport: Passport,
  needs: ScenarioNeeds,
  facts: SupportFacts = {},
): string | undefined {
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
): string | undefined {
  switch (kind) {
    case 'bind-mount':
      return runtime.remote
        ? 'The engine is on another machine: a folder of this one can’t be mounted there.'
        : runtime.userns === true
          ? 'The engine runs containers as other users (userns-remap), who can’t write in a folder of yours.'
          : facts.bind;
    case 'native':
      return runtime.remote
        ? 'The engine is on another machine: a server on this one is no baseline for it.'
        : (facts.bind ?? facts.native);
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

function pathReason({ runtime }: Passport, needs: ScenarioNeeds, facts: SupportFacts): string | undefined {
  const { path } = needs;
  const clientHere = PATHS[path].placement === 'host' && needs.driver === 'node';
  switch (path) {
    case 'published-port':
    case 'ingress':
      if (clientHere && runtime.remote) {
        return 'The engine is on another machine, and ports are only published on its own loopback address.';
      }
      if (path === 'published-port') return undefined;
      return swarmReason(runtime) ?? serviceReason(runtime, needs.storage) ?? facts.swarm ?? facts.ingress;
    case 'host-network':
      if (runtime.remote) {
        return 'The engine is on another machine: --network host is the network of that machine, not of this one.';
      }
      return hostNetworkReason(runtime);
    case 'container-ip':
      if (runtime.remote)
        return 'The engine is on another machine: its container addresses lead nowhere from here.';
      if (runtime.rootless) {
        return 'A rootless engine has a network namespace of its own: container addresses lead nowhere from the host.';
      }
      // OrbStack routes them (OrbStack documentation, "Container networking").
      return runtime.vm && runtime.kind !== 'orbstack'
        ? 'Containers run in a virtual machine: their addresses can’t be reached from this machine.'
        : undefined;
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

function hostNetworkReason(runtime: Runtime): string | undefined {
  if (runtime.hostNetworking) return undefined;
  if (runtime.kind === 'docker-desktop') {
    return 'Host networking is off in Docker Desktop (Settings → Resources → Network → Enable host networking, 4.34 or later).';
  }
  if (runtime.rootless) {
    return 'A rootless engine has a network namespace of its own: --network host does not reach the host.';
  }
  if (runtime.userns === true) {
    return 'The engine runs containers as other users (userns-remap), and such a container can’t have the host’s network.';
  }
  return 'Containers run in a virtual machine: --network host is the network of the VM, not of this machine.';
}

function swarmReason(runtime: Runtime): string | undefined {
  if (runtime.kind === 'podman') return 'Podman has no swarm, and overlay networks belong to swarms.';
  return runtime.rootless
    ? 'A rootless engine can’t carry overlay networks (Docker documentation, “Rootless mode”, known limitations).'
    : undefined;
}

/** The routing mesh only leads to services, and those get volumes and folders by name and nothing else. */
function serviceReason({ selinux }: Runtime, { kind }: StorageSpec): string | undefined {
  switch (kind) {
    case 'named-volume':
    case 'volume-options':
    case 'tmpfs':
      return undefined;
    case 'bind-mount':
      return selinux
        ? 'The routing mesh leads to services, and a service can’t have a folder relabelled for SELinux.'
        : undefined;
    case 'anonymous-volume':
    case 'image-layer':
    case 'data-container':
    case 'native':
    case 'external':
      return 'The routing mesh leads to services, whose containers the swarm makes: this storage can’t be filled before they run.';
    default:
      return kind satisfies never;
  }
}

/** sysbench only runs in a container; for a path whose client is on the host it needs the host's network. */
function driverReason({ runtime }: Passport, { driver, path, workload }: ScenarioNeeds): string | undefined {
  if (driver !== 'sysbench') return undefined;
  const cannot = sysbenchCan(workload);
  if (cannot !== undefined) return cannot;
  return PATHS[path].placement === 'host' && (runtime.remote || !runtime.hostNetworking)
    ? 'sysbench runs in a container, and on this runtime a container can’t stand where a client of the host stands.'
    : undefined;
}
