import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
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
