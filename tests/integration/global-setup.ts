import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetCache } from '../../src/benchmark/servers/dataset/dataset-cache.ts';
import { putComposeOnPath } from '../helpers/compose-on-path.ts';
import { realRuntime } from './helpers/bench.ts';
import { checkPrerequisites } from './helpers/prerequisites.ts';

/**
 * All integration tests, and the programs that they start, share datasets: where WHALEMARK_DATASETS says, or in a folder of
 * their own that is removed at the end.
 */
export default async function (): Promise<(() => Promise<void>) | undefined> {
  await checkPrerequisites();
  putComposeOnPath();
  if ((process.env['WHALEMARK_DATASETS'] ?? '') !== '') return undefined;
  const datasetDir = await mkdtemp(join(tmpdir(), 'whalemark-datasets-'));
  process.env['WHALEMARK_DATASETS'] = datasetDir;
  return async () => {
    await datasetCache(await realRuntime(), { datasetDir, appVersion: '0.0.0-test' })?.clear();
    await rm(datasetDir, { recursive: true, force: true });
  };
}
