import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { beforeEach, expect, it } from 'vitest';
import { Networks } from '../../../../../src/benchmark/runtime/engine/networks.ts';
import { Swarm } from '../../../../../src/benchmark/runtime/engine/swarm.ts';
import { httpEngine } from './http-engine.ts';

const MANAGER = { LocalNodeState: 'active', ControlAvailable: true, NodeID: 'node' };
let state: Partial<typeof MANAGER>;
let begun: unknown;
let services: (response: ServerResponse) => void;
const engine = httpEngine(
  createServer((request, response) => {
    void (async () => {
      const path = (request.url ?? '').replace(/^\/v[\d.]+|\?.*$/g, '');
      if (path === '/swarm/init') begun = await json(request);
      if (path === '/services') {
        services(response);
        return;
      }
      const answers: Record<string, unknown> = {
        '/swarm/init': 'node',
        '/info': { Swarm: state },
        '/networks/create': { Id: 'gateway' },
        '/networks/docker_gwbridge': { Containers: { 'gateway_ingress-sbox': {} } },
      };
      response.end(JSON.stringify(answers[path] ?? []));
    })();
  }),
);
const swarm = () => {
  const client = engine.client();
  return new Swarm(client, new Networks(client), { selinux: false, noNewPrivileges: true });
};

beforeEach(() => {
  state = MANAGER;
});

it('a swarm listens on this machine only', async () => {
  await swarm().init({ own: 'label' });
  expect(begun).toMatchObject({
    ListenAddr: '127.0.0.1:2377',
    AdvertiseAddr: '127.0.0.1',
    Spec: { Labels: { own: 'label' } },
  });
});

const refuse = (response: ServerResponse, message: string): void => {
  response.statusCode = 503;
  response.end(JSON.stringify({ message }));
};

it('has nothing of ours when another run ends the swarm while its things are listed', async () => {
  services = (response) => {
    state = { LocalNodeState: 'inactive', ControlAvailable: false };
    refuse(response, 'This node is not a swarm manager.');
  };
  expect(await swarm().listOwned()).toEqual([]);
});

it('rejects when the engine refuses to list what its swarm has', async () => {
  services = (response) => refuse(response, 'The swarm does not have a leader.');
  await expect(swarm().listOwned()).rejects.toMatchObject({ code: 'ENGINE_REFUSED' });
});
