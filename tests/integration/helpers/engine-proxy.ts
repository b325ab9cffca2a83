import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface EngineProxy {
  /** For DOCKER_HOST. */
  endpoint: string;
  /** From now on the engine is gone, as far as anybody behind this proxy can tell. */
  cut(): Promise<void>;
}

/** A Unix socket that passes everything to the real engine until it is cut. */
export async function engineProxy(directory: string): Promise<EngineProxy> {
  const path = join(directory, 'engine.sock');
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const engine = connect({ path: '/var/run/docker.sock', allowHalfOpen: true });
    for (const socket of [client, engine]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(engine);
    engine.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    endpoint: `unix://${path}`,
    cut: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await rm(path, { force: true });
    },
  };
}
