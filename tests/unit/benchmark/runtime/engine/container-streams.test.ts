import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { Images } from '../../../../../src/benchmark/runtime/engine/images.ts';
import { httpEngine } from './http-engine.ts';

describe('waiting for a pause', () => {
  /** The engine's answer about the container; null for none. */
  let isPaused: boolean | null;
  let events: ServerResponse | undefined;
  let closed: Promise<unknown> | undefined;
  let onInspect = (): void => undefined;
  const server = createServer((request, response) => {
    if (request.url?.includes('/events') === true) {
      events = response;
      closed = once(response, 'close');
      response.flushHeaders();
    } else {
      onInspect();
      if (isPaused !== null) response.end(JSON.stringify({ State: { Paused: isPaused } }));
    }
  });
  const engine = httpEngine(server);
  const wait = (signal = new AbortController().signal) =>
    new ContainerStreams(engine.client()).waitPaused('id', signal);

  it('sees one that came before, and leaves no stream open', async () => {
    isPaused = true;
    await wait();
    await closed;
  });

  it('sees one that comes later', async () => {
    isPaused = false;
    const waiting = wait();
    onInspect = () => void setImmediate(() => events?.write('{"status":"pause"}\n'));
    await waiting;
    await closed;
  });

  it('leaves no stream open when it is stopped while the engine is asked', async () => {
    isPaused = null;
    const over = new AbortController();
    onInspect = () => over.abort();
    await expect(wait(over.signal)).rejects.toThrow();
    await closed;
  });
});

describe('an engine that hangs for good', () => {
  let isHanging = (): void => undefined;
  const engine = httpEngine(
    createServer((request, response) => {
      if (request.url?.endsWith('/exec') === true) response.writeHead(201).end('{"Id":"e"}');
      else if (request.url !== '/_ping') isHanging();
    }).on('upgrade', () => isHanging()),
  );
  afterEach(() => void vi.useRealTimers());

  const signal = new AbortController().signal;
  it.each<[string, (client: ReturnType<typeof engine.client>) => Promise<unknown>]>([
    ['imports a dump', (client) => new ContainerStreams(client).exec('id', ['sh'], true)],
    ['gets files', (client) => new ContainerStreams(client).putArchive('id', '/', Buffer.alloc(1))],
    ['pulls an image', (client) => new Images(client).pull('mysql:8.4', () => undefined, signal)],
  ])('is lost also while it %s', async (_, work) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const hanging = new Promise<void>((resolve) => (isHanging = resolve));
    const ended = work(engine.client()).catch((error: unknown) => error);
    await hanging;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await ended).toMatchObject({ code: 'ENGINE_LOST' });
  });
});

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

describe('an attached container', () => {
  const engine = httpEngine(createServer().on('upgrade', runCat));

  it('a container with an open stdin reads what is written to it and nothing else, also on Podman', async () => {
    const { stdin, stdout, stderr, ended } = await new ContainerStreams(engine.client()).attach('id');
    stdin.end('hello\n');
    expect(await Promise.all([text(stdout), text(stderr)])).toEqual(['hello\n', 'end of stdin\n']);
    await ended;
  });
});
