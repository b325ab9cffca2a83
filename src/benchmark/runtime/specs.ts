import type { Readable, Writable } from 'node:stream';
import type { Said } from '../../shared/message.ts';
import type { Limits } from '../../shared/model/server-spec.ts';

export interface LocalImage {
  id: string;
  references: string[];
  labels: Record<string, string>;
  env: Record<string, string>;
  architecture: string;
  bytes: number;
}

export interface ImageSpec {
  tag: string;
  files: Record<string, string | Uint8Array>;
  labels: Record<string, string>;
  buildArgs: Record<string, string>;
}

export type MountSpec =
  | { type: 'volume'; source: string; target: string; readOnly?: boolean; noCopy?: boolean }
  | { type: 'anonymous-volume'; target: string; labels: Record<string, string> }
  | { type: 'bind'; source: string; target: string; readOnly?: boolean };

export interface ContainerSpec {
  name: string;
  image: string;
  labels: Record<string, string>;
  env?: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  user?: string;
  workingDirectory?: string;
  mounts?: MountSpec[];
  volumesFrom?: string[];
  /** Network name or id, 'host', or `container:<id>`. */
  network?: string;
  networkAliases?: string[];
  /** TCP ports, published on 127.0.0.1. */
  publish?: number[];
  limits?: Limits;
  stdin?: boolean;
  stopTimeoutSeconds?: number;
}

export interface ContainerState {
  running: boolean;
  paused: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  /** Container port → published host port. */
  ports: Record<number, number>;
  addresses: Record<string, string>;
  startedAt: string;
  endedAt: string;
  layer?: string;
}

export interface Attachment {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  ended: Promise<void>;
  close(): void;
}

export interface RunningContainer {
  id: string;
  name: string;
  labels: Record<string, string>;
}

export interface ListedContainer extends RunningContainer {
  imageId: string;
  running: boolean;
  networkMode: string;
  networks: string[];
}

export interface VolumeFacts {
  driver: string;
  options: Record<string, string>;
}

export interface OwnedResource {
  kind: 'container' | 'image' | 'volume' | 'network' | 'service' | 'swarm';
  id: string;
  name: string;
  labels: Record<string, string>;
}

export interface Progress {
  /** 0…1; null if unknown. */
  fraction: number | null;
  detail: Said;
}

export interface SwarmState {
  /** `locked` waits for its key. */
  state: 'inactive' | 'pending' | 'active' | 'error' | 'locked';
  manager: boolean;
  nodeId: string;
  /** An engine with this option can't be in a swarm. */
  liveRestore: boolean;
}

export interface SwarmNode {
  id: string;
  usable: boolean;
}

export interface ServiceSpec extends Pick<ContainerSpec, 'name' | 'image' | 'labels'> {
  nodeId: string;
  env?: ContainerSpec['env'];
  command?: ContainerSpec['command'];
  limits?: ContainerSpec['limits'];
  stopTimeoutSeconds?: ContainerSpec['stopTimeoutSeconds'];
  /** Anonymous volumes can't be filled before a service runs. */
  mounts?: Exclude<MountSpec, { type: 'anonymous-volume' }>[];
  publish: number;
}

export interface ServiceTask {
  /** Source: Docker documentation, "Swarm task states". */
  state: string;
  message: string;
  containerId: string | undefined;
}
