import type { Factor } from '../model/factors.ts';
import type { ServerSettings } from '../model/server-settings.ts';
import { kindsOf } from '../kinds/kind.ts';
import { isInMemory, isKept, STORAGES, type StorageKind } from '../kinds/storages.ts';

/** `isNew`: what the advice adds. */
export interface SnippetLine {
  text: string;
  isNew: boolean;
}

export interface Snippet {
  file: 'compose.yaml' | 'my.cnf' | 'Dockerfile';
  language: 'yaml' | 'ini' | 'dockerfile';
  text: string;
  /** The new lines, with one line before and after. */
  excerpt: SnippetLine[];
}

export interface AdvisedServer {
  image: string;
  isMariaDb: boolean;
  password: string;
  cpus: number | null;
  storage: StorageKind | undefined;
  settings: ServerSettings | undefined;
}

export type AdviceCost = 'durability' | 'isolation' | 'convenience' | 'memory' | 'time';

interface Advice {
  costs: AdviceCost | null;
  /** The conclusive effect behind the advice; `recommendations.ts` has other conditions. */
  change?: Change;
  lines?: (to: AdvisedServer) => Snippet | null;
  /** contract/external-links.json must list the link. */
  link?: string;
  isUnmeasured?: true;
}

interface Change {
  factor: Factor;
  from?: readonly string[];
  to?: readonly string[];
  settings?: (from: ServerSettings, to: ServerSettings) => boolean;
  /** Tests can recreate their data, so advice for tasks may be less safe. */
  isForTask?: 'any' | 'ready';
}

const KEPT = kindsOf(STORAGES).filter(isKept);
const IN_MEMORY = kindsOf(STORAGES).filter(isInMemory);

// No line for places other than volumes fits everybody.
const namedVolume = (to: AdvisedServer): Snippet | null =>
  to.storage === undefined || to.storage === 'named-volume' ? compose(to, { isVolumeNew: true }) : null;

const oneBridge = (to: AdvisedServer): Snippet => compose(to, { app: ['environment:', '  DB_HOST: db'] });

const leavePort = (to: string): Change => ({ factor: 'path', from: ['published-port'], to: [to] });

const CODES = {
  'rerun-quiet': { costs: 'time' },
  'use-named-volume': {
    costs: 'convenience',
    change: {
      factor: 'storage',
      from: ['bind-mount', 'volume-options', 'data-container'],
      to: ['named-volume'],
    },
    lines: namedVolume,
  },
  'leave-nfs': {
    costs: 'convenience',
    change: { factor: 'storage', from: ['nfs'], to: KEPT },
    lines: namedVolume,
  },
  'keep-safe-storage': { costs: null, lines: namedVolume },
  'not-durable': { costs: 'durability' },
  'use-engine': { costs: 'convenience', change: { factor: 'engine' } },
  'use-virtiofs': {
    costs: 'convenience',
    link: 'https://docs.docker.com/desktop/settings-and-maintenance/settings/',
    isUnmeasured: true,
  },
  'use-native-image': {
    costs: null,
    link: 'https://docs.docker.com/build/building/multi-platform/',
    isUnmeasured: true,
  },
  'connect-over-bridge': { costs: 'convenience', change: leavePort('user-bridge'), lines: oneBridge },
  'use-host-network': {
    costs: 'isolation',
    change: leavePort('host-network'),
    lines: (to) =>
      compose(to, {
        db: [
          'network_mode: host',
          'command:',
          '  - --bind-address=127.0.0.1',
          // MariaDB has no X Plugin.
          ...(to.isMariaDb ? [] : ['  - --loose-mysqlx-bind-address=127.0.0.1']),
        ],
      }),
  },
  'share-network': {
    costs: 'isolation',
    change: leavePort('shared-netns'),
    lines: (to) => compose(to, { app: ['environment:', '  DB_HOST: 127.0.0.1', 'network_mode: service:db'] }),
  },
  'use-socket': {
    costs: 'convenience',
    change: leavePort('unix-socket'),
    // A volume on this folder starts with its owner and permissions.
    lines: (to) =>
      compose(to, {
        mounts: ['db-socket:/var/run/mysqld'],
        app: [
          'environment:',
          '  DB_SOCKET: /var/run/mysqld/mysqld.sock',
          'volumes:',
          '  - db-socket:/var/run/mysqld',
        ],
      }),
  },
  'leave-overlay': {
    costs: 'convenience',
    change: { factor: 'path', from: ['overlay', 'ingress'], to: ['user-bridge'] },
    lines: oneBridge,
  },
  'enlarge-buffer-pool': {
    costs: 'memory',
    change: {
      factor: 'server',
      settings: (from, to) => to.bufferPoolMiB > from.bufferPoolMiB && withoutPool(from) === withoutPool(to),
    },
    lines: (to) => options(to, ({ bufferPoolMiB }) => [`innodb_buffer_pool_size = ${bufferPoolMiB}M`]),
  },
  'group-writes': { costs: 'convenience', isUnmeasured: true },
  'test-in-memory': {
    costs: 'durability',
    change: { factor: 'storage', from: KEPT, to: IN_MEMORY, isForTask: 'any' },
    lines: (to) => compose(to, { db: ['tmpfs: /var/lib/mysql'], isKept: false }),
  },
  'seed-image': {
    costs: 'durability',
    change: { factor: 'storage', from: KEPT, to: ['image-layer'], isForTask: 'ready' },
    lines: seededImage,
  },
  'relax-flush': {
    costs: 'durability',
    change: {
      factor: 'server',
      isForTask: 'any',
      settings: (from, to) => from.flushLogAtTrxCommit === 1 && to.flushLogAtTrxCommit !== 1,
    },
    lines: (to) =>
      options(to, ({ flushLogAtTrxCommit, binlog, syncBinlog }) => [
        `innodb_flush_log_at_trx_commit = ${flushLogAtTrxCommit}`,
        ...(binlog ? [`sync_binlog = ${syncBinlog}`] : []),
      ]),
  },
  'raise-cpu-limit': {
    costs: 'convenience',
    lines: (to) => compose(to, { db: [`cpus: ${to.cpus ?? 2}`] }),
    isUnmeasured: true,
  },
  'run-until-conclusive': { costs: 'time' },
} satisfies Record<string, Advice>;

