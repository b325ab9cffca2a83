import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { Images } from '../../../../../src/benchmark/runtime/engine/images.ts';
import { httpEngine } from './http-engine.ts';

describe('asking a registry', () => {
  let answer = '';
  const engine = httpEngine(createServer((_, response) => response.writeHead(404).end(answer)));
  const probe = (reference: string) => new Images(engine.client()).probeRegistry(reference);

  it.each([
    ['Podman 4', 'Not Found\n'],
    ['Podman 5', '{"message":"the requested endpoint is not supported"}'],
  ])('is left to the pull on %s, which can’t', async (_, said) => {
    answer = said;
    await probe('mysql:8.4');
  });

  it('shows that an image doesn’t exist', async () => {
    answer = '{"message":"manifest unknown: manifest unknown"}';
    await expect(probe('mysql:nosuch')).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
  });
});
