import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { httpEngine } from './http-engine.ts';

function frame(channel: 1 | 2, content: string): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(channel);
  header.writeUInt32BE(Buffer.byteLength(content), 4);
  return Buffer.concat([header, Buffer.from(content)]);
}

/** Podman's behavior: all that follows the request's head is the container's stdin; `cat` runs there. */
function runCat({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { searchParams } = new URL(url, 'http://engine');
  const isWanted = (name: string): boolean => /^(?:1|true)$/.test(searchParams.get(name) ?? '');
  socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
  const echo = (chunk: Buffer): void => void socket.write(frame(1, String(chunk)));
  if (head.length > 0) echo(head);
  socket.on('data', echo);
  socket.on('end', () => socket.end(isWanted('stderr') ? frame(2, 'end of stdin\n') : ''));
}

const engine = httpEngine(createServer().on('upgrade', runCat));

it('a container with an open stdin reads what is written to it and nothing else, also on Podman', async () => {
  const { stdin, stdout, stderr, ended } = await new ContainerStreams(engine.client()).attach('id');
  stdin.end('hello\n');
  expect(await Promise.all([text(stdout), text(stderr)])).toEqual(['hello\n', 'end of stdin\n']);
  await ended;
});
