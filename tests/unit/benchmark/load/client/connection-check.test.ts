import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkConnection } from '../../../../../src/benchmark/load/client/queries.ts';
import { TARGET } from '../samples.ts';

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

/** A port behind which something other than a database answers. */
async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function check(port: number, budgetMs: number, signal = new AbortController().signal) {
  return checkConnection({ ...TARGET, port }, { path: 'published port', budgetMs, times: 3, signal });
}

/** An error packet of the MySQL protocol as the first thing that a server says. */
function refusal(errno: number, text: string): Buffer {
  const body = Buffer.concat([Buffer.from([0xff, errno & 0xff, errno >> 8]), Buffer.from(text)]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}

describe('checkConnection', () => {
  it('names path, address and the last reason when nothing listens', async () => {
    await expect(check(9, 500)).rejects.toMatchObject({
      code: 'PATH_NO_TRAFFIC',
      params: {
        path: 'published port',
        address: '127.0.0.1:9',
        reason: expect.stringContaining('ECONNREFUSED'),
      },
    });
  });

  it('does not hang on a forward that accepts and says nothing, and closes every connection', async () => {
    const port = await listen(() => undefined);
    await expect(check(port, 700)).rejects.toMatchObject({
      code: 'PATH_NO_TRAFFIC',
      params: { reason: expect.stringContaining('no answer within') },
    });
    expect(sockets.size).toBeGreaterThan(0);
    await Promise.all([...sockets].map((socket) => socket.resume().closed || once(socket, 'close')));
  });

  it('tries again after a connection that is closed at once', async () => {
    const port = await listen((socket) => void socket.destroy());
    await expect(check(port, 900)).rejects.toMatchObject({ code: 'PATH_NO_TRAFFIC' });
    expect(sockets.size).toBeGreaterThan(2);
  });

  it('stops at once', async () => {
    const stop = new AbortController();
    const port = await listen(() => stop.abort());
    await expect(check(port, 60_000, stop.signal)).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it('takes a refused account for what it is once it persists', { tags: ['full'] }, async () => {
    const port = await listen((socket) => socket.end(refusal(1045, 'Access denied for user')));
    const began = Date.now();
    await expect(check(port, 60_000)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      params: { reason: expect.stringContaining('1045') },
    });
    expect(Date.now() - began).toBeGreaterThan(4900);
  });
});
