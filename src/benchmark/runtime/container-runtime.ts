import type { Readable, Writable } from 'node:stream';
import type { Said } from '../../shared/message.ts';
import type { ContainerUsage } from '../../shared/model/evidence.ts';
import type { Passport } from '../../shared/model/passport.ts';

/** An image that is on the engine. */
export interface LocalImage {
  /** Content id, sha256:… */
  id: string;
  references: string[];
  labels: Record<string, string>;
  /** Environment set by the image, as a map. */
  env: Record<string, string>;
  architecture: string;
  bytes: number;
}

export type MountSpec =
  /** `noCopy`: what the image has at the target is not copied into an empty volume. */
  | { type: 'volume'; source: string; target: string; readOnly?: boolean; noCopy?: boolean }
  /** A volume without a name; it goes with its container. */
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
  mounts?: MountSpec[];
  /** Containers whose volumes are mounted at the same places. */
  volumesFrom?: string[];
  /** Network name or id, 'host', or `container:<id>`. */
  network?: string;
  networkAliases?: string[];
  /** Container ports (TCP) to publish on 127.0.0.1 with a port that the runtime picks. */
  publish?: number[];
  /** Keep stdin open, for `attach`. */
  stdin?: boolean;
  /** SIGTERM … SIGKILL grace that a plain stop gives, seconds. */
  stopTimeoutSeconds?: number;
}

export interface ContainerState {
  running: boolean;
  exitCode: number | null;
  oomKilled: boolean;
  /** Container port → published host port. */
  ports: Record<number, number>;
  /** Address on each network that it is attached to, by the network's name. */
  addresses: Record<string, string>;
  /** When it was started last, as the engine prints it; log lines can be asked for from there. */
  startedAt: string;
}

/** A container's standard streams; the engine's multiplexed stream is already split. */
export interface Attachment {
  stdin: Writable;
  stdout: Readable;
  stderr: Readable;
  /** Resolves when the stream has ended; never rejects. */
  ended: Promise<void>;
  close(): void;
}

/** A container that runs now, whoever started it. */
export interface RunningContainer {
  id: string;
  name: string;
  labels: Record<string, string>;
}

export interface OwnedResource {
  kind: 'container' | 'volume' | 'network' | 'image' | 'service' | 'config' | 'secret' | 'swarm';
  /** What removes it: a volume's name, the id of all others. */
  id: string;
  name: string;
  labels: Record<string, string>;
}

export interface Progress {
  /** 0…1 or null when the end is not known. */
  fraction: number | null;
  detail: Said;
}

/**
 * All that Whalemark asks of an engine, a client for each kind of resource. Every method rejects with a `BenchmarkError`, with
 * ENGINE_LOST when the engine itself is gone. Removing what does not exist is not an error.
 */
export interface ContainerRuntime {
  /** ID of the runtime attempt it was made from. */
  readonly id: string;
  /** The engine's address without secrets; for this user only. */
  readonly endpoint: string;
  readonly passport: Passport;
  readonly images: ImageClient;
  readonly networks: NetworkClient;
  readonly volumes: VolumeClient;
  readonly containers: ContainerClient;
  readonly swarm: SwarmEngine;

  /** Resolves with the versions of the engine that answers. */
  ping(): Promise<{ engineVersion: string; kernel: string }>;
  /** Everything that carries our owner label. */
  listOwned(): Promise<OwnedResource[]>;
}

