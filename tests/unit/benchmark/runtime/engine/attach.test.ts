import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { EngineClient } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';

function frame(channel: 1 | 2, content: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(channel);
  header.writeUInt32BE(Buffer.byteLength(content), 4);
  return Buffer.concat([header, Buffer.from(content)]);
}

/** As Podman does: all that follows the request's head is the container's stdin; `cat` runs there. */
function runCat({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { searchParams } = new URL(url, 'http://engine');
  const isWanted = (name: string): boolean => /^(?:1|true)$/.test(searchParams.get(name) ?? '');
  socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
  const echo = (chunk: Buffer): void => void socket.write(frame(1, String(chunk)));
  if (head.length > 0) echo(head);
  socket.on('data', echo);
  socket.on('end', () => socket.end(isWanted('stderr') ? frame(2, 'end of stdin\n') : ''));
}

describe('a container with an open stdin', () => {
  const server = createServer().on('upgrade', runCat);
  let streams: ContainerStreams;
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    streams = new ContainerStreams(
      new EngineClient({ kind: 'tcp', host: '127.0.0.1', port, tls: undefined }),
    );
  });
  afterEach(() => server.close());

  it('reads what is written to it and nothing else, also on Podman', async () => {
    const { stdin, stdout, stderr, ended } = await streams.attach('id');
    stdin.end('hello\n');
    expect(await Promise.all([text(stdout), text(stderr)])).toEqual(['hello\n', 'end of stdin\n']);
    await ended;
  });
});
