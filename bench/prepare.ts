// How long a dataset takes to load, next to sysbench's own `prepare`, and to clone to a further storage, next to loading it
// again: by the code that a run uses.
import { createRandom, shuffled } from '../src/benchmark/random.ts';
import { cloneDataset } from '../src/benchmark/servers/dataset/clone.ts';
import type { Dataset } from '../src/benchmark/servers/dataset/dataset.ts';
import { storageContext } from '../src/benchmark/start/container-servers.ts';
import {
  fillDataset,
  finishDataset,
  startDatasetServer,
  type DatasetServer,
} from '../src/benchmark/start/dataset-server.ts';
import { prepareStorage } from '../src/benchmark/servers/storage/storage.ts';
import type { StorageKind } from '../src/shared/kinds/storages.ts';
import { realRuntime, smallPlan, temporaryHome } from '../tests/integration/helpers/bench.ts';
import { startDatasetRun, type DatasetRun } from '../tests/integration/helpers/dataset-run.ts';
import { optionsOf } from '../scripts/setup/options.mjs';
import { describeMachine } from './lib/machine.ts';
import { describeRatio, meanRatio, median } from './lib/ratio.ts';
import { printTable } from './lib/table.ts';

interface Clone {
  name: string;
  kind: StorageKind;
}

const LOAD_REACH = 0.5;
const CLONE_REACH = 0.25;
const TABLES = 4;
/** sysbench's threads, and Whalemark's. */
const THREADS = 4;
/**
 * The first one also reads the checksums of the original; the others come in random order, since later ones are slower. All
 * stay until the pair is over, as in a run.
 */
const CLONES: readonly [Clone, ...Clone[]] = [
  { name: 'clone to a first named volume', kind: 'named-volume' },
  { name: 'clone to a further named volume', kind: 'named-volume' },
  { name: 'clone to a bind mount', kind: 'bind-mount' },
  { name: 'clone to a container layer', kind: 'container-layer' },
];
const FURTHER = 'clone to a further named volume';

const { values } = optionsOf('npm run bench:prepare -- [--rows N] [--pairs N]', {
  rows: { type: 'string', default: '250000' },
  pairs: { type: 'string', default: '3' },
});
const rows = Number(values.rows);
const random = createRandom(1);
const IMAGES = {
  mysql: process.env['WHALEMARK_TEST_MYSQL_IMAGE'] ?? 'mysql:8.4',
  mariadb: process.env['WHALEMARK_TEST_MARIADB_IMAGE'] ?? 'mariadb:11.8',
};

/** Times of one pass, ms, by what was done. */
type Times = Map<string, number[]>;

function timer(times: Times) {
  return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    return result;
  };
}

type Timed = ReturnType<typeof timer>;

/** A storage with what a server on it is made of. */
async function storageFor({ context, bench, cleanup }: DatasetRun, kind: StorageKind, name: string) {
  const [config] = context.plan.configs;
  const image = config && bench.images.get(config.image.requested);
  if (config === undefined || image === undefined) throw new Error('the plan has no image');
  const place = storageContext(context, bench, { config, image }, name);
  const storage = await prepareStorage({ kind }, place);
  cleanup.add('storage', storage.dispose);
  return { config, image, place, storage };
}

/** A server with an empty schema; `options`: other ones than a load's own. */
async function startServer(
  run: DatasetRun,
  name: string,
  options?: readonly string[],
): Promise<DatasetServer> {
  const { context, bench, cleanup } = run;
  const { config, image, storage } = await storageFor(run, 'named-volume', name);
  return startDatasetServer(context, bench, { name, config, image, storage }, cleanup, options);
}

/** A container on the run's bridge in which sysbench can be run without the cost of starting one. */
async function startSysbench({ context, bench, cleanup }: DatasetRun): Promise<string> {
  const { runtime } = context;
  const id = await runtime.containers.create({
    name: `${bench.prefix}-sysbench`,
    image: String(bench.clientImages.sysbench),
    labels: bench.labels('client'),
    entrypoint: ['tail', '-f', '/dev/null'],
    network: bench.networks.bridge,
    stopTimeoutSeconds: 0,
  });
  cleanup.add('container', () => runtime.containers.remove(id));
  await runtime.containers.start(id);
  return id;
}

async function sysbenchPrepare(run: DatasetRun, client: string, server: DatasetServer): Promise<void> {
  const { user, password, database } = server.target;
  const { exitCode, stdout, stderr } = await run.context.runtime.containers.exec(client, [
    'sysbench',
    'oltp_read_write',
    `--mysql-host=${server.server.spec.name}`,
    `--mysql-user=${user}`,
    `--mysql-password=${password}`,
    `--mysql-db=${database}`,
    `--tables=${TABLES}`,
    `--table-size=${rows}`,
    `--threads=${THREADS}`,
    '--rand-type=uniform',
    'prepare',
  ]);
  if (exitCode !== 0) throw new Error(`sysbench: ${stdout}${stderr}`);
}

