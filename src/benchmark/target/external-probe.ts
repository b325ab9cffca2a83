import type { Flavour } from '../../shared/model/names.ts';
import { log } from '../log/log.ts';
import { HiddenWords } from '../privacy/hidden-words.ts';
import type { LoadTarget } from '../load/driver.ts';
import { SqlConnection } from '../load/node/connection.ts';
import { describeError } from '../load/node/sql-error.ts';
import { isTelling } from '../privacy/shareable-plan.ts';
import { unsupportedVersion } from './native/native-program.ts';
import type { ServerVersion } from './server-options.ts';

const PROBE_MS = 10_000;
const FORM = 'Write mysql://user:password@host:3306.';

/** Address and account, without a schema. */
export type ExternalTarget = Pick<LoadTarget, 'host' | 'port' | 'user' | 'password'>;

/**
 * Address and account of a DSN: mysql://user:password@host:port, percent-encoded, IPv6 in brackets, port 3306 unless it
 * says so. The reason never quotes the DSN.
 */
export function parseDsn(dsn: string): ExternalTarget | { reason: string } {
  let url: URL;
  let user: string;
  let password: string;
  try {
    url = new URL(dsn);
    user = decodeURIComponent(url.username);
    password = decodeURIComponent(url.password);
  } catch {
    return { reason: `The DSN is no address; special characters have to be percent-encoded. ${FORM}` };
  }
  if (url.protocol !== 'mysql:' && url.protocol !== 'mariadb:') {
    return { reason: `The DSN’s scheme is neither mysql nor mariadb. ${FORM}` };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') return { reason: `The DSN names no host. ${FORM}` };
  if (user === '') return { reason: `The DSN names no user. ${FORM}` };
  if (url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) {
    return { reason: `The DSN names a schema or options; Whalemark makes a schema of its own. ${FORM}` };
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

/** Why a DSN can't be used, as far as its text tells; undefined when it can. */
export function dsnProblem(dsn: string | undefined): { reason: string } | undefined {
  if (dsn === undefined) {
    return { reason: 'No external server is named: give its address as WHALEMARK_DSN or server.dsn.' };
  }
  const target = parseDsn(dsn);
  return 'reason' in target ? target : undefined;
}

/**
 * What answers at an address of the user's own, or why nothing can be used there: unreachable, too old, read-only, or
 * without the right to make a schema. Changes nothing there. Never rejects, and never tells the password, the account or
 * the host: plans and results keep the reason.
 */
export async function probeExternal(dsn: string | undefined): Promise<ServerVersion | { reason: string }> {
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
    const why = signal.aborted ? `no answer within ${PROBE_MS / 1000} s` : describeError(error);
    const { host, user, password } = target;
    const hidden = new HiddenWords();
    hidden.add(password);
    hidden.addNames(namesOf({ host, user }));
    // Refusals name the account and the client as the server sees it.
    const safe = hidden.text(why).replace(/'[^'\s]*'@'[^'\s]*'/g, 'this account');
    return { reason: `The external server (port ${target.port}) can't be used: ${safe}` };
  } finally {
    await connection?.close();
  }
}

/** What of an address and an account tells whose they are: plans, results and logs hold none of it. Our own name tells nothing. */
export function namesOf({ host, user }: Pick<ExternalTarget, 'host' | 'user'>): string[] {
  return [host, user].filter((name) => isTelling(name) && !/^(?:127\..*|::1|whalemark)$/.test(name));
}

async function judge(connection: SqlConnection): Promise<ServerVersion | { reason: string }> {
  const [row = []] = await connection.rows('SELECT VERSION(), @@version_comment, @@global.read_only');
  const [version = '', comment = '', readOnly] = row.map(String);
  const server = { flavour: flavourOf(version, comment), version: version.replace(/-.*$/, '') };
  const old = unsupportedVersion(server);
  if (old !== undefined) return { reason: `The external server can't be used: ${old}` };
  if (readOnly !== '0') return { reason: 'The external server is read-only.' };
  const grants = (await connection.rows('SHOW GRANTS')).map(([grant]) => String(grant));
  if (!grants.some(mayMakeSchemas)) {
    return {
      reason:
        'The account of the external server may not make a schema. It needs ALL PRIVILEGES (or at least CREATE, DROP, INDEX, SELECT, INSERT, UPDATE, DELETE) on `whalemark\\_%`.*',
    };
  }
  return server;
}

function flavourOf(version: string, comment: string): Flavour {
  if (/mariadb/i.test(version)) return 'mariadb';
  return /percona/i.test(comment) ? 'percona' : 'mysql';
}

/**
 * Whether a line of SHOW GRANTS lets schemas of ours be made: on all of them, or on a pattern that begins as their names
 * do. Rights that come with a role stand in SHOW GRANTS only while it is active, as they count only then.
 */
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
