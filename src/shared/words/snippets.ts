import { moreCpus } from '../analysis/recommendations.ts';
import type { Recommendation, RecommendationCode } from '../model/analysis.ts';
import { imagesOf, type Plan } from '../model/plan.ts';

export interface Snippet {
  file: 'compose.yaml' | 'my.cnf';
  language: 'yaml' | 'ini';
  text: string;
}

const PASSWORD = '${MYSQL_ROOT_PASSWORD:?}';

const IMAGE_NAME = /^[\w./:@-]{1,200}$/;

interface Server {
  image: string;
  isMariaDb: boolean;
  password: string;
  cpus: number | null;
}

type Lines = (server: Server) => string[];

/** What the advice changes, if not a configuration. */
type WithoutSnippet = 'run' | 'engine' | 'image' | 'application';

const NAMED_VOLUME: Lines = (server) => compose(server);

const ONE_BRIDGE: Lines = (server) => compose(server, { app: ['environment:', '  DB_HOST: db'] });

const COMPOSE: Record<Exclude<RecommendationCode, 'enlarge-buffer-pool'>, Lines | WithoutSnippet> = {
  'rerun-quiet': 'run',
  'use-named-volume': NAMED_VOLUME,
  'leave-nfs': NAMED_VOLUME,
  'keep-safe-storage': NAMED_VOLUME,
  'not-durable': 'engine',
  'use-virtiofs': 'engine',
  'use-native-image': 'image',
  'connect-over-bridge': ONE_BRIDGE,
  'leave-overlay': ONE_BRIDGE,
  'use-host-network': (server) =>
    compose(server, {
      db: [
        'network_mode: host',
        // MariaDB has no X Plugin.
        `command: --bind-address=127.0.0.1${server.isMariaDb ? '' : ' --loose-mysqlx-bind-address=127.0.0.1'}`,
      ],
    }),
  'share-network': (server) =>
    compose(server, { app: ['environment:', '  DB_HOST: 127.0.0.1', 'network_mode: service:db'] }),
  // The images' own folder for it: a volume starts with its owner and permissions.
  'use-socket': (server) =>
    compose(server, {
      mounts: ['db-socket:/var/run/mysqld'],
      app: [
        'environment:',
        '  DB_SOCKET: /var/run/mysqld/mysqld.sock',
        'volumes:',
        '  - db-socket:/var/run/mysqld',
      ],
    }),
  'group-writes': 'application',
  'raise-cpu-limit': (server) => compose(server, { db: [`cpus: ${server.cpus ?? 2}`] }),
  'run-until-conclusive': 'run',
  'full-run': 'run',
};

/** The service `db`, always with a volume for its data; `app` uses it. What the advice changes comes first. */
function compose(
  { image, password }: Server,
  { db = [], mounts = [], app = [] }: { db?: string[]; mounts?: string[]; app?: string[] } = {},
): string[] {
  const volumes = ['db-data:/var/lib/mysql', ...mounts];
  const indented = (lines: string[]): string[] => lines.map((line) => `    ${line}`);
  return [
    'services:',
    ...(app.length === 0 ? [] : ['  app:', '    image: your-app', ...indented([...app, 'depends_on: [db]'])]),
    '  db:',
    `    image: ${image}`,
    ...indented(db),
    '    environment:',
    `      ${password}`,
    '    volumes:',
    ...volumes.map((mount) => `      - ${mount}`),
    'volumes:',
    ...volumes.map((mount) => `  ${mount.split(':')[0] ?? ''}: {}`),
  ];
}

export function snippetOf(
  { code, pair }: Pick<Recommendation, 'code' | 'pair'>,
  plan: Pick<Plan, 'configs' | 'scenarios' | 'passport'>,
): Snippet | null {
  const to = plan.scenarios.find(({ id }) => id === pair?.scenarioId);
  if (code === 'enlarge-buffer-pool') {
    const pool = plan.configs.find(({ id }) => id === to?.configId)?.settings.bufferPoolMiB;
    if (pool === undefined) return null;
    return { file: 'my.cnf', language: 'ini', text: `[mysqld]\ninnodb_buffer_pool_size = ${pool}M` };
  }
  const lines = COMPOSE[code];
  if (typeof lines === 'string') return null;
  // Another place than a volume has no line that fits everybody.
  if (lines === NAMED_VOLUME && to !== undefined && to.storage.kind !== 'named-volume') return null;
  const [image] = imagesOf(plan);
  const isMariaDb = image?.flavor === 'mariadb';
  const variable = isMariaDb ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD';
  const named = image?.requested ?? '';
  const text = lines({
    // A result can come from a stranger.
    image: IMAGE_NAME.test(named) ? named : isMariaDb ? 'mariadb:11.8' : 'mysql:8.4',
    isMariaDb,
    password: `${variable}: ${PASSWORD}`,
    cpus: moreCpus(plan),
  });
  return { file: 'compose.yaml', language: 'yaml', text: text.join('\n') };
}
