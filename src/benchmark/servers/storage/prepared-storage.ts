import type { ContainerSpec } from '../../runtime/container-runtime.ts';
import type { HelperContext } from '../helper-container.ts';

/** Equal names let a tar of one datadir unpack as another. */
export const DATADIR_NAME = 'mysql';

export interface PreparedStorage {
  parent: string;
  datadir: string;
  container: Partial<ContainerSpec>;
  /** A tmpfs lives only while this container holds it. */
  holder?: string | undefined;
  /** Call after the server's container is gone. */
  dispose(): Promise<void>;
}

export interface StorageContext extends HelperContext {
  bindRoot: string;
  mark: { owner: string; runId: string };
  datadirBytes: number;
}
