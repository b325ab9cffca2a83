import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, it, vi } from 'vitest';
import { DockerodeRuntime } from '../../../../../src/benchmark/runtime/engine/dockerode-runtime.ts';
import { FAKE_PASSPORT } from '../../../fake-runtime.ts';
import { httpEngine } from './http-engine.ts';

const server: Server = createServer(() => undefined);
const engine = httpEngine(server);
const ID = 'a'.repeat(64);

it.each([
  ['a ping', (runtime: DockerodeRuntime) => runtime.ping()],
  ['the folder of its data', (runtime: DockerodeRuntime) => runtime.dataRoot()],
  ['an image', ({ images }: DockerodeRuntime) => images.inspect('mysql:8.4')],
  ['a swarm', ({ swarm }: DockerodeRuntime) => swarm.state()],
  ['the network of a swarm', ({ networks }: DockerodeRuntime) => networks.isGatewayUsed()],
  ['a port of a service', ({ swarm }: DockerodeRuntime) => swarm.publishedPort(ID)],
  ['a container', ({ containers }: DockerodeRuntime) => containers.inspect(ID)],
])(
  'keeps no connection, which would keep the program, to an engine that never answers for %s',
  async (_, ask) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const asked = once(server, 'request');
      const answer = ask(new DockerodeRuntime('it', FAKE_PASSPORT, engine.connection())).catch(
        ({ code }: { code: string }) => code,
      );
      await asked;
      await vi.advanceTimersByTimeAsync(200_000);
      expect(await answer).toBe('ENGINE_LOST');
    } finally {
      vi.useRealTimers();
    }
    await expect
      .poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count))))
      .toBe(0);
  },
);
