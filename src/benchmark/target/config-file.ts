import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { isNetworkShare } from './storage/network-share.ts';

const MAX_BYTES = 1024 * 1024;
/** Groups that the servers read. Those for one version, as [mysqld-8.4], are not taken: the file serves all servers. */
const GROUPS = new Set(['mysqld', 'server', 'mariadb', 'mariadbd']);
const VERSIONED = /^(mysqld|mariadb|mariadbd|server)-\d/;

/**
 * The server's options from a my.cnf of the user's own. Rejects with PRESET_INVALID; each evidence line names the line
 * and why it can't be taken.
 * Source of the syntax: MySQL Reference Manual, "Using Option Files".
 */
export async function optionsOfConfigFile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<string[]> {
  const name = basename(path);
  if (isNetworkShare(path, platform)) {
    throw invalid(name, [`server.configFile: ${path} is on another computer; copy it to this one`]);
  }
  const { options, problems } = parseConfig(await readConfig(path), name);
  if (problems.length > 0) throw invalid(name, problems);
  return options;
}

/** The server's options in the text of a my.cnf, and each line that can't be taken, with the reason. */
export function parseConfig(text: string, file: string): { options: string[]; problems: string[] } {
  const options: string[] = [];
  const problems: string[] = [];
  let group: string | undefined;
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    const refuse = (reason: string): unknown => problems.push(`${file} line ${index + 1}: ${reason}`);
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (/^!include(dir)?\b/.test(line)) {
      refuse(`${line.split(/\s/)[0] ?? ''} is not followed; write its options into this file.`);
      continue;
    }
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      const named = line.slice(1, end === -1 ? 0 : end).trim();
      group = named === '' ? undefined : named.toLowerCase();
      if (group === undefined) refuse('the group has no closing bracket.');
      else if (VERSIONED.test(group)) {
        refuse(`[${group}] is for one version only; put its options in [mysqld], or in a server of its own.`);
      }
      continue;
    }
    if (group === undefined) {
      refuse('an option before the first [group].');
      continue;
    }
    if (!GROUPS.has(group)) continue;
    const option = optionOf(line);
    if (option === undefined) {
      refuse(`“${line.slice(0, 80)}” is no option; write name or name = value.`);
      continue;
    }
    const reason = refusedOption(option);
    if (reason === undefined) options.push(option);
    else refuse(`${nameOf(option)}: ${reason}`);
  }
  return { options, problems };
}

function optionOf(line: string): string | undefined {
  const match = /^([a-z][a-z0-9_.-]*)\s*(?:=(.*))?$/i.exec(withoutComment(line));
  if (match?.[1] === undefined) return undefined;
  return match[2] === undefined ? `--${match[1]}` : `--${match[1]}=${valueOf(match[2].trim())}`;
}

/** A `#` after blanks begins a comment, unless it stands in quotes. */
function withoutComment(line: string): string {
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? '';
    if (char === '\\') index += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && /\s/.test(line[index - 1] ?? '')) return line.slice(0, index).trim();
  }
  return line;
}

const ESCAPES: Record<string, string> = { b: '\b', t: '\t', s: ' ', '\\': '\\', '"': '"', "'": "'" };

function valueOf(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
  // \n and \r can't stand in an option of a command line; as the manual has it, an unknown escape stays as it is.
  return quoted.replace(/\\(.)/g, (all, char: string) => ESCAPES[char] ?? all);
}

const WHERE = 'Whalemark says where the server keeps and offers what it has.';
const ACCOUNT = 'Whalemark makes an account of its own and needs to log in with it.';
const PRIVATE = 'Whalemark starts the server itself.';

