import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Containers } from '../../../../../src/benchmark/runtime/engine/containers.ts';
import { Images } from '../../../../../src/benchmark/runtime/engine/images.ts';
import { Volumes } from '../../../../../src/benchmark/runtime/engine/volumes.ts';
import { httpEngine } from './http-engine.ts';

const FOLDER = join(import.meta.dirname, '../../../../fixtures/runtimes');
const engines = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('/df.json'))
  .map((name) => name.replace('/df.json', ''));

/** As tests/engines made them: a MariaDB image, and a container of it with a volume and a published port. */
describe.each(engines)('the answers of %s', (name) => {
  const engine = httpEngine(
    createServer(({ url = '' }, response) => {
      const [file] = ['images', 'containers', 'df'].filter((one) => url.includes(`/${one}`));
      const answer = readFileSync(join(FOLDER, name, `${file?.replace(/s$/, '')}.json`));
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    }),
  );

  it('tell what an image is', async () => {
    const image = await new Images(engine.client()).inspect('it');
    expect(image).toMatchObject({
      id: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      architecture: 'amd64',
    });
    expect(image?.references.join()).toContain('mariadb');
    expect(image?.env['MARIADB_VERSION']).toMatch(/\d+\.\d+/);
    expect(image?.bytes).toBeGreaterThan(1_000_000);
  });

  it('tell how a container runs, and where', async () => {
    const containers = new Containers(engine.client(), { selinux: false });
    const state = await containers.inspect('it');
    expect(state).toMatchObject({ running: true, paused: false, exitCode: null, oomKilled: false });
    expect(state.ports[3306]).toBeGreaterThan(0);
    expect(Object.values(state.addresses)).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/)]);
    const examined = await containers.examine('it');
    expect(examined?.Mounts).toMatchObject([{ Type: 'volume', Destination: '/var/lib/mysql' }]);
  });

  it('tell the size of a volume', async () => {
    expect(await new Volumes(engine.client()).bytes('recorded')).toBeGreaterThan(0);
  });
});
