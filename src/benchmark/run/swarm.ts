import { BenchmarkError } from '../../shared/errors.ts';
import type { TargetServer } from '../target/target-server.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import type { ContainerServerParts } from './container-servers.ts';
import type { RunContext } from './context.ts';

/** Makes the run's overlay network, and a swarm for it if there is none and the user agreed. Returns its name. */
export async function prepareOverlay(
  context: RunContext,
  name: string,
  labels: Record<string, string>,
  cleanup: Cleanup,
): Promise<string> {
  const id = await context.runtime.createNetwork(name, labels, 'overlay');
  cleanup.add('network', () => context.runtime.removeNetwork(id));
  return name;
}

/** A server as a swarm service, published through the routing mesh. */
export function makeIngressServer(
  _context: RunContext,
  _bench: Bench,
  _parts: ContainerServerParts,
  _cleanup: Cleanup,
): Promise<TargetServer> {
  return Promise.reject(new BenchmarkError('STORAGE_REFUSED', { storage: 'ingress', reason: 'not yet' }));
}
