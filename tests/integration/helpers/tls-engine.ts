import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

/** A certificate and its key, in PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A certificate authority that lives in a directory. */
export interface Authority {
  ca: string;
  /** `days` 0: expired when it is made. `names` as in subjectAltName. */
  issue(name: string, options?: { names?: string; days?: number }): Identity;
}

/** Makes its own authority with openssl. */
export function authority(directory: string): Authority {
  mkdirSync(directory);
  const file = (name: string): string => join(directory, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    ...['req', '-x509', ...newKey, '-days', '1', '-subj', '/CN=Whalemark test CA'],
    ...['-keyout', file('ca.key'), '-out', file('ca.pem')],
  );
  return {
    ca: readFileSync(file('ca.pem'), 'utf8'),
    issue: (name, { names, days = 1 } = {}) => {
      const [key, request, cert] = [file(`${name}.key`), file(`${name}.csr`), file(`${name}.pem`)];
      openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', key, '-out', request);
      writeFileSync(file('extensions'), names === undefined ? '' : `subjectAltName=${names}\n`);
      openssl(
        ...[
          'x509',
          '-req',
          '-in',
          request,
          '-CA',
          file('ca.pem'),
          '-CAkey',
          file('ca.key'),
          '-CAcreateserial',
        ],
        ...['-days', String(days), '-extfile', file('extensions'), '-out', cert],
      );
      return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
    },
  };
}

/** The real engine behind TLS that asks for certificates of clients, as `dockerd --tlsverify` does. */
export async function tlsEngine(
  ca: string,
  identity: Identity,
): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer(
    { ca, ...identity, requestCert: true, rejectUnauthorized: true, allowHalfOpen: true },
    (client) => {
      const engine = connect({ path: '/var/run/docker.sock', allowHalfOpen: true });
      client.on('error', () => engine.destroy());
      engine.on('error', () => client.destroy());
      client.pipe(engine).pipe(client);
    },
  );
  server.on('tlsClientError', () => undefined);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
