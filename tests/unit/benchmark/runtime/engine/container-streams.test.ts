import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { EngineClient } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';

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
  let streams: ContainerStreams;
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    streams = new ContainerStreams(
      new EngineClient({ kind: 'tcp', host: '127.0.0.1', port, tls: undefined }),
    );
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sees one that came before, and leaves no stream open', async () => {
    isPaused = true;
    await streams.waitPaused('id', new AbortController().signal);
    await closed;
  });

  it('sees one that comes later', async () => {
    isPaused = false;
    const waiting = streams.waitPaused('id', new AbortController().signal);
    onInspect = () => void setImmediate(() => events?.write('{"status":"pause"}\n'));
    await waiting;
    await closed;
  });

  it('leaves no stream open when it is stopped while the engine is asked', async () => {
    isPaused = null;
    const over = new AbortController();
    onInspect = () => over.abort();
    await expect(streams.waitPaused('id', over.signal)).rejects.toThrow();
    await closed;
  });
});