/** By name with dashes. Options that a scenario, the settings or the run decide. */
const OWNED: Record<string, string> = {
  ...named(WHERE, 'datadir', 'socket', 'port', 'basedir', 'tmpdir', 'pid-file', 'bind-address'),
  ...named(
    WHERE,
    'innodb-data-home-dir',
    'innodb-log-group-home-dir',
    'innodb-undo-directory',
    'innodb-directories',
  ),
  ...named(
    WHERE,
    'networking',
    'named-pipe',
    'shared-memory',
    'admin-address',
    'admin-port',
    'lc-messages-dir',
  ),
  ...named(
    'The server’s log is how Whalemark sees it ready.',
    'log-error',
    'log-error-verbosity',
    'console',
    'silent-startup',
  ),
  ...named(ACCOUNT, 'grant-tables', 'init-file', 'require-secure-transport', 'old-passwords', 'init-connect'),
  ...named(
    PRIVATE,
    'user',
    'daemonize',
    'initialize',
    'initialize-insecure',
    'bootstrap',
    'chroot',
    'upgrade',
  ),
  ...named(
    PRIVATE,
    'help',
    'version',
    'verbose',
    'validate-config',
    'plugin-load',
    'early-plugin-load',
    'gdb',
  ),
  ...named(
    'Option files are not read; use server.configFile.',
    'defaults-file',
    'defaults-extra-file',
    'defaults-group-suffix',
    'no-defaults',
    'print-defaults',
    'login-path',
    'no-login-paths',
  ),
  'innodb-buffer-pool-size': 'set server.settings.bufferPool instead.',
  'innodb-buffer-pool-chunk-size': 'Whalemark derives it from server.settings.bufferPool.',
  'innodb-buffer-pool-instances': 'Whalemark sets it to 1, as the buffer pool’s size is rounded with it.',
  ...named(
    'set server.settings.redoLogMiB instead.',
    'innodb-redo-log-capacity',
    'innodb-log-file-size',
    'innodb-log-files-in-group',
  ),
  'innodb-flush-log-at-trx-commit': 'set server.settings.flushLogAtTrxCommit instead.',
  ...named('set server.settings.binlog instead.', 'log-bin', 'server-id'),
  'sync-binlog': 'set server.settings.syncBinlog instead.',
  'lower-case-table-names': 'one dataset serves every storage, so it is 1 everywhere.',
  'innodb-read-only': 'the tables have to be filled.',
  'read-only': 'the tables have to be filled.',
  'super-read-only': 'the tables have to be filled.',
};

function named(reason: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** The option's name as the server understands it: dashes for underscores, without `--`, `loose-` and the like. */
function nameOf(option: string): string {
  const [name = ''] = option.replace(/^--?/, '').split('=');
  return name.toLowerCase().replaceAll('_', '-');
}

/** No server takes so many; without an end a long line would take time by the square of its length. */
const MOST_PREFIXES = 10;

/**
 * Why an option can't be the user's: Whalemark sets it itself; undefined when it can. Takes every spelling that the
 * server takes: `_` for `-`, `loose-`, `maximum-`, `skip-`, `disable-`, `enable-`.
 */
export function refusedOption(option: string): string | undefined {
  if (/^-[^-]/.test(option)) return 'write the long form, --name=value.';
  let name = nameOf(option);
  for (let prefixes = 0; prefixes <= MOST_PREFIXES; prefixes += 1) {
    const reason = Object.hasOwn(OWNED, name) ? OWNED[name] : undefined;
    if (reason !== undefined) return reason;
    if (name === 'plugin-load-add') return OWNED['plugin-load'];
    const shorter = name.replace(/^(loose|maximum|skip|disable|enable)-/, '');
    if (shorter === name) return undefined;
    name = shorter;
  }
  return `more than ${MOST_PREFIXES} prefixes before a name.`;
}

/**
 * Why an option can't be a native server's, which runs as the user: it names a place outside the server's own folder.
 * Judged by its value, since servers take any beginning of an option's name; undefined when it may be.
 */
export function refusedNatively(option: string): string | undefined {
  const value = /=(.*)$/s.exec(option)?.[1] ?? '';
  return /(^|[\s;:,"'])([/\\~]|[a-z]:[/\\])|\.\./i.test(value)
    ? 'a native server keeps everything in its own folder; name a file without its path.'
    : undefined;
}

async function readConfig(path: string): Promise<string> {
  const name = basename(path);
  let bytes: Buffer;
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is no file');
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    bytes = await readFile(path);
  } catch (error) {
    const reason = messageOf(error);
    throw invalid(name, [`server.configFile: ${path} can't be read: ${reason}`]);
  }
  if (bytes.includes(0)) throw invalid(name, [`server.configFile: ${path} is not a text file`]);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

function invalid(name: string, evidence: string[]): BenchmarkError {
  return new BenchmarkError('PRESET_INVALID', { name, count: String(evidence.length) }, { evidence });
}
