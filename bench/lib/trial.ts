import type { LoadClient, LoadTarget } from '../../src/benchmark/load/load-client.ts';
import type { Totals } from '../../src/shared/model/measurements.ts';
import type { Transport, LoadGenerator } from '../../src/shared/model/names.ts';
import type { OltpWorkload } from '../../src/shared/model/workload.ts';

export interface Trial {
  client: LoadClient;
  loadGenerator: LoadGenerator;
  transport?: Transport | undefined;
  target: LoadTarget;
  workload: OltpWorkload;
  connections: number;
  seconds: number;
  warmupSeconds?: number;
  seed: number;
}

/** One trial of one load generator. */
export function runTrial(trial: Trial): Promise<Totals> {
  const {
    client,
    loadGenerator,
    transport,
    target,
    workload,
    connections,
    seconds,
    warmupSeconds = 2,
    seed,
  } = trial;
  const times = { warmupMs: warmupSeconds * 1000, durationMs: seconds * 1000 };
  return client.run(
    { loadGenerator, transport, target, workload, connections, ...times, seed },
    () => undefined,
    new AbortController().signal,
  );
}

export function statements({ reads, writes, other }: Totals): number {
  return reads + writes + other;
}

/** CPU time of the client for each statement, µs. */
export function cpuPerStatement(totals: Totals): number {
  return (totals.client.cpuSeconds * 1e6) / statements(totals);
}
