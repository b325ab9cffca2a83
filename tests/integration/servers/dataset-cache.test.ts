import { afterEach, beforeEach, expect, it } from 'vitest';
import { DatasetCache, type DatasetDraft } from '../../../src/benchmark/servers/dataset/dataset-cache.ts';
import { DATASET_LOADER_LABEL } from '../../../src/benchmark/runtime/labels.ts';
import { sweepLeftovers } from '../../../src/benchmark/runtime/sweep.ts';
import { workloadSchema } from '../../../src/shared/model/workload.ts';
import { sampled } from '../../helpers/tier.ts';
import { temporaryHome } from '../helpers/bench.ts';
import { IMAGE, workbench, type Workbench } from '../runtime/fixture.ts';

const KEY = 'c'.repeat(32);
const DATADIR = '/var/lib/mysql';
const ACCOUNT = { user: 'whalemark', password: 'secret', database: 'sbtest' };
const SOURCE = { image: IMAGE, workload: workloadSchema.parse({}) };

let bench: Workbench;
let home: Awaited<ReturnType<typeof temporaryHome>>;
let cache: DatasetCache;
let serial = 0;

beforeEach(async () => {
  bench = await workbench('dataset-cache');
  home = await temporaryHome();
  cache = new DatasetCache({ runtime: bench.runtime, directory: home.dataDir, appVersion: '0.0.0' });
});
afterEach(async () => {
  await bench.clear();
  await cache.clear();
  for (const { name } of await drafts()) await bench.runtime.volumes.remove(name);
  await home.remove();
});

const looker = () => ({ name: bench.name(`look-${++serial}`), image: IMAGE, labels: bench.labels });
const made: string[] = [];
const drafts = async () =>
  (await bench.runtime.volumes.list(DATASET_LOADER_LABEL)).filter(({ name }) => made.includes(name));
const exists = async (name: string): Promise<boolean> =>
  (await drafts()).some((volume) => volume.name === name);

/** Runs a shell script in a volume and waits for its end. */
async function write(volume: string, script: string): Promise<void> {
  const id = await bench.shell(`write-${++serial}`, `cd ${DATADIR} && ${script}`, {
    mounts: [{ type: 'volume', source: volume, target: DATADIR }],
  });
  await bench.runtime.containers.start(id);
  expect(await bench.runtime.containers.wait(id)).toBe(0);
  await bench.runtime.containers.remove(id);
}

async function loaded(labels: Record<string, string> = {}): Promise<DatasetDraft> {
  const draft = cache.draft(KEY);
  made.push(draft.name);
  await bench.runtime.volumes.create(draft.name, { ...draft.labels, ...labels });
  await write(draft.name, 'mkdir sbtest && seq 100000 > sbtest/sbtest1.ibd && echo redo > ib_redo');
  return draft;
}

const keep = (draft: DatasetDraft): Promise<boolean> =>
  draft.keep({ datadir: DATADIR, account: ACCOUNT, source: SOURCE, looker: looker() });

it('keeps the files of a dataset over the end of a run and gives them to the next, read-only', async () => {
  const { runtime } = bench;
  const draft = await loaded();
  expect(await keep(draft)).toBe(true);
  // A sweep after the run takes everything of the run, but not the dataset.
  await sweepLeftovers(runtime, { runId: bench.labels['io.whalemark.run'] ?? '' });
  await sweepLeftovers(runtime);

  const used = await cache.use(KEY, looker(), () => undefined);
  expect(used).toMatchObject({ datadir: DATADIR, account: ACCOUNT });
  expect(used?.bytes).toBeGreaterThan(500_000);
  const chunks: Buffer[] = [];
  for await (const chunk of await runtime.containers.getArchive(used?.containerId ?? '', DATADIR))
    chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString('latin1')).toContain('99999\n100000\n');
  expect(await cache.list()).toEqual([expect.objectContaining({ volume: draft.name, bytes: used?.bytes })]);
});

const DAMAGES: [what: string, script: string][] = [
  ['a file of the same size written anew', 'seq 100000 > sbtest/sbtest1.ibd'],
  ['a byte more', 'echo >> sbtest/sbtest1.ibd'],
  ['a file more', 'touch sbtest/sbtest2.ibd'],
  ['a file less', 'rm ib_redo'],
  ['nothing left', 'rm -r sbtest ib_redo'],
];
it.each(sampled(DAMAGES, 3))('is dropped when somebody wrote into its volume: %s', async (_, script) => {
  const draft = await loaded();
  await keep(draft);
  await write(draft.name, script);
  expect(await cache.use(KEY, looker(), () => undefined)).toBeUndefined();
  expect(await exists(draft.name)).toBe(false);
});
