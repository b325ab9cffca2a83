import { BenchmarkError } from '../../shared/errors.ts';
import type { ContainerNodeDriver } from '../load/node/node-driver.ts';
import type { Cleanup } from './cleanup.ts';
import type { ClientKit } from './clients.ts';
import type { RunContext } from './context.ts';

/** A load client on another node of the swarm, pinned there by a placement constraint. */
export function startNodeClient(
  _context: RunContext,
  _kit: ClientKit,
  node: string,
  _number: number,
  _cleanup: Cleanup,
): Promise<ContainerNodeDriver> {
  return Promise.reject(new BenchmarkError('CLIENT_LOST', { reason: `no client on ${node} yet` }));
}
