import { expect, it } from 'vitest';
import { buildProxies } from '../../../../../src/benchmark/runtime/discovery/build-proxies.ts';
import { thisMachine } from '../../../../../src/benchmark/runtime/discovery/surroundings.ts';

const PROXIES = {
  default: { httpProxy: 'http://me:s3cret@proxy.example:3128', noProxy: 'localhost', other: 1 },
  'tcp://far.example:2376': { httpsProxy: 'http://far-proxy.example' },
  'unix:///mine.sock': { allProxy: 'socks5://127.0.0.1:1080' },
};
const of = (endpoint: string, config: string) =>
  buildProxies(endpoint, { ...thisMachine(), readText: () => config });

it.each([
  [
    '/var/run/docker.sock',
    {
      HTTP_PROXY: PROXIES.default.httpProxy,
      http_proxy: PROXIES.default.httpProxy,
      NO_PROXY: 'localhost',
      no_proxy: 'localhost',
    },
  ],
  ['far.example:2376', { HTTPS_PROXY: 'http://far-proxy.example', https_proxy: 'http://far-proxy.example' }],
  ['/mine.sock', { ALL_PROXY: 'socks5://127.0.0.1:1080', all_proxy: 'socks5://127.0.0.1:1080' }],
])('gives the engine at %s its own proxies, or else the default ones', (endpoint, expected) => {
  expect(of(endpoint, JSON.stringify({ proxies: PROXIES })).arguments).toEqual(expected);
});

it('hides proxies, hosts, and passwords, and not what needs none', () => {
  const { secrets } = of('/any.sock', JSON.stringify({ proxies: PROXIES }));
  expect(secrets).toEqual([PROXIES.default.httpProxy, 'proxy.example:3128', 's3cret']);
});

it.each(['', '{', '{"proxies": "none"}', '{"currentContext": 1}'])('finds none in %j', (config) => {
  expect(of('/any.sock', config)).toEqual({ arguments: {}, secrets: [] });
});
