import type { PathKind, Placement } from '../../shared/model/names.ts';

/** How a server is attached; servers that differ in this can't be the same container. */
export type Attach = ContainerAttach | 'ingress' | 'native' | 'external';
/** How a plain container is attached. */
export type ContainerAttach = 'bridge' | 'socket' | 'host' | 'overlay';

/**
 * Whose network a client container has: the engine's host, the run's bridge or overlay, the server's own namespace,
 * or none but the server's socket.
 */
export type ClientNetwork = 'host' | 'bridge' | 'overlay' | 'server' | 'socket';

/** What a path asks of the server's container and of the client. */
export interface PathTraits {
  attach: Attach;
  /** Where our own client runs: in this process, or in a container. */
  placement: Placement;
  /** Network of a client container; for a path with the client here, of sysbench, which only runs in a container. */
  clientNetwork: ClientNetwork;
}

/** Every path, and what it is. */
export const PATHS: Record<PathKind, PathTraits> = {
  'published-port': {
    attach: 'bridge',
    placement: 'host',
    clientNetwork: 'host',
  },
  'host-network': { attach: 'host', placement: 'host', clientNetwork: 'host' },
  'container-ip': { attach: 'bridge', placement: 'host', clientNetwork: 'host' },
  'user-bridge': {
    attach: 'bridge',
    placement: 'container',
    clientNetwork: 'bridge',
  },
  'shared-netns': {
    attach: 'bridge',
    placement: 'container',
    clientNetwork: 'server',
  },
  'unix-socket': {
    attach: 'socket',
    placement: 'container',
    clientNetwork: 'socket',
  },
  overlay: {
    attach: 'overlay',
    placement: 'container',
    clientNetwork: 'overlay',
  },
  ingress: { attach: 'ingress', placement: 'host', clientNetwork: 'host' },
  loopback: { attach: 'native', placement: 'host', clientNetwork: 'host' },
  external: { attach: 'external', placement: 'host', clientNetwork: 'host' },
};

/** Port that servers on a network of their own listen on. */
export const SERVER_PORT = 3306;

/** Where the volume with a server's socket is mounted, in the server's and in the client's container. */
export const SOCKET_DIRECTORY = '/run/whalemark-socket';
export const SOCKET_PATH = `${SOCKET_DIRECTORY}/mysqld.sock`;
