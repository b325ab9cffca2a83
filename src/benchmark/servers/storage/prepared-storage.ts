import type { ContainerRuntime, ContainerSpec } from '../../runtime/container-runtime.ts';

/** A tar of one datadir unpacks as another. */
export const DATADIR_NAME = 'mysql';

export interface PreparedStorage {
  /** Where archives unpack into `datadir`. */
  parent: string;
  datadir: string;
  /** What the containers of server and helper need. */
  container: Partial<ContainerSpec>;
  /** A container that has it, too. Archives go into it: a tmpfs lives only while held. */
  holder?: string | undefined;
  /** Called after the server's container is gone. */
  dispose(): Promise<void>;
}

export interface StorageContext {
  runtime: ContainerRuntime;
  name: string;
  image: string;
  labels: Record<string, string>;
  bindRoot: string;
  mark: { owner: string; runId: string };
  datadirBytes: number;
}
