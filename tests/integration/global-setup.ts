import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetCache } from '../../src/benchmark/dataset/dataset-cache.ts';
import { realRuntime } from './helpers/bench.ts';

/**
 * Integration tests need the real engine and the built parts. Without them they fail; they are never skipped. All
 * of them, and the programs that they start, share datasets, which are removed at the end.
 */
export default async function (): Promise<() => Promise<void>> {
  const socketPath = (process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock').replace(/^unix:\/\//, '');
  await new Promise<void>((resolve, reject) => {
    const ping = request({ socketPath, path: '/_ping' }, (answer) => {
      answer.resume();
      if (answer.statusCode === 200) resolve();
      else reject(new Error(`the engine answers ${answer.statusCode}`));
    });
    ping.on('error', (error) =>
      reject(new Error(`Integration tests need a Docker engine (npm run setup): ${error.message}`)),
    );
    ping.end();
  });
  for (const file of ['out/main/client.cjs', 'out/cli/whalemark.cjs']) {
    if (!existsSync(file)) throw new Error(`Integration tests need the build (npm run build): no ${file}`);
  }
  const datasetDir = await mkdtemp(join(tmpdir(), 'whalemark-datasets-'));
  process.env['WHALEMARK_DATASETS'] = datasetDir;
  return async () => {
    await datasetCache(await realRuntime(), { datasetDir, appVersion: '0.0.0-test' })?.clear();
    await rm(datasetDir, { recursive: true, force: true });
  };
}
