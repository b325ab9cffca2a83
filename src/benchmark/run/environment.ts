import type { BenchmarkError } from '../../shared/errors.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { Account, TargetServer } from '../target/target-server.ts';
import type { Clients } from './clients.ts';
import type { ClientKit } from './context.ts';
import type { ServerImage } from './servers/images.ts';

export interface Environment extends ClientKit {
  servers: Map<string, TargetServer | BenchmarkError>;
  images: Map<string, ServerImage>;
  datasets: Map<string, Dataset>;
  clients: Clients;
  account: Account;
}
