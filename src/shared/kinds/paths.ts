import { msg, type Message } from '../message.ts';
import { ENGINES, type Engine } from './engines.ts';
import type { SupportFacts } from './kind.ts';

/** The attachment to networks; servers that differ in it can't share a container. */
type Attach = ContainerAttach | 'ingress' | 'native';
export type ContainerAttach = 'bridge' | 'socket' | 'host' | 'overlay';

/**
 * A client's network. `host`: the engine's; `server`: the server's namespace; `other-node`: the overlay, on
 * another engine.
 */
type ClientNetwork = 'host' | 'bridge' | 'overlay' | 'other-node' | 'server' | 'socket';

interface ServerPlace {
  /** The server's port on 127.0.0.1. */
  hostPort: number;
  containerAddress: string;
  containerName: string;
  socketPath: string;
}

interface PathAddress {
  host: string;
  port: number;
  socketPath?: string;
}

interface PathNeeds {
  engine: Engine;
  facts: SupportFacts;
  isClientHere: boolean;
  serviceRefusal: Message | undefined;
}

/** Texts are `path.KIND` and `choice.path.KIND`. */
interface PathTraits {
  attach: Attach;
  /** `host`: Whalemark's client runs on this machine. */
  placement: 'host' | 'container';
  /** sysbench is in this network even if Whalemark's client isn't. */
  clientNetwork: ClientNetwork;
  address(place: ServerPlace): PathAddress;
  refusal?: (needs: PathNeeds) => Message | undefined;
  dash: readonly number[];
  shade: 0 | 1 | 2;
}

export const SERVER_PORT = 3306;

// Some runtimes forward `localhost` for IPv4 only.
const LOOPBACK = '127.0.0.1';
const atHostPort = ({ hostPort }: ServerPlace): PathAddress => ({ host: LOOPBACK, port: hostPort });
const byName = ({ containerName }: ServerPlace): PathAddress => ({ host: containerName, port: SERVER_PORT });

const swarmRefusal = ({ engine }: PathNeeds): Message | undefined =>
  ENGINES[engine.kind].hasNoSwarm
    ? msg('support.podmanSwarm')
    : engine.rootless
      ? msg('support.rootlessOverlay')
      : undefined;
const portRefusal = ({ engine, isClientHere }: PathNeeds): Message | undefined =>
  isClientHere && engine.remote ? msg('support.remotePort') : undefined;

export const PATHS = {
  'published-port': {
    attach: 'bridge',
    placement: 'host',
    clientNetwork: 'host',
    address: atHostPort,
    refusal: portRefusal,
    dash: [],
    shade: 0,
  },
  'host-network': {
    attach: 'host',
    placement: 'host',
    clientNetwork: 'host',
    address: atHostPort,
    refusal: ({ engine }) => {
      if (engine.remote) return msg('support.remoteHostNetwork');
      if (engine.hostNetworking) return undefined;
      if (ENGINES[engine.kind].hasHostNetworkingSetting) return msg('support.desktopHostNetwork');
      if (engine.rootless) return msg('support.rootlessHostNetwork');
      return msg(engine.userns === true ? 'support.usernsHostNetwork' : 'support.vmHostNetwork');
    },
    dash: [2, 3],
    shade: 2,
  },
  'container-ip': {
    attach: 'bridge',
    placement: 'host',
    clientNetwork: 'host',
    address: ({ containerAddress }) => ({ host: containerAddress, port: SERVER_PORT }),
    refusal: ({ engine }) => {
      if (engine.remote) return msg('support.remoteContainerIp');
      if (engine.rootless) return msg('support.rootlessContainerIp');
      return engine.vm && !ENGINES[engine.kind].routesNetworks ? msg('support.vmContainerIp') : undefined;
    },
    dash: [5, 2],
    shade: 0,
  },
  'user-bridge': {
    attach: 'bridge',
    placement: 'container',
    clientNetwork: 'bridge',
    address: byName,
    dash: [8, 4],
    shade: 1,
  },
  'shared-netns': {
    attach: 'bridge',
    placement: 'container',
    clientNetwork: 'server',
    address: () => ({ host: LOOPBACK, port: SERVER_PORT }),
    dash: [14, 4],
    shade: 2,
  },
  'unix-socket': {
    attach: 'socket',
    placement: 'container',
    clientNetwork: 'socket',
    address: ({ socketPath }) => ({ host: 'localhost', port: SERVER_PORT, socketPath }),
    dash: [4, 6],
    shade: 1,
  },
  overlay: {
    attach: 'overlay',
    placement: 'container',
    clientNetwork: 'overlay',
    address: byName,
    refusal: (needs) => swarmRefusal(needs) ?? needs.facts.swarm,
    dash: [10, 3, 2, 3],
    shade: 1,
  },
  'overlay-other-node': {
    attach: 'overlay',
    placement: 'container',
    clientNetwork: 'other-node',
    address: byName,
    refusal: (needs) => swarmRefusal(needs) ?? needs.facts.swarm ?? needs.facts.clientEngine,
    dash: [10, 3, 2, 3, 6, 3],
    shade: 0,
  },
  ingress: {
    attach: 'ingress',
    placement: 'host',
    clientNetwork: 'host',
    address: atHostPort,
    refusal: (needs) =>
      portRefusal(needs) ??
      swarmRefusal(needs) ??
      needs.serviceRefusal ??
      needs.facts.swarm ??
      needs.facts.ingress,
    dash: [10, 3, 2, 3, 2, 3],
    shade: 2,
  },
  loopback: {
    attach: 'native',
    placement: 'host',
    clientNetwork: 'host',
    address: atHostPort,
    dash: [16, 3, 4, 3],
    shade: 0,
  },
} satisfies Record<string, PathTraits>;

export type PathKind = keyof typeof PATHS;

export function pathTraits(path: PathKind): PathTraits {
  return PATHS[path];
}

export function usesOtherNode(path: PathKind): boolean {
  return pathTraits(path).clientNetwork === 'other-node';
}

export function usesSwarm(path: PathKind): boolean {
  const { attach } = PATHS[path];
  return attach === 'overlay' || attach === 'ingress';
}
