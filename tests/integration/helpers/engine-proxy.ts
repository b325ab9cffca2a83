import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/** Faults in the connections between a program and its engine. */
export interface EngineProxy {
  /** The proxy's address for DOCKER_HOST. */
  endpoint: string;
  /** From this call on, every client of this proxy finds no engine. */
  cut(): Promise<void>;
  /** Breaks every connection, and takes none until `back`. */
  goAway(): void;
  back(): void;
  /** The version that the engine claims from now on. */
  pretend(version: string): void;
}

/**
 * A Unix socket that passes everything to a real engine. With `api` that engine speaks this version of its API; a version
 * above its own is only claimed. The program opens a connection for each request, so only the first line is looked at.
 */
export async function engineProxy(
  directory: string,
  { upstream = '/var/run/docker.sock', api }: { upstream?: string; api?: string } = {},
): Promise<EngineProxy> {
  const path = join(directory, 'engine.sock');
  const sockets = new Set<Socket>();
  const own = api === undefined ? 0 : minor((await versionOf(upstream))['ApiVersion']);
  const prefix = api !== undefined && minor(api) < own ? `/v${api}` : '';
  let version: string | undefined;
  let isAway = false;

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (isAway) return void client.destroy();
    hold(client);
    let head = Buffer.alloc(0);
    const onData = (part: Buffer): void => {
      head = Buffer.concat([head, part]);
      if (!head.includes('\r\n\r\n')) return;
      client.off('data', onData).pause();
      const [line = ''] = head.toString('latin1').split('\r\n', 1);
      const [method = '', target = ''] = line.split(' ');
      if (/^(\/v[\d.]+)?\/version$/.test(target)) return void answerVersion(client);
      const engine = connect({ path: upstream, allowHalfOpen: true });
      hold(engine);
      // Without a version in its path a request means the engine's newest.
      const plain = target.replace(/^\/v1\.\d+(?=\/)/, '');
      engine.write(`${method} ${api === undefined ? target : `${prefix}${plain}`} HTTP/1.1`);
      engine.write(head.subarray(line.length));
      client.pipe(engine);
      engine.pipe(client);
    };
    client.on('data', onData);
  });
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const answerVersion = async (client: Socket): Promise<void> => {
    const text = JSON.stringify({
      ...(await versionOf(upstream)),
      Components: undefined,
      ...(api === undefined ? {} : { ApiVersion: api }),
      ...(version === undefined ? {} : { Version: version }),
    });
    client.end(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  };
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    endpoint: `unix://${path}`,
    cut: async () => {
      server.close();
      breakAll();
      await rm(path, { force: true });
    },
    goAway: () => {
      isAway = true;
      breakAll();
    },
    back: () => (isAway = false),
    pretend: (text) => (version = text),
  };
}

function minor(api: unknown): number {
  return Number(String(api).split('.')[1]);
}

function versionOf(socketPath: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: '/version' }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => (text += part.toString()));
      answer.on('end', () => resolve(JSON.parse(text) as Record<string, unknown>));
    })
      .on('error', reject)
      .end();
  });
}
