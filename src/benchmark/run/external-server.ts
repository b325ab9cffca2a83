import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario, ServerSetup } from '../../shared/model/plan.ts';
import type { TargetServer } from '../target/target-server.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import type { RunContext } from './context.ts';

/** A server that is not ours: only a schema of our own in it is filled, used and dropped. */
export function makeExternalServer(
  _context: RunContext,
  _bench: Bench,
  _setup: ServerSetup,
  _scenario: Scenario,
  _cleanup: Cleanup,
): Promise<TargetServer> {
  return Promise.reject(new BenchmarkError('DATASET_FAILED', { reason: 'no external servers yet' }));
}
