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

/** A service `db`, and where it matters the `app` that uses it. */
const COMPOSE: Partial<Record<RecommendationCode, Lines>> = {
  'use-named-volume': ({ image, password }) => [
    ...database(image, password, ['volumes:', '  - db-data:/var/lib/mysql']),
    'volumes:',
    '  db-data: {}',
  ],
  'connect-over-bridge': ({ image, password }) => [
    ...database(image, password, []),
    '  app:',
    `    image: ${image} # your app`,
    '    environment:',
    '      DB_HOST: db',
    '    depends_on: [db]',
  ],
  'use-host-network': ({ image, password }) =>
    database(image, password, ['network_mode: host', 'command: --bind-address=127.0.0.1']),
  'share-network': ({ image, password }) => [
    ...database(image, password, []),
    '  app:',
    `    image: ${image} # your app`,
    '    environment:',
    '      DB_HOST: 127.0.0.1',
    '    network_mode: service:db',
  ],
  'use-socket': ({ image, password }) => [
    ...database(image, password, [
      'command: --socket=/var/run/db/mysqld.sock',
      'volumes:',
      '  - db-socket:/var/run/db',
    ]),
    '  app:',
    `    image: ${image} # your app`,
    '    environment:',
    '      DB_SOCKET: /var/run/db/mysqld.sock',
    '    volumes:',
    '      - db-socket:/var/run/db',
    'volumes:',
    '  db-socket: {}',
  ],
  'raise-cpu-limit': ({ image, password }) => database(image, password, ['cpus: 2']),
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
  const [image] = imagesOf(plan);
  const isMariaDb = image?.flavor === 'mariadb';
  const variable = isMariaDb ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD';
  const named = image?.requested ?? '';
  const lines = COMPOSE[code]?.({
    // A result can come from a stranger.
    image: IMAGE_NAME.test(named) ? named : isMariaDb ? 'mariadb:11.8' : 'mysql:8.4',
    password: `${variable}: ${PASSWORD}`,
  });
  return lines === undefined ? null : { file: 'compose.yaml', language: 'yaml', text: lines.join('\n') };
}
