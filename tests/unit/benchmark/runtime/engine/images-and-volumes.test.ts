import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Images } from '../../../../../src/benchmark/runtime/engine/images.ts';
import { Volumes } from '../../../../../src/benchmark/runtime/engine/volumes.ts';
import { httpEngine } from './http-engine.ts';

describe('asking a registry', () => {
  let answer = '';
  let manifest = '';
  const engine = httpEngine(
    createServer(({ url = '' }, response) => {
      const isManifest = url === '/libpod/manifests/docker.io/library/mysql:8.4/json';
      response.writeHead(404).end(isManifest ? manifest : answer);
    }),
  );
  const probe = (reference: string) => new Images(engine.client()).probeRegistry(reference);

  it.each([
    ['Podman 4', 'Not Found\n'],
    ['an engine like Docker', '{"message":"page not found"}'],
    ['Podman 5', '{"message":"the requested endpoint is not supported"}'],
  ])('is left to the pull on %s, which can’t', async (_, said) => {
    answer = said;
    manifest = said;
    await probe('mysql:8.4');
  });

  it.each([
    // Podman 5.8.6 without a network.
    [
      'reading image "docker://mysql:8.4": pinging container registry registry-1.docker.io: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io on 10.255.255.53:53: dial udp 10.255.255.53:53: connect: network is unreachable',
      'REGISTRY_UNREACHABLE',
    ],
    [
      'reading image "docker://mysql:8.4": reading manifest 8.4 in docker.io/library/mysql: manifest unknown',
      'IMAGE_NOT_FOUND',
    ],
  ])('is asking Podman for the manifest: %s', async (message, code) => {
    answer = '{"message":"Path /v1.44/distribution/mysql:8.4/json is not supported"}';
    manifest = JSON.stringify({ cause: '', message, response: 404 });
    await expect(probe('mysql:8.4')).rejects.toMatchObject({ code });
  });

  it('shows that an image doesn’t exist', async () => {
    answer = '{"message":"manifest unknown: manifest unknown"}';
    await expect(probe('mysql:nosuch')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });
});

describe('the size of a volume', () => {
  const sizes = Object.entries({ other: 1, db: 4096, unknown: -1 });
  const all = sizes.map(([Name, Size]) => ({ Name, Driver: 'local', UsageData: { RefCount: 1, Size } }));
  let answer: object = {};
  let asked = '';
  const engine = httpEngine(
    createServer((request, response) => {
      asked = request.url ?? '';
      response.end(JSON.stringify(answer));
    }),
  );

  it.each([
    ['up to API 1.51', { LayersSize: 5, Images: [], Containers: [], Volumes: all, BuildCache: [] }],
    ['since API 1.52', { VolumeUsage: { TotalVolumes: 3, TotalSize: 4097, Items: all } }],
  ])('is known %s', async (_, said) => {
    answer = said;
    const volumes = new Volumes(engine.client());
    const bytes = await Promise.all(['db', 'unknown', 'missing'].map((name) => volumes.bytes(name)));
    expect(bytes).toEqual([4096, undefined, undefined]);
    expect(asked).toBe('/system/df?type=volume&verbose=true');
  });
});
