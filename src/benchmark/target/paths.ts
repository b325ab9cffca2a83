import type { PathKind, Placement } from '../../shared/model/names.ts';

/** What a path asks of the server's container and of the client. */
export interface PathTraits {
  /** How the server's container is attached: to the run's own bridge network or to the host's network. */
  attach: 'bridge' | 'host';
  placement: Placement;
  /** For people. */
  name: string;
}

export const PATHS: Record<PathKind, PathTraits> = {
  'published-port': { attach: 'bridge', placement: 'host', name: 'published port' },
  'user-bridge': { attach: 'bridge', placement: 'container', name: 'client container on the bridge' },
  'host-network': { attach: 'host', placement: 'host', name: 'host network' },
};

/** Port that servers on a bridge listen on. */
export const SERVER_PORT = 3306;