export type AdviceCode = keyof typeof CODES;
export const ADVICE: Readonly<Record<AdviceCode, Advice>> = CODES;

function withoutPool(settings: ServerSettings): string {
  return JSON.stringify({ ...settings, bufferPoolMiB: 0, defaults: [] });
}

function added(lines: readonly string[]): SnippetLine[] {
  return lines.map((text) => ({ text, isNew: true }));
}

function around(lines: readonly string[]): SnippetLine[] {
  return lines.map((text) => ({ text, isNew: false }));
}

function snippet(
  file: Snippet['file'],
  language: Snippet['language'],
  lines: readonly SnippetLine[],
): Snippet {
  const isNear = (at: number): boolean => [at - 1, at, at + 1].some((one) => lines[one]?.isNew);
  const excerpt = lines.flatMap((line, at) => {
    if (isNear(at)) return [line];
    const isGap = isNear(at - 1) && lines.slice(at).some(({ isNew }) => isNew);
    return isGap ? around(['…']) : [];
  });
  return { file, language, text: lines.map(({ text }) => text).join('\n'), excerpt };
}

function compose(
  { image, password }: AdvisedServer,
  {
    db = [],
    mounts = [],
    app = [],
    isKept: hasVolume = true,
    isVolumeNew = false,
  }: { db?: string[]; mounts?: string[]; app?: string[]; isKept?: boolean; isVolumeNew?: boolean } = {},
): Snippet {
  const volumes = [
    ...(hasVolume ? [{ text: 'db-data:/var/lib/mysql', isNew: isVolumeNew }] : []),
    ...added(mounts),
  ];
  const heading = (text: string): SnippetLine[] =>
    volumes.length === 0 ? [] : [{ text, isNew: isVolumeNew }];
  const indented = (lines: string[]): string[] => lines.map((line) => `    ${line}`);
  return snippet('compose.yaml', 'yaml', [
    ...around(['services:']),
    ...(app.length === 0
      ? []
      : [
          ...around(['  app:', '    image: your-app']),
          ...added(indented(app)),
          ...around(['    depends_on: [db]']),
        ]),
    ...around(['  db:', `    image: ${image}`]),
    ...added(indented(db)),
    ...around(['    environment:', `      ${password}`]),
    ...heading('    volumes:'),
    ...volumes.map(({ text, isNew }) => ({ text: `      - ${text}`, isNew })),
    ...heading('volumes:'),
    ...volumes.map(({ text, isNew }) => ({ text: `  ${text.split(':')[0] ?? ''}: {}`, isNew })),
  ]);
}

function options({ settings }: AdvisedServer, lines: (settings: ServerSettings) => string[]): Snippet | null {
  if (settings === undefined) return null;
  return snippet('my.cnf', 'ini', [...around(['[mysqld]']), ...added(lines(settings))]);
}

/** No layer can hold the image's VOLUME. Only the server after initialization is on the network. */
function seededImage({ image, isMariaDb }: AdvisedServer): Snippet {
  const text = `FROM ${image} AS seed
ARG ${isMariaDb ? 'MARIADB' : 'MYSQL'}_ROOT_PASSWORD
COPY dump.sql /docker-entrypoint-initdb.d/
RUN docker-entrypoint.sh --datadir=/srv/mysql & server=$!; \\
    until bash -c ': < /dev/tcp/127.0.0.1/3306'; do sleep 1; kill -0 $server || exit 1; done; \\
    while kill $server 2> /dev/null; do sleep 1; done; wait $server

FROM ${image}
COPY --from=seed --chown=mysql:mysql /srv/mysql /srv/mysql
CMD ["--datadir=/srv/mysql"]`;
  return snippet('Dockerfile', 'dockerfile', added(text.split('\n')));
}
