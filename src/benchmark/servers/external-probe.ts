import { msg, type Message, mapSaid, type Said } from '../../shared/message.ts';
import type { Flavor } from '../../shared/model/names.ts';
import { log } from '../log/log.ts';
import { HiddenWords } from '../privacy/cleaner.ts';
import type { LoadTarget } from '../load/load-client.ts';
import { SqlConnection } from '../load/builtin/connection.ts';
import { describeError } from '../load/builtin/sql-error.ts';
import { isTelling } from '../privacy/redactor.ts';
import { unsupportedVersion } from './native/native-program.ts';
import type { ServerVersion } from './server-options.ts';

const PROBE_MS = 10_000;

export type ExternalTarget = Pick<LoadTarget, 'host' | 'port' | 'user' | 'password'>;

/** mysql://user:password@host:port, percent-encoded, IPv6 in brackets. The reason never quotes it. */
export function parseDsn(dsn: string): ExternalTarget | { reason: Message } {
  let url: URL;
  let user: string;
  let password: string;
  try {
    url = new URL(dsn);
    user = decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
  } catch {
    return { reason: msg('external.dsnInvalid') };
  }
  if (url.protocol !== 'mysql:' && url.protocol !== 'mariadb:') {
    return { reason: msg('external.dsnScheme') };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') return { reason: msg('external.dsnNoHost') };
  if (user === '') return { reason: msg('external.dsnNoUser') };
  if (url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) {
    return { reason: msg('external.dsnSchema') };
  }
  return { host: decodeHost(host), port: url.port === '' ? 3306 : Number(url.port), user, password };
}

function decodeHost(host: string): string {
  try {
    return decodeURIComponent(host);
  } catch {
    return host;
  }
}

export function dsnProblem(dsn: string | undefined): { reason: Message } | undefined {
  if (dsn === undefined) {
    return { reason: msg('external.unnamed') };
  }
  const target = parseDsn(dsn);
  return 'reason' in target ? target : undefined;
}

/**
 * Or why it can't be used: unreachable, too old, read-only, or no right to make a schema. Changes nothing. Never
 * rejects. The reason has no password, account, or host.
 */
export async function probeExternal(dsn: string | undefined): Promise<ServerVersion | { reason: Message }> {
  const problem = dsnProblem(dsn);
  if (problem !== undefined) return problem;
  const target = parseDsn(dsn ?? '');
  if ('reason' in target) return target;
  log.hide(target.host, target.user);
  log.hideSecrets(target.password);
  const signal = AbortSignal.timeout(PROBE_MS);
  let connection: SqlConnection | undefined;
  try {
    connection = await SqlConnection.open({ ...target, database: '' }, { timeoutMs: PROBE_MS, signal });
    return await judge(connection);
  } catch (error) {
    const why = signal.aborted
      ? msg('reason.noAnswerWithin', { seconds: PROBE_MS / 1000 })
      : describeError(error);
    const { host, user, password } = target;
    const hidden = new HiddenWords();
    hidden.add(password);
    hidden.addNames(namesOf({ host, user }));
    const safe = mapSaid<Said>(why, (text) =>
      hidden.text(text).replace(/'[^'\s]*'@'[^'\s]*'/g, 'this account'),
    );
    return { reason: msg('external.unusableAt', { port: target.port, reason: safe }) };
  } finally {
    await connection?.close();
  }
}

export function namesOf({ host, user }: Pick<ExternalTarget, 'host' | 'user'>): string[] {
  return [host, user].filter((name) => isTelling(name) && !/^(?:127\..*|::1|whalemark)$/.test(name));
}

async function judge(connection: SqlConnection): Promise<ServerVersion | { reason: Message }> {
  const [row = []] = await connection.rows('SELECT VERSION(), @@version_comment, @@global.read_only');
  const [version = '', comment = '', readOnly] = row.map(String);
  const server = { flavor: flavorOf(version, comment), version: version.replace(/-.*$/, '') };
  const old = unsupportedVersion(server);
  if (old !== undefined) return { reason: msg('external.unusable', { reason: old }) };
  if (readOnly !== '0') return { reason: msg('external.readOnly') };
  const grants = (await connection.rows('SHOW GRANTS')).map(([grant]) => String(grant));
  if (!grants.some(mayMakeSchemas)) {
    return {
      reason: msg('external.noSchemaRight', { schemas: '`whalemark\\_%`.*' }),
    };
  }
  return server;
}

function flavorOf(version: string, comment: string): Flavor {
  if (/mariadb/i.test(version)) return 'mariadb';
  return /percona/i.test(comment) ? 'percona' : 'mysql';
}

/** `grant`: a line of SHOW GRANTS. Rights of roles appear only while the role is active. */
export function mayMakeSchemas(grant: string): boolean {
  const match = /^GRANT (.+) ON (\*|[`'"].*?[`'"])\.\* TO /i.exec(grant);
  const [, rights = '', scope = ''] = match ?? [];
  if (!/(^|, ?)(ALL PRIVILEGES|CREATE)(,|$)/i.test(rights)) return false;
  const pattern = scope.slice(1, -1).replaceAll('\\', '');
  return (
    scope === '*' ||
    pattern === '%' ||
    (pattern.endsWith('%') && 'whalemark_'.startsWith(pattern.slice(0, -1)))
  );
}
