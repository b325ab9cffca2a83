import type { ContainerRuntime, ContainerSpec, MountSpec } from '../../runtime/container-runtime.ts';

/** Datadirs end in this name in every storage, so that a tar of one unpacks as another. */
export const DATADIR_NAME = 'mysql';

/** A storage that was made for one server. */
export interface PreparedStorage {
  /** Where the datadir's parent is in the container; archives of the datadir are unpacked here. */
  parent: string;
  datadir: string;
  mounts: MountSpec[];
  /** Container whose volumes the server's container gets. */
  volumesFrom?: string | undefined;
  /** What every container that sees it gets besides: the server's, and the helper's. */
  shared?: Partial<ContainerSpec>;
  /** Container that archives go into, if not the server's own: a tmpfs only lives while something holds it. */
  holder: string | undefined;
  dispose(): Promise<void>;
}

export interface StorageContext {
  runtime: ContainerRuntime;
  /** Unique in the run; also the name of what is created. */
  name: string;
  image: string;
  labels: Record<string, string>;
  bindRoot: string;
  /** Our data folder. */
  dataDir?: string | undefined;
  mark: { owner: string; runId: string };
  /** Size that a datadir is expected to have, bytes; a tmpfs without a size gets twice that. */
  datadirBytes: number;
}
