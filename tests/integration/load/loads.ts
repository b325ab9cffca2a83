import { inject, onTestFinished } from 'vitest';
import { HostClient } from '../../../src/benchmark/load/client/clients.ts';
import { prepareTables } from '../../../src/benchmark/load/builtin/workloads.ts';
import type { PrepareTablesOptions } from '../../../src/benchmark/load/load-client.ts';
import type { Totals } from '../../../src/shared/model/measurements.ts';
import type { Workload } from '../../../src/shared/model/workload.ts';
import type { TestServer } from '../helpers/docker-server.ts';

/** A signal that never comes. */
export const never = (): AbortSignal => new AbortController().signal;

/** Errors of connections in each other's way: a deadlock, its counterpart of MariaDB, and a lock wait timeout. */
export const IN_THE_WAY = ['1213', '1020', '1205'];

/** Fills the server's schema. */
export function prepare(
  server: TestServer,
  workload: Workload,
  options: Partial<PrepareTablesOptions> = {},
): Promise<void> {
  const all = { seed: 1, onProgress: () => undefined, signal: never(), ...options };
  return prepareTables(server.target, workload, all);
}

/** A load client of this machine that ends with the test. */
export function hostClient(): HostClient {
  const client = new HostClient(inject('clientFile'));
  onTestFinished(client.close);
  return client;
}

/** Loads the server with Whalemark's own generator, without a warm-up. */
export function runOurs(
  { target }: TestServer,
  workload: Workload,
  { connections, durationMs }: { connections: number; durationMs: number },
): Promise<Totals> {
  const spec = {
    loadGenerator: 'builtin' as const,
    target,
    workload,
    connections,
    warmupMs: 0,
    durationMs,
    seed: 1,
  };
  return hostClient().run(spec, () => undefined, never());
}
