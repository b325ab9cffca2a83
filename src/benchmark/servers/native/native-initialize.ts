import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { storageName } from '../../../shared/words/labels.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import { diagnoseServer } from '../failure-doctor.ts';
import type { NativeProgram } from './native-program.ts';
import { supervise } from './native-supervisor.ts';
import type { Account } from '../target-server.ts';

/** Folders of MariaDB's scripts, relative to the folder above the program's. */
const SHARES = ['share/mysql', 'share/mariadb', 'usr/share/mysql', 'usr/share/mariadb', 'share'];
const TABLES = ['system_tables', 'performance_tables', 'system_tables_data'];

export function userOption(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

export async function initializeDatadir(
  program: NativeProgram,
  datadir: string,
  options: { onLine: (line: string) => void; env: Record<string, string>; signal: AbortSignal },
): Promise<void> {
  const log: string[] = [];
  const onLine = (line: string): void => {
    log.push(line);
    options.onLine(line);
  };
  const common = ['--no-defaults', `--datadir=${datadir}`, ...userOption(), '--lower-case-table-names=1'];
  const exitCode =
    program.flavor === 'mariadb'
      ? await bootstrap(program, common, datadir, onLine, options.signal)
      : await initialize(program, [...common, '--initialize-insecure', '--secure-file-priv=NULL'], onLine, {
          ...options,
          cwd: datadir,
        });
  if (options.signal.aborted) throw new BenchmarkError('STOPPED');
  if (exitCode !== 0) {
    throw diagnoseServer({
      exitCode,
      oomKilled: false,
      log,
      phase: 'initialization',
      storage: storageName({ kind: 'native' }),
    });
  }
}

async function initialize(
  program: NativeProgram,
  args: string[],
  onLine: (line: string) => void,
  { cwd, env, signal }: { cwd: string; env: Record<string, string>; signal: AbortSignal },
): Promise<number> {
  const running = supervise(program.binary, args, { cwd, env, onLine });
  const stop = (): void => running.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await running.ended;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Does what mariadb-install-db does. The server ends with its stdin, so it needs no supervisor. */
async function bootstrap(
  program: NativeProgram,
  common: string[],
  cwd: string,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<number> {
  const sql = await systemTables(program.binary);
  return new Promise((resolve) => {
    const child = spawn(
      program.binary,
      [
        ...common,
        '--bootstrap',
        '--enforce-storage-engine=',
        '--max-allowed-packet=8M',
        '--net-buffer-length=16K',
      ],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        cwd,
        windowsHide: true,
        signal,
        killSignal: 'SIGKILL',
      },
    );
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
    child.stdin.on('error', () => undefined);
    child.once('error', (error) => {
      onLine(error.message);
      resolve(127);
    });
    child.once('close', (code) => resolve(code ?? 137));
    child.stdin.end(sql);
  });
}

async function systemTables(binary: string): Promise<string> {
  const above = [dirname(binary), join(dirname(binary), '..'), '/usr'];
  const folders = above.flatMap((folder) => SHARES.map((share) => join(folder, share)));
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    const files = TABLES.map((table) =>
      names.find((name) => name.endsWith(`_${table}.sql`) && !name.includes('test')),
    );
    if (files.includes(undefined)) continue;
    const scripts = await Promise.all(files.map((name) => readFile(join(folder, name ?? ''), 'utf8')));
    return [
      'CREATE DATABASE IF NOT EXISTS mysql;',
      'USE mysql;',
      "SET @auth_root_socket=NULL, @skip_auth_anonymous=1, @current_hostname='localhost';",
      ...scripts,
      '',
    ].join('\n');
  }
  throw new BenchmarkError('DATASET_FAILED', {
    reason: `the scripts of MariaDB's system tables (mariadb_system_tables.sql) are not in ${folders.join(', ')}`,
  });
}

export async function writeAccountFile(path: string, account: Account): Promise<() => Promise<void>> {
  const root = randomBytes(18).toString('base64url');
  const user = `'${account.user}'@'127.0.0.1'`;
  const statements = [
    // `localhost` is the socket alone: names are not resolved.
    `ALTER USER 'root'@'localhost' IDENTIFIED BY '${root}';`,
    ...["'root'@'127.0.0.1'", "'root'@'::1'"].map((other) => `DROP USER IF EXISTS ${other};`),
    `CREATE DATABASE ${account.database};`,
    `CREATE USER ${user} IDENTIFIED BY '${account.password}';`,
    `GRANT ALL PRIVILEGES ON ${account.database}.* TO ${user};`,
  ];
  await writeFile(path, `${statements.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  return () => rm(path, { force: true });
}
