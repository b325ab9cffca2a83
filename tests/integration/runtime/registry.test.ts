import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tarOf } from '../../../src/benchmark/runtime/engine/tar.ts';
import type { Progress } from '../../../src/benchmark/runtime/container-runtime.ts';
import { sampled } from '../../helpers/tier.ts';
import { workbench, type Workbench } from './fixture.ts';
import { saying } from '../../helpers/saying.ts';

const digest = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** An image of one layer that nothing compresses, so that there is something to see of the download. */
const layerTar = await tarOf({ 'random.bin': randomBytes(3_000_000) });
const layer = gzipSync(layerTar, { level: 1 });
let config: Buffer;
let manifest: Buffer;

let bench: Workbench;
let registry: Server;
let address = '';

beforeAll(async () => {
  bench = await workbench('registry');
  config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: { Labels: bench.labels },
      rootfs: { type: 'layers', diff_ids: [digest(layerTar)] },
    }),
  );
  manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
      config: {
        mediaType: 'application/vnd.docker.container.image.v1+json',
        size: config.length,
        digest: digest(config),
      },
      layers: [
        {
          mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
          size: layer.length,
          digest: digest(layer),
        },
      ],
    }),
  );
  // Enough of the registry protocol for the engine to pull; `stuck` never gets past its first bytes.
  registry = createServer((request, response) => {
    const path = request.url ?? '';
    const send = (bytes: Buffer, type: string): void => {
      response.writeHead(200, { 'content-type': type, 'content-length': bytes.length });
      response.end(request.method === 'HEAD' ? undefined : bytes);
    };
    if (path === '/v2/') return send(Buffer.from('{}'), 'application/json');
    if (/^\/v2\/(good|stuck)\/manifests\//.test(path)) {
      response.setHeader('docker-content-digest', digest(manifest));
      return send(manifest, 'application/vnd.docker.distribution.manifest.v2+json');
    }
    if (path.endsWith(digest(config))) return send(config, 'application/octet-stream');
    if (path === `/v2/stuck/blobs/${digest(layer)}`) {
      response.writeHead(200, { 'content-length': layer.length });
      response.write(layer.subarray(0, 200_000));
      return undefined;
    }
    if (path.endsWith(digest(layer))) return send(layer, 'application/octet-stream');
    response.writeHead(404, { 'content-type': 'application/json' });
    return response.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  address = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await bench.clear();
  registry.closeAllConnections();
  registry.close();
});

const pull = (reference: string, onProgress: (progress: Progress) => void = () => undefined): Promise<void> =>
  bench.runtime.images.pull(reference, onProgress, new AbortController().signal);

describe('pulling', () => {
  it('brings an image, and tells how far it is', async () => {
    const seen: Progress[] = [];
    await pull(`${address}/good:1`, (progress) => seen.push(progress));
    const image = await bench.runtime.images.inspect(`${address}/good:1`);
    expect(image?.labels).toMatchObject(bench.labels);
    expect(seen.at(-1)?.fraction).toBe(1);
    expect(seen.map(({ detail }) => detail)).toContainEqual(saying('layers: 1 of 1, 3.0 of 3.0 MB'));
    await bench.runtime.images.probeRegistry(`${address}/good:1`);
    await bench.runtime.images.remove(image?.id ?? '');
  });

  it('stops when asked to', async () => {
    const controller = new AbortController();
    const pulling = bench.runtime.images.pull(
      `${address}/stuck:1`,
      ({ detail }) => {
        if (typeof detail === 'object' && detail.code === 'image.layersBytes') controller.abort();
      },
      controller.signal,
    );
    await expect(pulling).rejects.toMatchObject({ code: 'STOPPED' });
  });

  it('says when there is no such image', async () => {
    await expect(pull(`${address}/nothing:1`)).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
    await expect(bench.runtime.images.probeRegistry(`${address}/nothing:1`)).rejects.toMatchObject({
      code: 'IMAGE_NOT_FOUND',
    });
    await expect(pull('not an image')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });

  it.each(sampled(['127.0.0.1:9/whalemark/nothing:1', 'registry.invalid/whalemark/nothing:1'], 2))(
    'says that the registry of %s can not be reached',
    async (reference) => {
      await expect(pull(reference)).rejects.toMatchObject({
        code: 'REGISTRY_UNREACHABLE',
        params: { image: reference },
      });
      await expect(bench.runtime.images.probeRegistry(reference)).rejects.toMatchObject({
        code: 'REGISTRY_UNREACHABLE',
      });
    },
  );
});
