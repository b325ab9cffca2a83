import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { Networks } from '../../../../../src/benchmark/runtime/engine/networks.ts';
import { Swarm } from '../../../../../src/benchmark/runtime/engine/swarm.ts';
import { httpEngine } from './http-engine.ts';

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/networks/create': { Id: 'gateway' },
  '/networks/docker_gwbridge': { Containers: { 'gateway_ingress-sbox': {} } },
};
let begun: unknown;
const engine = httpEngine(
  createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').replace(/^\/v[\d.]+|\?.*$/g, '');
      if (path === '/swarm/init') begun = await json(request);
      response.end(JSON.stringify(path === '/swarm/init' ? 'node' : (ANSWERS[path] ?? [])));
    })();
  }),
);

it('a swarm listens on this machine only', async () => {
  const client = engine.client();
  await new Swarm(client, new Networks(client), { selinux: false, noNewPrivileges: true }).init({
    own: 'label',
  });
  expect(begun).toMatchObject({
    ListenAddr: '127.0.0.1:2377',
    AdvertiseAddr: '127.0.0.1',
    Spec: { Labels: { own: 'label' } },
  });
});
