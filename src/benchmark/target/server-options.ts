import type { Flavour } from '../../shared/model/names.ts';
import type { ServerSettings } from '../../shared/model/server-spec.ts';

/** What identifies the server software. */
export interface ServerVersion {
  flavour: Flavour;
  /** As the image says it, for example "8.4.10" or "11.8.6-MariaDB". */
  version: string;
}

/** Major, minor and patch of a version text; what is missing counts as 0. */
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

/**
 * Command-line options that make servers comparable: everything that matters is explicit and the same in all
 * scenarios of a run. Where flavours differ in name, this table is the only place that knows.
 *
 * Sources: MySQL 8.0, 8.4 and 9.x Reference Manuals, "InnoDB Startup Options and System Variables", "Server Command
 * Options"; MariaDB documentation, "InnoDB System Variables". MySQL and Percona Server take the same names.
 */
export function serverOptions(
  server: ServerVersion,
  settings: ServerSettings,
  connections: number,
): string[] {
  const mariadb = server.flavour === 'mariadb';
  return [
    ...bufferPoolOptions(server, settings),
    ...redoLogOptions(server, settings),
    `--innodb-flush-log-at-trx-commit=${settings.flushLogAtTrxCommit}`,
    '--innodb-doublewrite=ON',
    ...(settings.binlog
      ? ['--log-bin=binlog', '--server-id=1', `--sync-binlog=${settings.syncBinlog}`]
      : ['--skip-log-bin']),
    // Every start begins with a cold pool, so that trials do not depend on what a dump happened to hold.
    '--innodb-buffer-pool-dump-at-shutdown=OFF',
    '--innodb-buffer-pool-load-at-startup=OFF',
    '--performance-schema=OFF',
    '--skip-name-resolve',
    // One dataset serves case-insensitive shares too.
    '--lower-case-table-names=1',
    `--max-connections=${connections + 30}`,
    '--max-prepared-stmt-count=1000000',
    // The X plugin would take a second port, which host networking has only once.
    ...(mariadb ? [] : ['--loose-mysqlx=OFF']),
  ];
}

/**
 * The pool's size is rounded up to whole chunks of every instance, by default 128 MiB of each: 200 MiB would become
 * 256 (MySQL Reference Manual, "Configuring InnoDB Buffer Pool Size"). One instance of one chunk is as large as was
 * asked for. MariaDB knows a single instance since 10.5; `loose-` because not every version needs to know chunks.
 */
function bufferPoolOptions(
  { flavour }: ServerVersion,
  { bufferPoolMiB }: Pick<ServerSettings, 'bufferPoolMiB'>,
): string[] {
  const chunk = `innodb-buffer-pool-chunk-size=${bufferPoolMiB}M`;
  return [
    `--innodb-buffer-pool-size=${bufferPoolMiB}M`,
    ...(flavour === 'mariadb' ? [`--loose-${chunk}`] : ['--innodb-buffer-pool-instances=1', `--${chunk}`]),
  ];
}

/** MySQL: one size of all since 8.0.30, before that two files. MariaDB has one file since 10.5. */
function redoLogOptions(server: ServerVersion, { redoLogMiB }: ServerSettings): string[] {
  if (server.flavour === 'mariadb') return [`--innodb-log-file-size=${redoLogMiB}M`];
  if (atLeast(server.version, [8, 0, 30])) return [`--innodb-redo-log-capacity=${redoLogMiB}M`];
  return ['--innodb-log-files-in-group=2', `--innodb-log-file-size=${redoLogMiB * 512}K`];
}

/**
 * Options of a server while it only loads a dataset, after all others. Nothing has to survive a crash then: a load that is
 * cut short is thrown away. None of them shapes the files, and no clone is ever started with one.
 *
 * Source: MySQL Reference Manual, "Bulk Data Loading for InnoDB Tables", innodb_doublewrite, local_infile; MariaDB knows the
 * same names.
 */
export function loadPhaseOptions(server: ServerVersion, bufferPoolMiB: number): string[] {
  return [
    ...bufferPoolOptions(server, { bufferPoolMiB }),
    '--local-infile=1',
    '--innodb-doublewrite=OFF',
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-log-bin',
  ];
}

/**
 * Size of the buffer pool while a dataset is loaded, MiB: all of it fits, as far as a quarter of the engine's memory goes,
 * and never less than the plan's own.
 */
export function loadPoolMiB(settings: ServerSettings, dataBytes: number, memoryBytes: number): number {
  const wanted = Math.min(dataBytes * 1.25, memoryBytes / 4) / 2 ** 20;
  return Math.max(settings.bufferPoolMiB, Math.round(wanted));
}

/** True for servers that can stop writing the redo log while data is loaded (MySQL 8.0.21; MariaDB has no such thing). */
export function canDisableRedoLog({ flavour, version }: ServerVersion): boolean {
  return flavour !== 'mariadb' && atLeast(version, [8, 0, 21]);
}

/** What every start of an official image needs: Percona's calls home first, and waits for an answer. */
export function startEnv(flavour: Flavour): Record<string, string> {
  return flavour === 'percona' ? { PERCONA_TELEMETRY_DISABLE: '1' } : {};
}

/** Where the files with passwords go in a container that initialises a datadir; `/tmp` is in every image. */
export const PASSWORD_DIRECTORY = '/tmp';
const ROOT_PASSWORD_FILE = 'whalemark-root-password';
const PASSWORD_FILE = 'whalemark-password';

/**
 * What makes an official image initialise an empty datadir with one schema and one user who may reach only that: its
 * environment, and the files to be put into `PASSWORD_DIRECTORY` before it starts. The passwords are in the files alone,
 * since everybody who may ask the engine can read a container's environment.
 * Source: the images' documentation on Docker Hub (mysql, mariadb, percona), “Docker Secrets”.
 */
export function initialisation(
  flavour: Flavour,
  account: { rootPassword: string; database: string; user: string; password: string },
): { env: Record<string, string>; files: Record<string, string> } {
  const prefix = flavour === 'mariadb' ? 'MARIADB' : 'MYSQL';
  return {
    env: {
      [`${prefix}_ROOT_PASSWORD_FILE`]: `${PASSWORD_DIRECTORY}/${ROOT_PASSWORD_FILE}`,
      [`${prefix}_DATABASE`]: account.database,
      [`${prefix}_USER`]: account.user,
      [`${prefix}_PASSWORD_FILE`]: `${PASSWORD_DIRECTORY}/${PASSWORD_FILE}`,
      // Time zones take seconds to load, and nothing here asks for them.
      [`${prefix}_INITDB_SKIP_TZINFO`]: '1',
      ...startEnv(flavour),
    },
    files: { [ROOT_PASSWORD_FILE]: account.rootPassword, [PASSWORD_FILE]: account.password },
  };
}

/** Variables that are read back after the start and kept with the result. */
export const VARIABLES_READ_BACK = [
  'version',
  'version_comment',
  'innodb_buffer_pool_size',
  'innodb_buffer_pool_instances',
  'innodb_redo_log_capacity',
  'innodb_log_file_size',
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
