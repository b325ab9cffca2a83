import { createHash } from 'node:crypto';
import { BenchmarkError } from '../../../shared/errors.ts';

export interface TlsMaterial {
  ca?: string;
  cert?: string;
  key?: string;
  verify: boolean;
}

/** Undefined parts come from the user's ssh_config. */
export interface SshTarget {
  host: string;
  user: string | undefined;
  port: number | undefined;
  socketPath: string | undefined;
}

export type Connection =
  | { kind: 'socket'; path: string }
  | { kind: 'tcp'; host: string; port: number; tls: TlsMaterial | undefined }
  | ({ kind: 'ssh' } & SshTarget);

export function defaultEndpoint(platform: string): string {
  return platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock';
}

/** Reads endpoints like Docker's CLI. */
export function parseEndpoint(text: string, platform: string, tls?: TlsMaterial): Connection {
  const unsupported = (reason: string): BenchmarkError =>
    new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint: text, reason });
  const [, scheme = 'tcp', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'unix':
      if (platform === 'win32') throw unsupported('Unix sockets are not for Windows');
      return { kind: 'socket', path: rest === '' ? '/var/run/docker.sock' : rest };
    case 'npipe':
      if (platform !== 'win32') throw unsupported('named pipes are for Windows only');
      return { kind: 'socket', path: rest === '' ? '//./pipe/docker_engine' : rest };
    case 'tcp':
    case 'http':
    case 'https': {
      const secure = tls ?? (scheme.toLowerCase() === 'https' ? { verify: true } : undefined);
      return parseTcp(rest, secure, unsupported);
    }
    case 'ssh':
      return parseSsh(rest, unsupported);
    default:
      throw unsupported(`${scheme}:// is not known`);
  }
}

function parseTcp(
  address: string,
  tls: TlsMaterial | undefined,
  unsupported: (reason: string) => BenchmarkError,
): Connection {
  const match = /^(\[[0-9a-f:.%]+\]|[^:/[\]@?#\s]*)(?::(\d{1,5}))?\/?$/i.exec(address);
  if (match === null) throw unsupported('it is not of the form tcp://host:port');
  const [, host = '', portText] = match;
  // Docker's ports without and with TLS.
  const port = portText === undefined ? (tls === undefined ? 2375 : 2376) : Number(portText);
  if (port < 1 || port > 65_535) throw unsupported('the port is out of range');
  const name = host.startsWith('[') ? host.slice(1, -1) : host;
  return { kind: 'tcp', host: name === '' ? '127.0.0.1' : name, port, tls };
}

/**
 * Parts join command lines, so they need shell-safe characters and no leading dash (CVE-2017-1000117 in git).
 */
function parseSsh(rest: string, unsupported: (reason: string) => BenchmarkError): Connection {
  if (/^[^/]*:[^/]*@/.test(rest)) throw unsupported('a password has no place in it; ssh asks for a key');
  const match = /^(?:([^@/?#]+)@)?(\[[0-9a-f:.%]+\]|[^:/[\]@?#]*)(?::(\d{1,5}))?(\/.*)?$/i.exec(rest);
  if (match === null) throw unsupported('it is not of the form ssh://user@host:port');
  const [, user, bracketed = '', portText, path = ''] = match;
  const address = /^\[(.*)\]$/.exec(bracketed)?.[1];
  const host = address ?? bracketed;
  if (address === undefined && !/^\w[\w.-]*$/.test(host))
    throw unsupported('the host name is not one that ssh can be given');
  if (user !== undefined && !/^\w[\w.+-]*$/.test(user)) {
    throw unsupported('the user name is not one that ssh can be given');
  }
  if (!/^[\w./-]*$/.test(path)) throw unsupported('the path is not one that ssh can be given');
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) throw unsupported('the port is out of range');
  const socketPath = /^\/*$/.test(path) ? undefined : path;
  return { kind: 'ssh', host, user, port, socketPath };
}

/** Podman and Lima use ssh to this machine's own address. */
export function isRemote(connection: Connection): boolean {
  return (
    connection.kind !== 'socket' &&
    connection.host.toLowerCase() !== 'localhost' &&
    connection.host !== '::1' &&
    !connection.host.startsWith('127.')
  );
}

export function connectionKey(connection: Connection): string {
  switch (connection.kind) {
    case 'socket':
      return connection.path;
    case 'tcp': {
      const { host, port, tls } = connection;
      const shown =
        tls === undefined ? '' : ` ${createHash('sha256').update(JSON.stringify(tls)).digest('hex')}`;
      return `${host}:${port}${shown}`;
    }
    case 'ssh': {
      const { user = '', host, port = '', socketPath = '' } = connection;
      return `ssh://${user}@${host}:${port}${socketPath}`;
    }
  }
}
