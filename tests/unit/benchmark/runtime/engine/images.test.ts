import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineClient } from '../../../../../src/benchmark/runtime/engine/engine-client.ts';
import { Images } from '../../../../../src/benchmark/runtime/engine/images.ts';

describe('asking a registry', () => {
  let answer = '';
  const server = createServer((_, response) => response.writeHead(404).end(answer));
  let images: Images;
  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    images = new Images(new EngineClient({ kind: 'tcp', host: '127.0.0.1', port, tls: undefined }));
  });
  afterEach(() => server.close());

  it.each([
    ['Podman 4', 'Not Found\n'],
    ['Podman 5', '{"message":"the requested endpoint is not supported"}'],
  ])('is left to the pull on %s, which can’t', async (_, said) => {
    answer = said;
    await images.probeRegistry('mysql:8.4');
  });

  it('shows that an image doesn’t exist', async () => {
    answer = '{"message":"manifest unknown: manifest unknown"}';
    await expect(images.probeRegistry('mysql:nosuch')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });
});
