import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario, ServerSetup } from '../../shared/model/plan.ts';
import type { TargetServer } from '../target/target-server.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import type { RunContext } from './context.ts';

/** A server program of this machine, started privately in a datadir of its own. */
export function makeNativeServer(
  _context: RunContext,
  _bench: Bench,
  _setup: ServerSetup,
  _scenario: Scenario,
  _cleanup: Cleanup,
): Promise<TargetServer> {
  return Promise.reject(new BenchmarkError('DATASET_FAILED', { reason: 'no native servers yet' }));
}
