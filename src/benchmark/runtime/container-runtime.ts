import type { Passport } from '../../shared/model/passport.ts';
import type { Containers } from './engine/containers.ts';
import type { Images } from './engine/images.ts';
import type { Networks } from './engine/networks.ts';
import type { Swarm } from './engine/swarm.ts';
import type { Volumes } from './engine/volumes.ts';
import type { OwnedResource } from './specs.ts';

export type * from './specs.ts';
export type ImageClient = Omit<Images, 'listOwned'>;
export type NetworkClient = Pick<Networks, 'create' | 'remove'>;
export type VolumeClient = Omit<Volumes, 'listOwned'>;
export type ContainerClient = Omit<Containers, 'listOwned'>;
export type SwarmEngine = Omit<Swarm, never>;

/** Methods reject with a `BenchmarkError`. Removing what doesn't exist succeeds. */
export interface ContainerRuntime {
  readonly id: string;
  readonly endpoint: string;
  readonly passport: Passport;
  readonly images: ImageClient;
  readonly networks: NetworkClient;
  readonly volumes: VolumeClient;
  readonly containers: ContainerClient;
  readonly swarm: SwarmEngine;

  ping(): Promise<{ engineVersion: string; kernel: string }>;
  /** A folder of this machine; undefined for engines elsewhere. */
  dataRoot(): Promise<string | undefined>;
  listOwned(): Promise<OwnedResource[]>;
}

export interface Engines {
  /** The first is the reference. */
  engines: readonly [ContainerRuntime, ...ContainerRuntime[]];
  client?: ContainerRuntime | undefined;
}

export function allOf({ engines, client = engines[0] }: Engines): ContainerRuntime[] {
  return [...new Set([...engines, client])];
}
