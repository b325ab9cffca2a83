import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { apiVersionsOf } from '../../../../../src/benchmark/runtime/engine/api-version.ts';
import { ContainerStreams } from '../../../../../src/benchmark/runtime/engine/container-streams.ts';
import { EngineClient } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';
import { httpEngine } from './http-engine.ts';

let asked: string[] = [];
const engine = httpEngine(
  createServer(({ url = '' }, response) => {
    asked.push(url.replace(/\?.*/, ''));
    response.end('[]');
  }).on('upgrade', ({ url = '' }, socket) => {
    asked.push(url.replace(/\?.*/, ''));
    socket.end('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n');
  }),
);

it.each([
  ['Docker 20.10', '1.41', '1.12', '/v1.41'],
  ['Docker 28', '1.51', '1.24', '/v1.44'],
  ['Docker 29', '1.56', '1.44', '/v1.44'],
  ['an engine that has forgotten it', '1.70', '1.52', '/v1.52'],
  ['Podman 4', '1.41', '1.24', '/v1.41'],
  ['an engine that does not tell', '', '', ''],
])('all requests speak the known API, or what %s has instead', async (_, ApiVersion, MinAPIVersion, path) => {
  asked = [];
  const client = new EngineClient(engine.connection(), apiVersionsOf({ ApiVersion, MinAPIVersion }));
  await client.docker.listContainers();
  const { ended } = await new ContainerStreams(client).attach('id');
  await ended;
  expect(asked).toEqual([`${path}/containers/json`, `${path}/containers/id/attach`]);
});
