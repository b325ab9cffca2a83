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
  /** `noCopy`: an empty volume is not filled with the image's files. */
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
  /** Mounts the volumes of these containers at the same paths. */
  volumesFrom?: string[];
  /** Network name or id, 'host', or `container:<id>`. */
  network?: string;
  networkAliases?: string[];
  /** TCP ports to publish on 127.0.0.1, each on a free port. */
  publish?: number[];
  limits?: Limits;
  /** Keep stdin open, for `attach`. */
  stdin?: boolean;
  stopTimeoutSeconds?: number;
}

/** How long after a pause or its end an engine may take a container for what it was before, ms. */
export const LATE_PAUSE_MS = 2_000;

export interface ContainerState {
  /** Also while it is paused. */
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
  /** Directory of the container's own files on the engine's machine, if the engine names it. */
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
  /** As the engine prints it: `bridge`, `host`, `container:<id>`, or a network. */
  networkMode: string;
  networks: string[];
}

export interface VolumeFacts {
  driver: string;
  options: Record<string, string>;
}

export interface OwnedResource {
  kind: 'container' | 'image' | 'volume' | 'network' | 'service' | 'config' | 'secret' | 'swarm';
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
 * What Whalemark needs from an engine, a client per kind of resource. Every method rejects with a `BenchmarkError`,
 * ENGINE_LOST if the engine is gone. Removing what does not exist succeeds.
 */
export interface ContainerRuntime {
  readonly id: string;
  /** Without secrets, for this user only. */
  readonly endpoint: string;
  readonly passport: Passport;
  readonly images: ImageClient;
  readonly networks: NetworkClient;
  readonly volumes: VolumeClient;
  readonly containers: ContainerClient;
  readonly swarm: SwarmEngine;

  ping(): Promise<{ engineVersion: string; kernel: string }>;
  /** Where the engine keeps volumes and containers on this machine; undefined if that is in a VM or elsewhere. */
  dataRoot(): Promise<string | undefined>;
  listOwned(): Promise<OwnedResource[]>;
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
  /** The files of a container's own layer on top of its image, as the image `tag`. */
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
  /** Usage since its start, and memory now, bytes. */
  usage(id: string): Promise<{ usage: ContainerUsage; memoryBytes: number | null }>;
  wait(id: string, signal?: AbortSignal): Promise<number>;
  /** Freezes its processes where they are, if they run. */
  pause(id: string): Promise<void>;
  /** Lets them run again, if they are frozen. */
  unpause(id: string): Promise<void>;
  /**
   * Resolves when anyone pauses the container (`docker pause`) and `isMeant` agrees, which is asked once a pause.
   * Rejects if `signal` aborts or the engine can't tell.
   */
  waitPaused(id: string, signal: AbortSignal, isMeant?: () => Promise<boolean>): Promise<void>;
  /** Line by line until the container stops or `signal` aborts, from `startedAt` of a state. */
  followLogs(
    id: string,
    onLine: (line: string) => void,
    options: { signal: AbortSignal; since?: string },
  ): Promise<void>;
  logTail(id: string, lines: number): Promise<string[]>;
  /** Call before `start`, so that no output is lost. */
  attach(id: string): Promise<Attachment>;
  /** `isLong`: it may take hours. */
  exec(
    id: string,
    command: string[],
    isLong?: boolean,
  ): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  getArchive(id: string, path: string): Promise<Readable>;
  /** Unpacks a tar stream into `path`; keeps owners. */
  putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void>;
  /** Other people's, too: look, but never touch. */
  listRunning(): Promise<RunningContainer[]>;
  listAll(): Promise<ListedContainer[]>;
  /** How another one's was made, by name or ID; undefined: there is none. */
  examine(id: string): Promise<ExaminedContainer | undefined>;
  /** Whether `path` exists on the engine's machine; undefined if unknown. Creates nothing. */
  hasPath(path: string): Promise<boolean | undefined>;
}

export interface SwarmState {
  /** The engine's word; `locked` waits for its key. */
  state: 'inactive' | 'pending' | 'active' | 'error' | 'locked';
  manager: boolean;
  nodeId: string;
  /** An engine with live restore can't be in a swarm. */
  liveRestore: boolean;
}

export interface SwarmNode {
  id: string;
  /** Private: not for results. */
  hostName: string;
  usable: boolean;
}

/** A config, or a secret if only its user may read it. */
export interface SwarmFile {
  kind: 'config' | 'secret';
  id: string;
  name: string;
}

export interface ServiceSpec {
  name: string;
  image: string;
  labels: Record<string, string>;
  nodeId: string;
  env?: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  user?: string;
  /** A service has no anonymous volumes, since they can't be filled before it runs. */
  mounts?: Exclude<MountSpec, { type: 'anonymous-volume' }>[];
  network?: string;
  files?: { file: SwarmFile; path: string; user: number }[];
  limits?: Limits;
  publish?: number;
  stopTimeoutSeconds?: number;
}

export interface ServiceTask {
  /** Docker documentation, "Swarm task states": new, pending, …, running, complete, failed, rejected, … */
  state: string;
  message: string;
  nodeId: string;
  containerId: string | undefined;
}

/** What Whalemark needs of an engine's swarm. Outside a swarm only `state` and `init` work. */
export interface SwarmEngine {
  state(): Promise<SwarmState>;
  /** A swarm of this node alone, reachable from this machine only, labeled from its first moment. */
  init(labels: Record<string, string>): Promise<void>;
  /** Leaves a swarm labeled with this run. Rejects with SWARM_IN_USE if it contains things of others. */
  leave(runId: string): Promise<void>;
  nodes(): Promise<SwarmNode[]>;
  /** At most 500 KB (Docker documentation, "Store configuration data using Docker configs"). */
  createFile(
    kind: SwarmFile['kind'],
    name: string,
    content: Uint8Array,
    labels: Record<string, string>,
  ): Promise<SwarmFile>;
  removeFile(file: Pick<SwarmFile, 'kind' | 'id'>): Promise<void>;
  createService(spec: ServiceSpec): Promise<string>;
  serviceTask(id: string): Promise<ServiceTask | undefined>;
  publishedPort(id: string): Promise<number | undefined>;
  /** Resolves when its task, and its container on this engine, are gone. */
  removeService(id: string): Promise<void>;
  /** Services, configs, secrets, and the swarm, by Whalemark's owner label; outside a swarm what is left of Whalemark's. */
  listOwned(): Promise<OwnedResource[]>;
}
