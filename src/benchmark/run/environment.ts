import type { BenchmarkError } from '../../shared/errors.ts';
import type { Dataset } from '../servers/dataset/dataset.ts';
import type { Account, TargetServer } from '../servers/target-server.ts';
import type { Dump } from '../tasks/dump.ts';
import type { Cleanup } from './cleanup.ts';
import type { Clients } from './clients.ts';
import type { ClientKit } from './context.ts';
import type { ServerImage } from '../servers/start/images.ts';

export interface Environment extends ClientKit {
  servers: Map<string, TargetServer | BenchmarkError>;
  images: Map<string, ServerImage>;
  datasets: Map<string, Dataset>;
  clients: Clients;
  /** At the end of the run. */
  cleanup: Cleanup;
  /** Of the storage `image-layer`: the image with the data, by the server's image. */
  imageLayers: Map<string, Promise<string>>;
  /** What servers read a dump from, if the task needs one. */
  dump?: Dump | undefined;
  account: Account;
  /** For names: a new number at each call. */
  nextNumber: () => number;
  /** Data directories of native servers by their configuration, each shut down cleanly. */
  nativeData: Map<string, string>;
  /** Ids of the servers whose facts were read. */
  factsKnown: Set<string>;
  /** IDs of the storage types whose flush was timed. */
  flushesKnown: Set<string>;
}
