import { readFileSync } from 'node:fs';
import { oltpWorkloadSchema } from '../../../../../src/shared/model/workload.ts';
import type { LoadSpec } from '../../../../../src/benchmark/load/load-client.ts';
import * as samples from '../samples.ts';

/** Lines that the real sysbench wrote. */
export function recorded(name: string): string[] {
  return readFileSync(`tests/fixtures/sysbench-driver/${name}.txt`, 'utf8').split('\n');
}

export function buildSpec(fields: Partial<LoadSpec> = {}): LoadSpec {
  return samples.buildSpec({
    loadGenerator: 'sysbench',
    target: { host: '172.17.0.2', port: 3306, user: 'bench', password: 'secret', database: 'sbtest' },
    workload: oltpWorkloadSchema.parse({ kind: 'oltp_write_only', tables: 1, tableSize: 200 }),
    connections: 4,
    durationMs: 3000,
    seed: 1,
    ...fields,
  });
}
