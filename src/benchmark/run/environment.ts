import type { BenchmarkError } from '../../shared/errors.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Account, TargetServer } from '../target/target-server.ts';
import type { Clients } from './clients.ts';
import type { ClientKit } from './context.ts';
import type { ServerImage } from './servers/images.ts';

/** What is ready before the first trial. */
export interface Environment extends ClientKit {
  /** By server id: the server, or why there is none. */
  servers: Map<string, TargetServer | BenchmarkError>;
  /** By requested reference. */
  images: Map<string, ServerImage>;
  /** By image. */
  datasets: Map<string, Dataset>;
  clients: Clients;
  /** Of all our own servers. */
  account: Account;
}
