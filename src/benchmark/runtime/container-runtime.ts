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

/** Methods reject with a `BenchmarkError`, and succeed if what they remove doesn't exist. */
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
  /** The folder of the engine's data on this machine; undefined for engines elsewhere. */
  dataRoot(): Promise<string | undefined>;
  listOwned(): Promise<OwnedResource[]>;
}

export interface Engines {
  /** The first is the reference. */
  engines: readonly [ContainerRuntime, ...ContainerRuntime[]];
  /** The engine of another swarm node. */
  client?: ContainerRuntime | undefined;
}

export function allOf({ engines, client = engines[0] }: Engines): ContainerRuntime[] {
  return [...new Set([...engines, client])];
}
