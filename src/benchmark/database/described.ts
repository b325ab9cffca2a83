import { SERVER_PORT } from '../../shared/kinds/paths.ts';
import type { Database } from '../../shared/model/database.ts';
import { composeModelSchema } from '../../shared/compose/model.ts';
import { databasesIn, noDatabase } from '../../shared/compose/service.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { databaseRefused, flavored } from './open-database.ts';

export interface Description {
  image: string;
  /** Paths in memory, with Docker's options: `/var/lib/mysql:size=1g`. */
  tmpfs?: readonly string[] | undefined;
  /** Variables as `NAME=VALUE`. */
  env?: readonly string[] | undefined;
}

/** Programs such as Testcontainers start such a database without a file. */
export async function describedDatabase(
  { image, tmpfs = [], env = [] }: Description,
  runtime?: ContainerRuntime,
): Promise<Database> {
  const name = 'database';
  const service = {
    image,
    tmpfs,
    environment: Object.fromEntries(env.map((one) => one.split(/=(.*)/s))),
    ports: [{ target: SERVER_PORT }],
  };
  const around = {
    model: composeModelSchema.parse({ name, services: { [name]: service } }),
    isWindows: process.platform === 'win32',
    find: () => Promise.resolve({ kind: 'folder' as const, names: [] }),
    written: () => undefined,
    locate: () => null,
  };
  const services = await databasesIn(around);
  if (services.length === 0) throw databaseRefused(image, noDatabase(around));
  const database: Database = {
    source: { kind: 'container', id: name, name, files: [], project: null },
    services,
  };
  return runtime === undefined ? database : flavored(database, runtime);
}
