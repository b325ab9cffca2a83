import type { ContainerRuntime, MountSpec } from '../../runtime/container-runtime.ts';

/** In every storage, so that a tar of one datadir unpacks as another. */
export const DATADIR_NAME = 'mysql';

export interface PreparedStorage {
  parent: string;
  datadir: string;
  mounts: MountSpec[];
  volumesFrom?: string | undefined;
  /** Where archives go, if not into the server's container: a tmpfs lives only while held. */
  holder: string | undefined;
  dispose(): Promise<void>;
}

export interface StorageContext {
  runtime: ContainerRuntime;
  name: string;
  image: string;
  labels: Record<string, string>;
  bindRoot: string;
  dataDir?: string | undefined;
  mark: { owner: string; runId: string };
  datadirBytes: number;
}
