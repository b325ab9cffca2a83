import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { httpEngine } from './http-engine.ts';

describe('waiting for a pause', () => {
  /** What the engine says of the container: null for no answer. */
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
