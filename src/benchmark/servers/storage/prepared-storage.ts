import type { ContainerSpec } from '../../runtime/container-runtime.ts';
import type { HelperContext } from '../helper-container.ts';

/** The name of all datadirs, so that a tar of one unpacks as another. */
export const DATADIR_NAME = 'mysql';

export interface PreparedStorage {
  /** Where archives unpack into `datadir`. */
  parent: string;
  datadir: string;
  /** Parts of the containers of server and helper. */
  container: Partial<ContainerSpec>;
  /** A container that has the storage, too, and takes archives: a tmpfs lives only while it is held. */
  holder?: string | undefined;
  /** Called after the server's container is gone. */
  dispose(): Promise<void>;
}

export interface StorageContext extends HelperContext {
  bindRoot: string;
  mark: { owner: string; runId: string };
  datadirBytes: number;
}
