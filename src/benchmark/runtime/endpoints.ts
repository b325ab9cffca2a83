import { BenchmarkError } from '../../shared/errors.ts';

/** Certificates in PEM; `verify` false accepts any server (context option SkipTLSVerify). */
export interface TlsMaterial {
  ca?: string;
  cert?: string;
  key?: string;
  verify: boolean;
}

/** How to reach an engine: by a socket file or named pipe, or by TCP, with TLS or without. */
export type Connection =
  | { kind: 'socket'; path: string }
  | { kind: 'tcp'; host: string; port: number; tls: TlsMaterial | undefined };

/** The platform's own endpoint, which Docker's CLI uses when nothing else is said. */
export function defaultEndpoint(platform: string): string {
  return platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock';
}

/**
 * Parses an endpoint as Docker's CLI writes it: `unix://`, `npipe://`, `tcp://`, `http(s)://`, or a bare `host:port`.
 * Throws ENDPOINT_UNSUPPORTED for what can't be used from here, ssh:// among it.
 */
export function parseEndpoint(text: string, platform: string, tls?: TlsMaterial): Connection {
  const unsupported = (reason: string): BenchmarkError =>
    new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint: text, reason });
  const [, scheme = 'tcp', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case 'unix':
      if (platform === 'win32') throw unsupported('Unix sockets are not for Windows');
      // A bare "unix://" means the default socket.
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
      throw unsupported('ssh:// is not supported yet');
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
  // 2375 and 2376 are the ports registered for Docker, without and with TLS.
  const port = portText === undefined ? (tls === undefined ? 2375 : 2376) : Number(portText);
  if (port < 1 || port > 65_535) throw unsupported('the port is out of range');
  const name = host.startsWith('[') ? host.slice(1, -1) : host;
  return { kind: 'tcp', host: name === '' ? '127.0.0.1' : name, port, tls };
}

/** True when the engine is certainly not on this machine or in a virtual machine of it. */
export function isRemote(connection: Connection): boolean {
  return (
    connection.kind === 'tcp' &&
    connection.host !== 'localhost' &&
    connection.host !== '::1' &&
    !connection.host.startsWith('127.')
  );
}

/** Two endpoints with the same key are the same place. */
export function connectionKey(connection: Connection): string {
  return connection.kind === 'socket' ? connection.path : `${connection.host}:${connection.port}`;
}
