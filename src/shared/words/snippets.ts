import { moreCpus } from '../analysis/recommendations.ts';
import type { Recommendation, RecommendationCode } from '../model/analysis.ts';
import { imagesOf, type Plan } from '../model/plan.ts';

export interface Snippet {
  file: 'compose.yaml' | 'my.cnf' | 'Dockerfile';
  language: 'yaml' | 'ini' | 'dockerfile';
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

const COMPOSE: Record<
  Exclude<RecommendationCode, 'enlarge-buffer-pool' | 'relax-flush' | 'seed-image'>,
  Lines | WithoutSnippet
> = {
  'rerun-quiet': 'run',
  'use-named-volume': NAMED_VOLUME,
  'leave-nfs': NAMED_VOLUME,
  'keep-safe-storage': NAMED_VOLUME,
  'not-durable': 'engine',
  'use-engine': 'engine',
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
  'test-in-memory': (server) => compose(server, { db: ['tmpfs: /var/lib/mysql'], isKept: false }),
  'raise-cpu-limit': (server) => compose(server, { db: [`cpus: ${server.cpus ?? 2}`] }),
  'run-until-conclusive': 'run',
};

/** The service `db`, with a volume for its data if that is kept; `app` uses it. What the advice changes comes first. */
function compose(
  { image, password }: Server,
  {
    db = [],
    mounts = [],
    app = [],
    isKept = true,
  }: { db?: string[]; mounts?: string[]; app?: string[]; isKept?: boolean } = {},
): string[] {
  const volumes = [...(isKept ? ['db-data:/var/lib/mysql'] : []), ...mounts];
  const indented = (lines: string[]): string[] => lines.map((line) => `    ${line}`);
  return [
    'services:',
    ...(app.length === 0 ? [] : ['  app:', '    image: your-app', ...indented([...app, 'depends_on: [db]'])]),
    '  db:',
    `    image: ${image}`,
    ...indented(db),
    '    environment:',
    `      ${password}`,
    ...(volumes.length === 0 ? [] : ['    volumes:']),
    ...volumes.map((mount) => `      - ${mount}`),
    ...(volumes.length === 0 ? [] : ['volumes:']),
    ...volumes.map((mount) => `  ${mount.split(':')[0] ?? ''}: {}`),
  ];
}

/**
 * The data is outside of the image's VOLUME, which no layer can hold. Only the server that follows initialization is on
 * the network.
 */
function seededImage({ image, isMariaDb }: Server): string {
  return `FROM ${image} AS seed
ARG ${isMariaDb ? 'MARIADB' : 'MYSQL'}_ROOT_PASSWORD
COPY dump.sql /docker-entrypoint-initdb.d/
RUN docker-entrypoint.sh --datadir=/srv/mysql & server=$!; \\
    until bash -c ': < /dev/tcp/127.0.0.1/3306'; do sleep 1; kill -0 $server || exit 1; done; \\
    while kill $server 2> /dev/null; do sleep 1; done; wait $server

FROM ${image}
COPY --from=seed --chown=mysql:mysql /srv/mysql /srv/mysql
CMD ["--datadir=/srv/mysql"]`;
}

export function snippetOf(
  { code, pair }: Pick<Recommendation, 'code' | 'pair'>,
  plan: Pick<Plan, 'configs' | 'scenarios' | 'passport'>,
): Snippet | null {
  const to = plan.scenarios.find(({ id }) => id === pair?.scenarioId);
  if (code === 'enlarge-buffer-pool' || code === 'relax-flush') {
    const settings = plan.configs.find(({ id }) => id === to?.configId)?.settings;
    if (settings === undefined) return null;
    const { bufferPoolMiB, flushLogAtTrxCommit, binlog, syncBinlog } = settings;
    const options =
      code === 'enlarge-buffer-pool'
        ? [`innodb_buffer_pool_size = ${bufferPoolMiB}M`]
        : [
            `innodb_flush_log_at_trx_commit = ${flushLogAtTrxCommit}`,
            ...(binlog ? [`sync_binlog = ${syncBinlog}`] : []),
          ];
    return { file: 'my.cnf', language: 'ini', text: ['[mysqld]', ...options].join('\n') };
  }
  const lines = code === 'seed-image' ? undefined : COMPOSE[code];
  if (typeof lines === 'string') return null;
  // Another place than a volume has no line that fits everybody.
  if (lines === NAMED_VOLUME && to !== undefined && to.storage.kind !== 'named-volume') return null;
  const [image] = imagesOf(plan);
  const isMariaDb = image?.flavor === 'mariadb';
  const variable = isMariaDb ? 'MARIADB_ROOT_PASSWORD' : 'MYSQL_ROOT_PASSWORD';
  const named = image?.requested ?? '';
  const server = {
    // A result can come from a stranger.
    image: IMAGE_NAME.test(named) ? named : isMariaDb ? 'mariadb:11.8' : 'mysql:8.4',
    isMariaDb,
    password: `${variable}: ${PASSWORD}`,
    cpus: moreCpus(plan),
  };
  return lines === undefined
    ? { file: 'Dockerfile', language: 'dockerfile', text: seededImage(server) }
    : { file: 'compose.yaml', language: 'yaml', text: lines(server).join('\n') };
}