async function cloneTo(
  run: DatasetRun,
  dataset: Dataset,
  { name, kind }: Clone,
  timed: Timed,
): Promise<() => Promise<void>> {
  const { context, bench, cleanup } = run;
  const { image, place, storage } = await storageFor(run, kind, `clone-${kind}-${clones++}`);
  const containerId = await context.runtime.containers.create({
    name: `${place.name}-server`,
    image: image.id,
    labels: bench.labels('server'),
    ...storage.container,
    network: 'none',
  });
  cleanup.add('container', () => context.runtime.containers.remove(containerId));
  await timed(name, async () => {
    await cloneDataset(dataset, { containerId, storage, storageName: kind, helper: place }, context.signal);
  });
  return async () => {
    await context.runtime.containers.remove(containerId);
    await storage.dispose();
  };
}
let clones = 0;

async function onePair(run: DatasetRun, client: string, number: number, times: Times): Promise<void> {
  const { context } = run;
  const timed = timer(times);
  const ours = async (): Promise<void> => {
    const server = await timed('start', () => startServer(run, `ours${number}`));
    await timed('load', () => fillDataset(context, server, () => undefined));
    const [count] = await server.client.query(
      server.target,
      `SELECT ${Array.from({ length: TABLES }, (_, i) => `(SELECT COUNT(*) FROM sbtest${i + 1})`).join('+')}`,
      context.signal,
    );
    if (Number(count?.[0]) !== TABLES * rows) throw new Error(`${String(count?.[0])} rows were loaded`);
    const dataset = await timed('shutdown', () => finishDataset(context, server));
    const removals: (() => Promise<void>)[] = [];
    const [first, ...others] = CLONES;
    for (const clone of [first, ...shuffled(others, random)]) {
      removals.push(await cloneTo(run, dataset, clone, timed));
    }
    for (const remove of removals) await remove();
    await context.runtime.containers.remove(server.server.containerId);
    await server.storage.dispose();
  };
  const theirs = async (name: string, options?: readonly string[]): Promise<void> => {
    const server = await startServer(run, `sysbench${name}${number}`, options);
    await timed(`sysbench${name}`, () => sysbenchPrepare(run, client, server));
    await finishDataset(context, server);
    await context.runtime.containers.remove(server.server.containerId);
    await server.storage.dispose();
  };
  const steps = [ours, () => theirs(''), () => theirs('-plan', [])];
  // The order rotates, so that each is first as often.
  for (let i = 0; i < steps.length; i++) await steps[(i + number) % steps.length]?.();
}

function report(flavor: string, times: Times): boolean {
  const of = (name: string): number[] => times.get(name) ?? [];
  const seconds = (all: readonly number[]): string => (median(all) / 1000).toFixed(2);
  const sum = (a: number[], b: number[]): number[] => a.map((ms, i) => ms + (b[i] ?? 0));
  const load = of('load');
  const theirs = of('sysbench');
  const clone = of(FURTHER);
  // A further storage has no server yet: loading it again begins with one and ends with its shutdown.
  const again = sum(of('start'), sum(load, of('shutdown')));

  console.log(`\n### ${flavor}: ${TABLES} × ${rows} rows, ${load.length} pairs\n`);
  printTable([
    ['step', 'median, s'],
    ['start of an empty server', seconds(of('start'))],
    ['**our load**', seconds(load)],
    ['sysbench prepare, same options', seconds(theirs)],
    ["sysbench prepare, the plan's options", seconds(of('sysbench-plan'))],
    ...CLONES.map(({ name }) => [name, seconds(of(name))]),
  ]);
  const ratio = meanRatio(load, theirs);
  const cloneRatio = meanRatio(clone, again);
  console.log();
  printTable([
    ['figure', 'here', 'reach'],
    ['our load / sysbench prepare, same options', describeRatio(load, theirs), `≤ ${LOAD_REACH}`],
    ["our load / sysbench prepare, the plan's options", describeRatio(load, of('sysbench-plan')), ''],
    [`${FURTHER} / loading it again`, describeRatio(clone, again), `≤ ${CLONE_REACH}`],
    ...CLONES.filter(({ name }) => name !== FURTHER).map(({ name }) => [
      `${name} / loading it again`,
      describeRatio(of(name), again),
      '',
    ]),
    [`${FURTHER} / filling the tables alone`, describeRatio(clone, load), ''],
  ]);
  return ratio <= LOAD_REACH && cloneRatio <= CLONE_REACH;
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const home = await temporaryHome();
let reached = true;
try {
  console.log(describeMachine());
  const runtime = await realRuntime();
  for (const [flavor, image] of Object.entries(IMAGES)) {
    const plan = await smallPlan(runtime, {
      server: { image },
      workload: { tables: TABLES, tableSize: rows },
      grid: { storages: ['named-volume'], paths: ['published-port'] },
    });
    const times: Times = new Map();
    const run = await startDatasetRun(plan, runtime, home.dataDir, stop.signal);
    try {
      const client = await startSysbench(run);
      for (let pair = 0; pair < Number(values.pairs); pair++) await onePair(run, client, pair, times);
    } finally {
      for (const error of await run.cleanup.run()) console.error(error.message);
    }
    reached = report(flavor, times) && reached;
  }
} finally {
  await home.remove();
}
process.exitCode = reached ? 0 : 1;
