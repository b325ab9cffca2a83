import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { msg } from '../../src/shared/message.ts';
import {
  type Place,
  type Database,
  databaseKey,
  type DatabaseOverrides,
  databaseSchema,
  type DatabaseService,
} from '../../src/shared/model/database.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import type { Core, Params } from '../../src/shared/contract/ipc.ts';
import { demoOutcomes, type StateShape } from '../unit/builders.ts';
import { plain } from '../helpers/messages.ts';
import { makeDatabase, storageOf } from '../unit/database-builder.ts';
import type { FakeBehavior } from './behavior.ts';

type Handlers = Pick<Core, 'databases:find' | 'databases:open'>;

/** Databases of the story with databases, and Compose files as far as the tests have them: one image and place a service. */
export class FakeDatabases {
  readonly #behavior: () => FakeBehavior;
  readonly #known = new Map<string, Database>();

  constructor(behavior: () => FakeBehavior) {
    this.#behavior = behavior;
  }

  readonly handlers: Handlers = {
    'databases:find': () =>
      Promise.resolve((this.#behavior().story === 'databases' ? FOUND : []).map((one) => this.#keep(one))),
    'databases:open': ({ path }) => Promise.resolve().then(() => this.#keep(readCompose(path))),
  };

  shape({ key, service, isStart }: NonNullable<Params<'plan:make'>['database']>): StateShape {
    const database = this.#known.get(key);
    if (database === undefined) throw new Error('a database was expected');
    const shape = shapeOf(database, service);
    if (isStart !== true) return shape;
    const storages = ['named-volume', 'image-layer'] as const;
    return { ...shape, scenarios: storages.map((storage) => ({ storage, path: 'published-port' })) };
  }

  #keep(database: Database): Database {
    this.#known.set(databaseKey(database.source), database);
    return database;
  }
}

/** Results of a database's run: a named volume is faster, and so is a bridge network. */
function shapeOf({ source }: Database, service: string): StateShape {
  const scenarios = (['bind-mount', 'named-volume', 'tmpfs'] as const).flatMap((storage) =>
    (['published-port', 'user-bridge'] as const).map((path) => ({ storage, path })),
  );
  const factor = { 'bind-mount': 0.6, 'named-volume': 1, tmpfs: 1.8 };
  const factors = scenarios.map(({ storage, path }): [string, number] => [
    `${storage}.${path}`,
    factor[storage] * (path === 'user-bridge' ? 1.06 : 1),
  ]);
  return {
    preset: { id: 'your-database', name: service, question: 'What would make it faster?' },
    scenarios,
    userDatabase: { source, service },
    outcomes: demoOutcomes(Object.fromEntries([...factors, ['bind-mount.published-port~again', 0.6]])),
  };
}

/** The overrides of the one file that tests look at. */
export function fakeOverrides({ database }: Plan): DatabaseOverrides {
  const [first = ''] = database?.source.files ?? [];
  if (!existsSync(first)) throw new BenchmarkError('DATABASE_ELSEWHERE');
  const file = join(dirname(first), 'compose.whalemark.yaml');
  const up = 'docker compose --file compose.yaml --file compose.whalemark.yaml up --detach db';
  const back = ['rm compose.whalemark.yaml', 'docker compose --file compose.yaml up --detach db'];
  return {
    overrides: [
      {
        change: { factor: 'storage', level: 'named-volume' },
        gain: { value: 1.66, low: 1.58, high: 1.75 },
        file,
        text: [
          'services:',
          '  db:',
          '    volumes:',
          '      - type: volume',
          '        source: db-data',
          '        target: /var/lib/mysql',
          'volumes:',
          '  db-data: {}',
          '',
        ].join('\n'),
        lines: [{ file: first, line: 12 }],
        moves: {
          there: [
            'docker compose --file compose.yaml stop db',
            `docker run --rm -v ${join(dirname(first), 'data')}:/from:ro -v shop_db-data:/to whalemark-test/mariadb:debian-trixie cp -a /from/. /to/`,
            up,
          ],
          back,
        },
        notes: [msg('override.note.data')],
      },
      {
        change: { factor: 'server', level: 'large-pool' },
        gain: { value: 1.21, low: 1.12, high: 1.31 },
        file,
        text: 'services:\n  db:\n    command:\n      - --innodb-buffer-pool-size=1024M\n',
        lines: [],
        moves: { there: [up], back },
        notes: [],
      },
    ],
    without: [
      {
        change: { factor: 'server', level: 'no-binary-log' },
        reason: msg('override.refused.inconclusive'),
      },
      {
        change: { factor: 'server', level: 'relaxed-flush' },
        reason: msg('override.refused.notFaster'),
      },
    ],
  };
}

interface ComposeService {
  image: string;
  volumes?: string[];
  ports?: string[];
  deploy?: { replicas: number };
}
interface ComposeFile {
  name?: string;
  services?: Record<string, ComposeService>;
}

const IMAGE = /(mysql|mariadb|percona)/;

/** The file itself, or the folder's compose.yaml. */
function readCompose(given: string): Database {
  const path = given.endsWith('.yaml') ? given : join(given, 'compose.yaml');
  const text = readFileSync(path, 'utf8');
  const { name: project = 'project', services = {} } = parse(text) as ComposeFile;
  const found = Object.entries(services).flatMap(([service, read]) => {
    const line = text.split('\n').indexOf(`  ${service}:`) + 1;
    return serviceOf(service, read, { file: path, line });
  });
  if (found.length > 0) {
    const source = { kind: 'compose', files: [path], project };
    return databaseSchema.parse({ source, services: found });
  }
  const name = basename(path);
  throw new BenchmarkError(
    'DATABASE_REFUSED',
    { name },
    { evidence: [`${name}:1: no service is a database`] },
  );
}

function serviceOf(name: string, read: ComposeService, at: Place): DatabaseService[] {
  const flavor = IMAGE.exec(read.image)?.[1];
  if (flavor === undefined) return [];
  const [place = ''] = (read.volumes?.[0] ?? '').split(':/');
  const kind = place.startsWith('.') ? 'bind-mount' : 'named-volume';
  const where = kind === 'bind-mount' ? join(dirname(at.file), place) : place;
  const port = Number(/(\d+):\d+$/.exec(read.ports?.[0] ?? '')?.[1] ?? 3306);
  return makeDatabase({
    name,
    flavor: flavor === 'mariadb' ? flavor : 'mysql',
    image: read.image,
    storage: storageOf(kind, { place: where, at }),
    path: { kind: 'published-port', client: null, port, at },
    refusal: (read.deploy?.replicas ?? 1) > 1 ? plain('its replicas share one folder') : null,
  }).services;
}

const FILE = '/home/ada/shop/compose.yaml';
const FOUND: Database[] = [
  makeDatabase(
    {
      image: 'mysql:8.0',
      storage: storageOf('bind-mount', { place: '/home/ada/shop/data', at: { file: FILE, line: 9 } }),
      path: { kind: 'published-port', client: null, port: 3306, at: { file: FILE, line: 11 } },
      otherPaths: [{ kind: 'user-bridge', client: 'app', port: null, at: null }],
      limits: { cpus: 1.5, memoryMiB: 1024 },
      options: ['--max-connections=200'],
      configFiles: ['/home/ada/shop/my.cnf'],
      container: { id: 'c0ffee', running: true },
    },
    { kind: 'container', id: 'c0ffee', name: 'shop-db-1', files: [FILE], project: 'shop' },
  ),
  makeDatabase(
    {
      name: 'wiki-mariadb',
      flavor: 'mariadb',
      image: 'mariadb:11.8',
      platform: 'linux/arm64',
      storage: storageOf('named-volume', { place: 'wiki-data', driver: 'local' }),
      path: { kind: 'user-bridge', client: null, port: null, at: null },
      container: { id: 'decade', running: false },
      warnings: [msg('notice.softMount')],
    },
    { kind: 'container', id: 'decade', name: 'wiki-mariadb', files: [], project: null },
  ),
];
