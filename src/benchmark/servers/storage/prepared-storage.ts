import type { ContainerRuntime, ContainerSpec } from '../../runtime/container-runtime.ts';

/** A tar of one datadir unpacks as another. */
export const DATADIR_NAME = 'mysql';

export interface PreparedStorage {
  parent: string;
  datadir: string;
  container: Partial<ContainerSpec>;
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
