import { serverOptions } from '../../src/benchmark/servers/server-options.ts';
import type { OltpKind } from '../../src/shared/kinds/mixes.ts';
import { serverSettingsSchema } from '../../src/shared/model/server-settings.ts';
import { oltpWorkloadSchema, type OltpWorkload } from '../../src/shared/model/workload.ts';
import { startServer, type Flavor, type TestServer } from '../../tests/integration/helpers/docker-server.ts';

const VERSIONS: Record<Flavor, string> = { mysql: '9.7.4', mariadb: '11.8.6-MariaDB' };

/** A server with the options that a run would give it, its pool large enough for the data of the benches. */
export function startRunServer(
  flavor: Flavor,
  connections: number,
  { bufferPool = 512, dockerOptions = [] }: { bufferPool?: number; dockerOptions?: string[] } = {},
): Promise<TestServer> {
  const settings = serverSettingsSchema.parse({ bufferPoolMiB: bufferPool, redoLogMiB: 512 });
  const options = serverOptions({ flavor, version: VERSIONS[flavor] }, settings, connections);
  return startServer(flavor, options, { dockerOptions });
}

/** Uniform ids, 4 tables of 50,000 rows where nothing else is reported. */
export function workloadOf(kind: OltpKind, fields: Partial<OltpWorkload> = {}): OltpWorkload {
  return oltpWorkloadSchema.parse({ kind, tables: 4, tableSize: 50_000, distribution: 'uniform', ...fields });
}
