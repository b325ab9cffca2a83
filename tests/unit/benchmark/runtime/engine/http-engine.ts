import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import type { Connection } from '../../../../../src/benchmark/runtime/engine/endpoints.ts';
import { EngineClient } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';

/** An engine that answers as `server` does, a new one for each test of the file or group. */
export function httpEngine(server: Server): { connection: () => Connection; client: () => EngineClient } {
  const connection = (): Connection => {
    const { port } = server.address() as AddressInfo;
    return { kind: 'tcp', host: '127.0.0.1', port, tls: undefined };
  };
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  return { connection, client: () => new EngineClient(connection()) };
}
