import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * All runs of one test run share the datasets that they load, in the folder of
 * WHALEMARK_DATASETS if it is set, which its maker empties, otherwise in one that is removed at the end.
 */
export default function shareDatasets(): (() => Promise<void>) | undefined {
  if ((process.env['WHALEMARK_DATASETS'] ?? '') !== '') return undefined;
  const datasetDir = mkdtempSync(join(tmpdir(), 'whalemark-datasets-'));
  process.env['WHALEMARK_DATASETS'] = datasetDir;
  return async () => {
    // Tests without an engine leave none.
    if (readdirSync(datasetDir).length > 0) {
      const { datasetCache } = await import('../../../src/benchmark/servers/dataset/dataset-cache.ts');
      const { realRuntime } = await import('../../integration/helpers/bench.ts');
      await datasetCache(await realRuntime(), { datasetDir, appVersion: '0.0.0-test' })?.clear();
    }
    rmSync(datasetDir, { recursive: true, force: true });
  };
}
