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
  seed: number;
}

/** One trial of one load generator, after two seconds of warm-up. */
export function runTrial({ client, seconds, ...trial }: Trial): Promise<Totals> {
  const times = { warmupMs: 2000, durationMs: seconds * 1000 };
  return client.run({ ...trial, ...times }, () => undefined, new AbortController().signal);
}

/** CPU time of the client for each statement, µs. */
export function cpuPerStatement({ client, reads, writes, other }: Totals): number {
  return (client.cpuSeconds * 1e6) / (reads + writes + other);
}
