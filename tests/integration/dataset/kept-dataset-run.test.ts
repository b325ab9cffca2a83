import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { datasetCache } from '../../../src/benchmark/dataset/dataset-cache.ts';
import type { ContainerRuntime } from '../../../src/benchmark/runtime/container-runtime.ts';
import { DATASET_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sampled } from '../../helpers/tier.ts';
import { leftOf, realRuntime, runPlan, smallPlan, temporaryHome } from '../helpers/bench.ts';

let runtime: ContainerRuntime;
let home: Awaited<ReturnType<typeof temporaryHome>>;
let datasetDir: string;

beforeEach(async () => {
  runtime = await realRuntime();
  home = await temporaryHome();
  datasetDir = join(home.dataDir, 'datasets');
});
afterEach(async () => {
  await datasetCache(runtime, { datasetDir, appVersion: '0.0.0-test' })?.clear();
  await home.remove();
});

/** What Whalemark's cache has on the engine. */
async function kept(): Promise<string[]> {
  const names = (await readdir(datasetDir).catch(() => [])).map((name) => name.replace(/\.json$/, ''));
  return (await runtime.volumes.list(DATASET_LABEL))
    .map(({ name }) => name)
    .filter((name) => names.includes(name));
}

async function run(image: string, options: { freshDataset?: boolean; connections?: number } = {}) {
  const plan = await smallPlan(runtime, {
    server: { image, settings: { bufferPool: 64, redoLogMiB: 64 } },
    connections: options.connections ?? 4,
    // Another seed draws another order and other ids, but no other rows.
    seed: Math.floor(Math.random() * 1e9),
    grid: { storages: ['named-volume'], paths: ['published-port'] },
    schedule: { rounds: 1, warmupSeconds: 0, durationSeconds: 1 },
  });
  const { freshDataset = false } = options;
  const { state, journalPath } = await runPlan(plan, runtime, home.dataDir, { datasetDir, freshDataset });
  expect(state.error).toBeNull();
  expect(state.trials.map(({ status }) => status)).toEqual(['measured']);
  expect(await leftOf(runtime, state.runId)).toEqual([]);
  const kinds = state.steps.map(({ kind }) => kind);
  return { loaded: kinds.includes('init'), bytes: state.dataset?.bytes, journalPath };
}

it.each(sampled(['mariadb:11.8', 'mysql:8.4'], 2))(
  '%s: what one run has loaded serves the next',
  async (image) => {
    const first = await run(image);
    expect(first.loaded).toBe(true);
    const volumes = await kept();
    expect(volumes).toHaveLength(1);

    // The load of the first run's trials went into its clones only.
    const second = await run(image, { connections: 2 });
    expect(second.loaded).toBe(false);
    expect(second.bytes).toBeGreaterThan(10 * 2 ** 20);
    expect(await kept()).toEqual(volumes);

    const fresh = await run(image, { freshDataset: true });
    expect(fresh.loaded).toBe(true);
    expect(await kept()).toHaveLength(1);
    expect(await kept()).not.toEqual(volumes);

    // The password inside is nowhere but in the record.
    const [record = ''] = await readdir(datasetDir);
    const { account } = JSON.parse(await readFile(join(datasetDir, record), 'utf8')) as {
      account: { password: string };
    };
    for (const { journalPath } of [first, second, fresh]) {
      for (const file of await readdir(dirname(journalPath))) {
        const text = await readFile(join(dirname(journalPath), file), 'utf8');
        expect(text).not.toContain(account.password);
      }
    }
  },
);
