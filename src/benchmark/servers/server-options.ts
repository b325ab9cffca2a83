import { grouped } from '../../shared/analysis/grouped.ts';
import type { Flavor } from '../../shared/model/names.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { DefaultSettings, ServerSettings, SettingName } from '../../shared/model/server-settings.ts';

export interface ServerVersion {
  flavor: Flavor;
  version: string;
}

export function versionNumbers(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = (/\d+(\.\d+)*/.exec(version)?.[0] ?? '')
    .split('.')
    .map((part) => Number(part));
  return [major, minor, patch];
}

function atLeast(version: string, wanted: [number, number, number]): boolean {
  const found = versionNumbers(version);
  for (const [index, part] of wanted.entries()) {
    const own = found[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}

/** A version without numbers counts as current. */
export function defaultSettings({ flavor, version }: ServerVersion): DefaultSettings {
  const own = { bufferPoolMiB: 128, flushLogAtTrxCommit: 1 as const };
  if (flavor === 'mariadb')
    return { ...own, redoLogMiB: 96, binlog: false, syncBinlog: 0, performanceSchema: false };
  const isKnown = versionNumbers(version)[0] > 0;
  return {
    ...own,
    redoLogMiB: !isKnown || atLeast(version, [8, 0, 30]) ? 100 : 96,
    binlog: !isKnown || atLeast(version, [8, 0, 0]),
    syncBinlog: 1,
    performanceSchema: true,
  };
}

export function mostConnections({
  scenarios,
  connections,
  schedule,
}: Pick<Plan, 'connections' | 'schedule'> & {
  scenarios: readonly Pick<Plan['scenarios'][number], 'serverId' | 'connections'>[];
}): number {
  if (schedule.sliceSeconds === undefined) return connections;
  const servers = grouped(scenarios, ({ serverId }) => [serverId]);
  return Math.max(...[...servers.values()].map((own) => own.reduce((sum, one) => sum + one.connections, 0)));
}

/**
 * All options are equal and explicit, except those that settings leave to the server. Sources: MySQL 8.0,
 * 8.4, and 9.x Reference Manuals and MariaDB documentation, InnoDB and binary log variables.
 */
export function serverOptions(
  server: ServerVersion,
  settings: ServerSettings,
  connections: number,
): string[] {
  const mariadb = server.flavor === 'mariadb';
  const unlessDefault = (name: SettingName, ...options: string[]): string[] =>
    settings.defaults.includes(name) ? [] : options;
  const maybeBinlog = settings.binlog || settings.defaults.includes('binlog');
  return [
    ...unlessDefault('bufferPool', ...bufferPoolOptions(server, settings)),
    ...unlessDefault('redoLogMiB', ...redoLogOptions(server, settings)),
    ...unlessDefault(
      'flushLogAtTrxCommit',
      `--innodb-flush-log-at-trx-commit=${settings.flushLogAtTrxCommit}`,
    ),
    '--innodb-doublewrite=ON',
    ...unlessDefault(
      'binlog',
      ...(settings.binlog ? ['--log-bin=binlog', '--server-id=1'] : ['--skip-log-bin']),
    ),
    ...(maybeBinlog ? unlessDefault('syncBinlog', `--sync-binlog=${settings.syncBinlog}`) : []),
    ...(maybeBinlog ? BINLOG_OF_ONE_START : []),
    // Every start begins with a cold pool.
    '--innodb-buffer-pool-dump-at-shutdown=OFF',
    '--innodb-buffer-pool-load-at-startup=OFF',
    ...unlessDefault(
      'performanceSchema',
      `--performance-schema=${settings.performanceSchema ? 'ON' : 'OFF'}`,
    ),
    '--skip-name-resolve',
    // One dataset also serves case-insensitive shares.
    '--lower-case-table-names=1',
    `--max-connections=${connections + 30}`,
    '--max-prepared-stmt-count=1000000',
    // The X plugin's port conflicts on the host's network.
    ...(mariadb ? [] : ['--loose-mysqlx=OFF']),
  ];
}

/** Removes binary logs after a second. MariaDB (since 11.4) would wait for a replica first. */
const BINLOG_OF_ONE_START = [
  '--loose-binlog-expire-logs-seconds=1',
  '--loose-slave-connections-needed-for-purge=0',
];

/**
 * Pools are rounded up to whole chunks of every instance (MySQL Reference Manual, "Configuring InnoDB Buffer
 * Pool Size"). Some versions have no chunks, hence `loose-`.
 */
function bufferPoolOptions(
  { flavor }: ServerVersion,
  { bufferPoolMiB }: Pick<ServerSettings, 'bufferPoolMiB'>,
): string[] {
  const chunk = `innodb-buffer-pool-chunk-size=${bufferPoolMiB}M`;
  return [
    `--innodb-buffer-pool-size=${bufferPoolMiB}M`,
    ...(flavor === 'mariadb' ? [`--loose-${chunk}`] : ['--innodb-buffer-pool-instances=1', `--${chunk}`]),
  ];
}

/** MySQL has one total size since 8.0.30, and had two files before. MariaDB has one file since 10.5. */
export function redoLogOptions(
  server: ServerVersion,
  { redoLogMiB }: Pick<ServerSettings, 'redoLogMiB'>,
): string[] {
  if (server.flavor === 'mariadb') return [`--innodb-log-file-size=${redoLogMiB}M`];
  if (atLeast(server.version, [8, 0, 30])) return [`--innodb-redo-log-capacity=${redoLogMiB}M`];
  return ['--innodb-log-files-in-group=2', `--innodb-log-file-size=${redoLogMiB * 512}K`];
}

/**
 * None shapes the files. Safe only since a crashed load is discarded. Source: MySQL Reference Manual, "Bulk
 * Data Loading for InnoDB Tables".
 */
export function loadPhaseOptions(server: ServerVersion, bufferPoolMiB: number): string[] {
  return [
    ...bufferPoolOptions(server, { bufferPoolMiB }),
    '--local-infile=1',
    '--innodb-doublewrite=OFF',
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-log-bin',
    '--performance-schema=OFF',
  ];
}

export function loadPoolMiB(settings: ServerSettings, dataBytes: number, memoryBytes: number): number {
  const wanted = Math.min(dataBytes * 1.25, memoryBytes / 4) / 2 ** 20;
  return Math.max(settings.bufferPoolMiB, Math.round(wanted));
}

/** MySQL can since 8.0.21, and MariaDB can't. */
export function canDisableRedoLog({ flavor, version }: ServerVersion): boolean {
  return flavor !== 'mariadb' && atLeast(version, [8, 0, 21]);
}

/** Percona's image would call home first, and wait for an answer. */
export function startEnv(flavor: Flavor): Record<string, string> {
  return flavor === 'percona' ? { PERCONA_TELEMETRY_DISABLE: '1' } : {};
}

export const PASSWORD_DIRECTORY = '/tmp';
const ROOT_PASSWORD_FILE = 'whalemark-root-password';
const PASSWORD_FILE = 'whalemark-password';

interface Accounts {
  rootPassword: string;
  database: string;
  user: string;
  password: string;
}

/**
 * Any user of the engine can read the environment, so passwords are in files. Source: Docker Hub
 * documentation (mysql, mariadb, percona), "Docker Secrets".
 */
export function initialization(
  flavor: Flavor,
  account: Accounts,
  withTimeZones = false,
): { env: Record<string, string>; files: Record<string, string> } {
  const prefix = flavor === 'mariadb' ? 'MARIADB' : 'MYSQL';
  return {
    env: {
      [`${prefix}_ROOT_PASSWORD_FILE`]: `${PASSWORD_DIRECTORY}/${ROOT_PASSWORD_FILE}`,
      [`${prefix}_DATABASE`]: account.database,
      [`${prefix}_USER`]: account.user,
      [`${prefix}_PASSWORD_FILE`]: `${PASSWORD_DIRECTORY}/${PASSWORD_FILE}`,
      // Time zones take seconds; only a first start is timed with them.
      ...(withTimeZones ? {} : { [`${prefix}_INITDB_SKIP_TZINFO`]: '1' }),
      ...startEnv(flavor),
    },
    files: { [ROOT_PASSWORD_FILE]: account.rootPassword, [PASSWORD_FILE]: account.password },
  };
}

export function accountStatements({ user, password, database }: Omit<Accounts, 'rootPassword'>): string {
  return [
    'SET SESSION sql_log_bin = 0;',
    `CREATE DATABASE IF NOT EXISTS ${database};`,
    `CREATE USER '${user}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL ON ${database}.* TO '${user}'@'%';`,
    '',
  ].join('\n');
}

export const VARIABLES_READ_BACK = [
  'version',
  'version_comment',
  'version_compile_machine',
  'innodb_buffer_pool_size',
  'innodb_buffer_pool_instances',
  'innodb_redo_log_capacity',
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_flush_log_at_trx_commit',
  'innodb_flush_method',
  'innodb_use_native_aio',
  'innodb_doublewrite',
  'innodb_io_capacity',
  'log_bin',
  'sync_binlog',
  'performance_schema',
  'lower_case_table_names',
  'max_connections',
  'max_prepared_stmt_count',
  'transaction_isolation',
  'tx_isolation',
  'have_ssl',
  'require_secure_transport',
] as const;
