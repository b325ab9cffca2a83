import type { MountSpec, OwnedResource } from '../container-runtime.ts';

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
