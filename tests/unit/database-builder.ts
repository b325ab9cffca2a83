import {
  databaseSchema,
  type Database,
  type DatabaseService,
  type DatabaseSource,
} from '../../src/shared/model/database.ts';

const PATH = { kind: 'published-port' as const, client: null, port: 3306, at: null };

/** A Compose project `shop` with one service `db`; `fields` replaces fields of the service. */
export function makeDatabase(
  fields: Partial<DatabaseService> = {},
  source: Partial<DatabaseSource> = {},
): Database {
  return databaseSchema.parse({
    source: { kind: 'compose', files: ['/srv/shop/compose.yaml'], project: 'shop', ...source },
    services: [
      {
        name: 'db',
        flavor: 'mysql',
        image: 'mysql:8.4',
        built: false,
        official: null,
        storage: storageOf('bind-mount', { place: '/srv/shop/data' }),
        path: PATH,
        otherPaths: [],
        limits: {},
        options: [],
        configFiles: [],
        platform: null,
        container: null,
        warnings: [],
        refusal: null,
        ...fields,
      },
    ],
  });
}

/** A storage of this kind, for `fields.storage`. */
export function storageOf(
  kind: DatabaseService['storage']['kind'],
  more: Partial<DatabaseService['storage']> = {},
): DatabaseService['storage'] {
  return { kind, spec: { kind }, place: null, driver: null, datadir: '/var/lib/mysql', at: null, ...more };
}
