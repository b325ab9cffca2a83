import { serverOptions } from '../../src/benchmark/servers/server-options.ts';
import type { OltpKind } from '../../src/shared/kinds/mixes.ts';
import { serverSettingsSchema } from '../../src/shared/model/server-settings.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../src/shared/model/workload.ts';
import { startServer, type TestServer } from '../../tests/integration/helpers/docker-server.ts';

/** A MySQL server with the options that a run would give it, its pool large enough for the data of the benches. */
export function startRunServer(connections: number, bufferPoolMiB = 512): Promise<TestServer> {
  const settings = serverSettingsSchema.parse({ bufferPoolMiB, redoLogMiB: 512 });
  const options = serverOptions({ flavor: 'mysql', version: '9.7.4' }, settings, connections);
  return startServer('mysql', options);
}

/** Uniform ids and 4 tables of 50,000 rows, unless `fields` has others. */
export function workloadOf(kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload {
  return oltpWorkloadSchema.parse({ kind, tables: 4, tableSize: 50_000, distribution: 'uniform', ...fields });
}
