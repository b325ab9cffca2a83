import type { Readable, Writable } from 'node:stream';
import type { Said } from '../../shared/message.ts';
import type { ContainerUsage } from '../../shared/model/evidence.ts';
import type { ExaminedContainer } from './examined-container.ts';
import type { Passport } from '../../shared/model/passport.ts';
import type { Limits } from '../../shared/model/server-spec.ts';

export interface LocalImage {
  id: string;
  references: string[];
  labels: Record<string, string>;
  env: Record<string, string>;
  architecture: string;
  bytes: number;
}

export type MountSpec =
  /** `noCopy`: stays empty of the image's files. */
  | { type: 'volume'; source: string; target: string; readOnly?: boolean; noCopy?: boolean }
  /** Removed with its container. */
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
  /** At the same paths. */
  volumesFrom?: string[];
  /** Network name or id, 'host', or `container:<id>`. */
  network?: string;
  networkAliases?: string[];
  /** TCP ports to publish on 127.0.0.1, each on a free port. */
  publish?: number[];
  limits?: Limits;
  stdin?: boolean;
  stopTimeoutSeconds?: number;
}

/** So late may an engine know of a pause or its end. */
export const LATE_PAUSE_MS = 2_000;

export interface ContainerState {
  running: boolean;
  paused: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  /** Container port → published host port. */
  ports: Record<number, number>;
  addresses: Record<string, string>;
  /** As the engine prints it; `followLogs` accepts it. */
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

/**
 * Every method rejects with a `BenchmarkError`, ENGINE_LOST if the engine is gone. Removing what does not exist
 * succeeds.
 */
export interface ContainerRuntime {
  readonly id: string;
  /** For this user only. */
  readonly endpoint: string;
  readonly passport: Passport;
  readonly images: ImageClient;
  readonly networks: NetworkClient;
  readonly volumes: VolumeClient;
  readonly containers: ContainerClient;
  readonly swarm: SwarmEngine;

  ping(): Promise<{ engineVersion: string; kernel: string }>;
  /** Undefined if it is in a VM or elsewhere. */
  dataRoot(): Promise<string | undefined>;
  listOwned(): Promise<OwnedResource[]>;
}

export interface Engines {
  runtime: ContainerRuntime;
  /** Others that are measured. */
  further?: readonly ContainerRuntime[] | undefined;
  /** Of another swarm node, for clients. */
  client?: ContainerRuntime | undefined;
}

export function allOf({ runtime, further = [], client = runtime }: Engines): ContainerRuntime[] {
  return [...new Set([runtime, ...further, client])];
}

export interface ImageClient {
  list(): Promise<LocalImage[]>;
  inspect(reference: string): Promise<LocalImage | undefined>;
  probeRegistry(reference: string): Promise<void>;
  pull(reference: string, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void>;
  build(
    spec: {
      tag: string;
      files: Record<string, string | Uint8Array>;
      labels: Record<string, string>;
      buildArgs: Record<string, string>;
    },
    onProgress: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /** A container's own layer, as the image `tag`. */
  commit(containerId: string, tag: string, labels: Record<string, string>): Promise<string>;
  remove(id: string): Promise<void>;
}

export interface NetworkClient {
  create(name: string, labels: Record<string, string>, driver?: 'bridge' | 'overlay'): Promise<string>;
  remove(id: string): Promise<void>;
}

export interface VolumeClient {
  create(
    name: string,
    labels: Record<string, string>,
    driverOptions?: Record<string, string>,
  ): Promise<string>;
  remove(name: string): Promise<void>;
  list(label: string): Promise<OwnedResource[]>;
  inspect(name: string): Promise<VolumeFacts | undefined>;
  /** Of its files; undefined: there is none of the name, or the engine doesn't tell. */
  bytes(name: string): Promise<number | undefined>;
}

export interface ContainerClient {
  create(spec: ContainerSpec): Promise<string>;
  start(id: string): Promise<void>;
  /** SIGTERM, then SIGKILL after the grace. */
  stop(id: string, graceSeconds: number): Promise<void>;
  kill(id: string): Promise<void>;
  /** With its anonymous volumes; kills it first. */
  remove(id: string): Promise<void>;
  inspect(id: string): Promise<ContainerState>;
  /** Since its start, and memory now, bytes. */
  usage(id: string): Promise<{ usage: ContainerUsage; memoryBytes: number | null }>;
  wait(id: string, signal?: AbortSignal): Promise<number>;
  pause(id: string): Promise<void>;
  unpause(id: string): Promise<void>;
  /**
   * Resolves when the container is, or gets paused by anyone, and `isMeant` agrees. Rejects if `signal` aborts or the engine
   * can't tell.
   */
  waitPaused(id: string, signal: AbortSignal, isMeant?: () => Promise<boolean>): Promise<void>;
  /** Until the container stops or `signal` aborts, from `startedAt` of a state. */
  followLogs(
    id: string,
    onLine: (line: string) => void,
    options: { signal: AbortSignal; since?: string },
  ): Promise<void>;
  logTail(id: string, lines: number): Promise<string[]>;
  /** Before `start`, so that no output is lost. */
  attach(id: string): Promise<Attachment>;
  /** `isLong`: it may take hours. */
  exec(
    id: string,
    command: string[],
    isLong?: boolean,
  ): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  getArchive(id: string, path: string): Promise<Readable>;
  putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void>;
  /** Look, but never touch. */
  listRunning(): Promise<RunningContainer[]>;
  listAll(): Promise<ListedContainer[]>;
  /** By name or ID; undefined: none. */
  examine(id: string): Promise<ExaminedContainer | undefined>;
  /** On the engine's machine; undefined: unknown. Creates nothing. */
  hasPath(path: string): Promise<boolean | undefined>;
}

export interface SwarmState {
  /** `locked` waits for its key. */
  state: 'inactive' | 'pending' | 'active' | 'error' | 'locked';
  manager: boolean;
  nodeId: string;
  /** It then can't be in a swarm. */
  liveRestore: boolean;
}

export interface SwarmNode {
  id: string;
  usable: boolean;
}

export interface ServiceSpec {
  name: string;
  image: string;
  labels: Record<string, string>;
  nodeId: string;
  env?: Record<string, string>;
  command?: string[];
  /** Anonymous volumes can't be filled before a service runs. */
  mounts?: Exclude<MountSpec, { type: 'anonymous-volume' }>[];
  limits?: Limits;
  publish: number;
  stopTimeoutSeconds?: number;
}

export interface ServiceTask {
  /** Docker documentation, "Swarm task states": new, pending, …, running, complete, failed, rejected, … */
  state: string;
  message: string;
  containerId: string | undefined;
}

/** Outside a swarm only `state` and `init` work. */
export interface SwarmEngine {
  state(): Promise<SwarmState>;
  /** This node alone, reachable from this machine only, labeled from its first moment. */
  init(labels: Record<string, string>): Promise<void>;
  /** If labeled with this run. Rejects with SWARM_IN_USE if it contains things of others. */
  leave(runId: string): Promise<void>;
  nodes(): Promise<SwarmNode[]>;
  createService(spec: ServiceSpec): Promise<string>;
  serviceTask(id: string): Promise<ServiceTask | undefined>;
  publishedPort(id: string): Promise<number | undefined>;
  /** Resolves when task and container are gone. */
  removeService(id: string): Promise<void>;
  /** By Whalemark's owner label; outside a swarm what is left of them. */
  listOwned(): Promise<OwnedResource[]>;
}
