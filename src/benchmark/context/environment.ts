import type { BenchmarkError } from '../../shared/errors.ts';
import type { Dataset } from '../servers/dataset/dataset.ts';
import type { Account, TargetServer } from '../servers/target-server.ts';
import type { Dump, DumpHere } from './own-task.ts';
import type { Cleanup } from './cleanup.ts';
import type { Clients } from './clients.ts';
import type { HelperContext } from '../servers/helper-container.ts';
import type { ClientKit } from './context.ts';
import type { ServerVersion } from '../servers/server-options.ts';

export interface ServerImage extends ServerVersion {
  id: string;
  used: string;
}

export interface Environment extends ClientKit {
  servers: Map<string, TargetServer | BenchmarkError>;
  images: Map<string, ServerImage>;
  datasets: Map<string, Dataset>;
  /** Undefined if no server runs in a container. */
  helper?: HelperContext | undefined;
  bindProblem?: BenchmarkError | undefined;
  clients: Clients;
  cleanup: Cleanup;
  imageLayers: Map<string, Promise<string>>;
  dump?: Dump | undefined;
  dumpHere?: DumpHere | undefined;
  account: Account;
  nextNumber: () => number;
  nativeData: Map<string, string>;
  factsKnown: Set<string>;
  flushesKnown: Set<string>;
}
