import type { ContainerRuntime, ContainerSpec, MountSpec } from '../../runtime/container-runtime.ts';

/** In every storage, so that a tar of one datadir unpacks as another. */
export const DATADIR_NAME = 'mysql';

/** Made for one server. */
export interface PreparedStorage {
  /** Of the datadir, in the container; archives are unpacked here. */
  parent: string;
  datadir: string;
  mounts: MountSpec[];
  /** Whose volumes the server's container gets. */
  volumesFrom?: string | undefined;
  /** For every container that sees it, the server's and the helper's. */
  shared?: Partial<ContainerSpec>;
  /** Where archives go, if not into the server's container: a tmpfs lives only while held. */
  holder: string | undefined;
  dispose(): Promise<void>;
}

export interface StorageContext {
  runtime: ContainerRuntime;
  /** Unique in the run; names what is created. */
  name: string;
  image: string;
  labels: Record<string, string>;
  bindRoot: string;
  /** Our data folder. */
  dataDir?: string | undefined;
  mark: { owner: string; runId: string };
  /** Expected, bytes; storages in memory without a size get twice that. */
  datadirBytes: number;
}
