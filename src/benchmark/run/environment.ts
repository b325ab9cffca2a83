import type { BenchmarkError } from '../../shared/errors.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Account, TargetServer } from '../target/target-server.ts';
import type { Clients } from './clients.ts';
import type { ClientKit } from './context.ts';
import type { ServerImage } from './servers/images.ts';

/** Everything that is ready before the first trial. */
export interface Environment extends ClientKit {
  /** By server id: the server, or why there is none. */
  servers: Map<string, TargetServer | BenchmarkError>;
  /** By the reference that was asked for. */
  images: Map<string, ServerImage>;
  /** Loaded once for each image. */
  datasets: Map<string, Dataset>;
  clients: Clients;
  /** The account of every server that is ours. */
  account: Account;
}
