import type { ServerSetup } from '../../../shared/model/plan.ts';
import { isTpcc, rowCount, type Workload } from '../../../shared/model/workload.ts';
import type { DatasetDraft } from '../../dataset/dataset-cache.ts';
import { datasetKey, ROW_SEED } from '../../dataset/dataset-key.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import type { Looker } from '../../dataset/volume-contents.ts';
import { prepareStorage } from '../../target/storage/storage.ts';
import type { Environment } from '../environment.ts';
import type { Cleanup } from '../cleanup.ts';
import { serverBasics, storageContext } from './container-servers.ts';
import { step, type RunContext } from '../context.ts';
import { fillDataset, finishDataset, startDatasetServer } from './dataset-server.ts';
import type { ServerImage } from './images.ts';

/**
 * The dataset of an image: an earlier run's where one is kept, unless the user wants it loaded anew; else a new one, which is
 * then kept for the next run.
 */
export async function loadDataset(
  context: RunContext,
  environment: Environment,
  setup: ServerSetup,
  image: ServerImage,
  cleanup: Cleanup,
): Promise<Dataset> {
  const { datasets, plan, runtime } = context;
  const { options } = serverBasics(context, environment, setup, image);
  const key = datasetKey({ image, options, workload: plan.workload, seed: ROW_SEED });
  const name = `dataset${environment.datasets.size + 1}`;
  const looker: Looker = {
    name: `${environment.prefix}-${name}-look`,
    image: image.id,
    labels: environment.labels('dataset'),
  };
  let dataset: Dataset | undefined;
  if (datasets !== undefined && !context.freshDataset) {
    dataset = await datasets.use(key, looker, (id) =>
      cleanup.add('container', () => runtime.removeContainer(id)),
    );
  }
  dataset ??= await load(
    context,
    environment,
    { name, setup, image, looker, draft: datasets?.draft(key) },
    cleanup,
  );
  context.hide(dataset.account.password);
  context.emit({ type: 'dataset-loaded', bytes: dataset.bytes, rows: rowCount(plan.workload) });
  return dataset;
}

interface LoadParts {
  /** Unique in the run. */
  name: string;
  setup: ServerSetup;
  image: ServerImage;
  looker: Looker;
  /** Where datasets are kept. */
  draft: DatasetDraft | undefined;
}

/**
 * Initialises a server of an image, fills the tables and shuts it down cleanly. The client is here, or beside a server
 * on an engine elsewhere.
 */
async function load(
  context: RunContext,
  environment: Environment,
  { name, setup, image, looker, draft }: LoadParts,
  cleanup: Cleanup,
): Promise<Dataset> {
  const place = storageContext(context, environment, { setup, image }, name);
  const storage = await prepareStorage(
    { kind: 'named-volume' },
    { ...place, name: draft?.name ?? place.name, labels: draft?.labels ?? environment.labels('dataset') },
  );
  cleanup.add('storage', () => (draft?.isKept === true ? Promise.resolve() : storage.dispose()));
  const server = await step(context, 'init', image.used, () =>
    startDatasetServer(context, environment, { name, setup, image, storage }, cleanup),
  );
  return step(context, 'load', image.used, async (progress) => {
    await fillDataset(context, server, (fraction) => progress({ fraction, detail: '' }));
    const dataset = await finishDataset(context, server);
    const about = `${image.used}, ${rowsOf(context.plan.workload)}`;
    const source = { image: image.used, workload: context.plan.workload };
    await draft?.keep({ datadir: dataset.datadir, account: dataset.account, about, source, looker });
    return dataset;
  });
}

/** For people. */
function rowsOf(workload: Workload): string {
  return isTpcc(workload)
    ? `tpcc with ${workload.warehouses} warehouses`
    : `${workload.tables} tables of ${workload.tableSize} rows`;
}
