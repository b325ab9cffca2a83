import type { RecommendationCode } from '../model/analysis.ts';
import { imagesOf, type Plan } from '../model/plan.ts';

/** Configuration that follows a recommendation, to paste and adapt. */
export interface Snippet {
  file: 'compose.yaml' | 'my.cnf';
  language: 'yaml' | 'ini';
  text: string;
}

const PASSWORD = '${MYSQL_ROOT_PASSWORD:?}';

const IMAGE_NAME = /^[\w./:@-]{1,200}$/;

type Lines = (server: { image: string; password: string }) => string[];

/**
 * Why there is nothing to paste: the advice is another run, a setting of the engine, another image, a change of the
 * application, or to leave everything as it is.
 */
type WithoutSnippet = 'run' | 'engine' | 'image' | 'application' | 'keep';

const NAMED_VOLUME: Lines = ({ image, password }) => [
  ...database(image, password, ['volumes:', '  - db-data:/var/lib/mysql']),
  'volumes:',
  '  db-data: {}',
];

const ONE_BRIDGE: Lines = ({ image, password }) => [
  ...database(image, password, []),
  '  app:',
  `    image: ${image} # your app`,
  '    environment:',
  '      DB_HOST: db',
  '    depends_on: [db]',
];

/** A service `db`, and where it matters the `app` that uses it. */
const COMPOSE: Record<Exclude<RecommendationCode, 'enlarge-buffer-pool'>, Lines | WithoutSnippet> = {
  'rerun-quiet': 'run',
  'use-named-volume': NAMED_VOLUME,
  'leave-nfs': NAMED_VOLUME,
  'keep-safe-storage': NAMED_VOLUME,
  'not-durable': 'engine',
  'use-virtiofs': 'engine',
  'synchronize-folder': 'engine',
  'use-native-image': 'image',
  'connect-over-bridge': ONE_BRIDGE,
  'leave-overlay': ONE_BRIDGE,
  'use-host-network': ({ image, password }) =>
    database(image, password, ['network_mode: host', 'command: --bind-address=127.0.0.1']),
  'share-network': ({ image, password }) => [
    ...database(image, password, []),
    '  app:',
    `    image: ${image} # your app`,
    '    environment:',
    '      DB_HOST: 127.0.0.1',
    '    network_mode: service:db',
    '    depends_on: [db]',
  ],
  // The images' own folder for it: a volume starts with its owner and permissions.
  'use-socket': ({ image, password }) => [
    ...database(image, password, ['volumes:', '  - db-socket:/var/run/mysqld']),
    '  app:',
    `    image: ${image} # your app`,
    '    environment:',
    '      DB_SOCKET: /var/run/mysqld/mysqld.sock',
    '    volumes:',
    '      - db-socket:/var/run/mysqld',
    '    depends_on: [db]',
    'volumes:',
    '  db-socket: {}',
  ],
  'group-writes': 'application',
  'raise-cpu-limit': ({ image, password }) => database(image, password, ['cpus: 2']),
  'other-load-generator': 'run',
  'run-until-conclusive': 'run',
  'full-run': 'run',
  'nothing-to-change': 'keep',
};

function database(image: string, password: string, more: string[]): string[] {
  return [
    'services:',
    '  db:',
    `    image: ${image}`,
    '    environment:',
    `      ${password}`,
    ...more.map((line) => `    ${line}`),
  ];
}

/** Null where there is nothing to paste. */
export function snippetOf(
  code: RecommendationCode,
  plan: Pick<Plan, 'setups' | 'scenarios'>,
): Snippet | null {
  if (code === 'enlarge-buffer-pool') {
    const largest = Math.max(...plan.setups.map(({ settings }) => settings.bufferPoolMiB));
    return { file: 'my.cnf', language: 'ini', text: `[mysqld]\ninnodb_buffer_pool_size = ${largest}M` };
  }
  const lines = COMPOSE[code];
  if (typeof lines === 'string') return null;
  const [image] = imagesOf(plan);
  const isMariaDb = image?.flavor === 'mariadb';
  const variable = isMariaDb ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD';
  const named = image?.requested ?? '';
  const text = lines({
    // A result can come from a stranger.
    image: IMAGE_NAME.test(named) ? named : isMariaDb ? 'mariadb:11.8' : 'mysql:8.4',
    password: `${variable}: ${PASSWORD}`,
  });
  return { file: 'compose.yaml', language: 'yaml', text: text.join('\n') };
}
