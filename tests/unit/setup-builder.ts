import {
  setupSchema,
  type Setup,
  type SetupService,
  type SetupSource,
} from '../../src/shared/model/setup.ts';

const PATH = { kind: 'published-port' as const, client: null, port: 3306, at: null };

/** A Compose project `shop` with one service `db`; `fields` replaces what that one has. */
export function makeSetup(fields: Partial<SetupService> = {}, source: Partial<SetupSource> = {}): Setup {
  return setupSchema.parse({
    source: { kind: 'compose', files: ['/srv/shop/compose.yaml'], project: 'shop', ...source },
    services: [
      {
        name: 'db',
        flavor: 'mysql',
        image: 'mysql:8.4',
        built: false,
        storage: {
          ...{ kind: 'bind-mount', spec: { kind: 'bind-mount' }, place: '/srv/shop/data', driver: null },
          ...{ datadir: '/var/lib/mysql', at: null },
        },
        path: PATH,
        otherPaths: [],
        limits: {},
        options: [],
        configFiles: [],
        environment: [],
        platform: null,
        container: null,
        at: null,
        warnings: [],
        refusal: null,
        ...fields,
      },
    ],
  });
}

/** Storage of another kind, as `fields.storage`. */
export function storageOf(
  kind: SetupService['storage']['kind'],
  more: Partial<SetupService['storage']> = {},
): SetupService['storage'] {
  return { kind, spec: { kind }, place: null, driver: null, datadir: '/var/lib/mysql', at: null, ...more };
}