export interface ImageClient {
  list(): Promise<LocalImage[]>;
  /** Undefined when the image is not on the engine. */
  inspect(reference: string): Promise<LocalImage | undefined>;
  /** Asks the registry whether it has the reference, without pulling (GET /distribution/{name}/json). Rejects like `pull`. */
  probeRegistry(reference: string): Promise<void>;
  /** Rejects with REGISTRY_UNREACHABLE, IMAGE_NOT_FOUND or PULL_FAILED. */
  pull(reference: string, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<void>;
  /** Builds from a map of file name → content (a Dockerfile among them). Rejects with IMAGE_BUILD_FAILED, log tail as evidence. */
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
  remove(id: string): Promise<void>;
}

export interface NetworkClient {
  /** A bridge, or an overlay that containers may attach to (needs a swarm). */
  create(name: string, labels: Record<string, string>, driver?: 'bridge' | 'overlay'): Promise<string>;
  remove(id: string): Promise<void>;
}

export interface VolumeClient {
  create(
    name: string,
    labels: Record<string, string>,
    driverOptions?: Record<string, string>,
  ): Promise<string>;
  /** Rejects with ENGINE_REFUSED while a container has it. */
  remove(name: string): Promise<void>;
  /** Volumes that carry a label, whatever its value. */
  list(label: string): Promise<OwnedResource[]>;
}

export interface ContainerClient {
  /** Returns the container's id. */
  create(spec: ContainerSpec): Promise<string>;
  start(id: string): Promise<void>;
  /** SIGTERM, then SIGKILL after the grace; resolves when it no longer runs. */
  stop(id: string, graceSeconds: number): Promise<void>;
  kill(id: string): Promise<void>;
  /** Kills it if it runs and removes it with its anonymous volumes. */
  remove(id: string): Promise<void>;
  inspect(id: string): Promise<ContainerState>;
  /** What a running container has used since its start, and the memory it holds now, bytes. */
  usage(id: string): Promise<{ usage: ContainerUsage; memoryBytes: number | null }>;
  /** Resolves with the exit code when the container stops. */
  wait(id: string, signal?: AbortSignal): Promise<number>;
  /**
   * Resolves when somebody pauses the container (`docker pause`): whoever waits for it would wait for ever. The engine tells
   * of it, nobody asks. Rejects when `signal` aborts, or when the engine can't tell.
   */
  waitPaused(id: string, signal: AbortSignal): Promise<void>;
  /** Follows stdout and stderr line by line until the container stops or `signal` aborts. `since`: `startedAt` of a state. */
  followLogs(
    id: string,
    onLine: (line: string) => void,
    options: { signal: AbortSignal; since?: string },
  ): Promise<void>;
  /** The last lines of stdout and stderr. */
  logTail(id: string, lines: number): Promise<string[]>;
  /** Attach before `start`, so that no output is lost. */
  attach(id: string): Promise<Attachment>;
  exec(id: string, command: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }>;
  /** The directory or file at `path` as a tar stream (works on stopped containers too). */
  getArchive(id: string, path: string): Promise<Readable>;
  /** Unpacks a tar stream into the directory `path`, owners kept. */
  putArchive(id: string, path: string, tar: Readable | Uint8Array): Promise<void>;
  /** Every container that runs, other people's too; to look at, never to touch. */
  listRunning(): Promise<RunningContainer[]>;
  /** Whether the engine's own machine has something at `path`, as far as the engine tells; makes nothing. */
  hasPath(path: string): Promise<boolean | undefined>;
}

/** How an engine stands to swarms. */
export interface SwarmState {
  /** As the engine calls it; `inactive` is in no swarm, `locked` waits for its key. */
  state: 'inactive' | 'pending' | 'active' | 'error' | 'locked';
  /** Only managers take orders. */
  manager: boolean;
  /** The engine's own id as a node; empty outside a swarm. */
  nodeId: string;
  /** Keeps its containers alive while it restarts; such an engine can't be in a swarm. */
  liveRestore: boolean;
}

export interface SwarmNode {
  id: string;
  /** Names a machine: not for results. */
  hostName: string;
  /** Up, Linux, and open for new tasks. */
  usable: boolean;
}

/** A file that the swarm brings to its tasks: a config, or a secret when nobody else may read it. */
export interface SwarmFile {
  kind: 'config' | 'secret';
  id: string;
  name: string;
}

/** A service of one task on one node, which is not started again when it ends. */
export interface ServiceSpec {
  name: string;
  /** A tag, or a content id: then no node asks a registry for it. */
  image: string;
  /** Of the service and of its container. */
  labels: Record<string, string>;
  nodeId: string;
  env?: Record<string, string>;
  entrypoint?: string[];
  command?: string[];
  /** Anonymous volumes can't be filled before the service runs, so they are not for services. */
  mounts?: Exclude<MountSpec, { type: 'anonymous-volume' }>[];
  /** Overlay network by name; its service is found there by its own name. */
  network?: string;
  /** `user`: id that owns the file. */
  files?: { file: SwarmFile; path: string; user: number }[];
  /** Container port (TCP) to publish through the routing mesh, on a port that the swarm picks. */
  publish?: number;
  stopTimeoutSeconds?: number;
}

/** What the one task of a service does at the moment. */
export interface ServiceTask {
  /** Docker documentation, "Swarm task states": new, pending, …, running, complete, failed, rejected, … */
  state: string;
  /** The engine's words: why it waits or ended. */
  message: string;
  nodeId: string;
  /** Once there is one. */
  containerId: string | undefined;
}

/**
 * All that Whalemark asks of an engine about swarms. Every method rejects with a `BenchmarkError` as those of
 * `ContainerRuntime` do; removing what is not there is not an error. Only `state` and `init` work outside a swarm.
 */
export interface SwarmEngine {
  state(): Promise<SwarmState>;
  /**
   * Starts a swarm of this one node, which nothing but this machine can reach. The labels stand on the swarm itself
   * from its first moment, so that it can be told from a user's own.
   */
  init(labels: Record<string, string>): Promise<void>;
  /**
   * Leaves a swarm that carries the labels of this run. Rejects with SWARM_IN_USE when somebody put something of his own
   * into it meanwhile, and leaves a swarm without these labels alone.
   */
  leave(runId: string): Promise<void>;
  nodes(): Promise<SwarmNode[]>;
  /** At most 500 KB of content each (Docker documentation, "Store configuration data using Docker configs"). */
  createFile(
    kind: SwarmFile['kind'],
    name: string,
    content: Uint8Array,
    labels: Record<string, string>,
  ): Promise<SwarmFile>;
  /** Only when no service uses it any more. */
  removeFile(file: Pick<SwarmFile, 'kind' | 'id'>): Promise<void>;
  createService(spec: ServiceSpec): Promise<string>;
  /** Undefined as long as it has no task. */
  serviceTask(id: string): Promise<ServiceTask | undefined>;
  /** Port of the routing mesh that leads to it, once the swarm has picked one. */
  publishedPort(id: string): Promise<number | undefined>;
  /** Resolves when its task is gone, too, and its container if that is on this engine. */
  removeService(id: string): Promise<void>;
  /**
   * Services, configs, secrets and the swarm itself, where they carry our owner label; outside a swarm what is left of
   * one of ours.
   */
  listOwned(): Promise<OwnedResource[]>;
}
