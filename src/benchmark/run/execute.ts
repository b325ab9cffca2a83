import { msg } from '../../shared/message.ts';
import { BenchmarkError, type ErrorData, toErrorData } from '../../shared/errors.ts';
import { Cleanup, cleanupNotices } from '../context/cleanup.ts';
import {
  type ClientKit,
  nameOfRun,
  newPassword,
  type RunContext,
  step,
  type WholeRun,
} from '../context/context.ts';
import { TrialRunner } from './trials.ts';
import { returnsSoon } from '../runtime/engine/engine-client.ts';
import { createLabels, ROLE_LABEL } from '../runtime/labels.ts';
import { ownHost } from '../host/host-source.ts';
import { timeFlushes } from '../servers/storage/flush-meter.ts';
import { unlessStopped } from '../stop.ts';
import { fullDiskNotices } from './room.ts';
import { flushPageCache } from '../servers/helper-container.ts';
import { prepareDump } from '../tasks/dump.ts';
import { writeDump } from '../tasks/native-dump.ts';
import type { SqlFile } from '../context/own-task.ts';
import { generatedDump } from '../tasks/generated-sql.ts';
import { tryCommand } from './try-command.ts';
import { plansOn } from '../../shared/model/plan.ts';
import { taskImage } from '../../shared/model/task.ts';
import { usesSwarm } from '../../shared/kinds/paths.ts';
import { clientKinds, otherNodeKinds } from '../load/client-image.ts';
import { fetchClientImages } from '../context/client-images.ts';
import { Clients } from '../context/clients.ts';
import { checkEngine } from './engine-checks.ts';
import type { Environment } from '../context/environment.ts';
import { EngineBench, EngineBenches } from './servers/engine-bench.ts';
import { makeServers } from './servers/make-servers.ts';
import { loadDataset } from '../start/dataset-server.ts';
import { fetchServerImages } from '../start/images.ts';

/** Never rejects. */
export async function executeRun(context: WholeRun): Promise<void> {
  const { emit, plan, signal } = context;
  if (context.earlier === undefined) {
    emit({ type: 'run-started', runId: context.runId, appVersion: context.appVersion, plan });
  }
  const onStop = (): void => emit({ type: 'stop-requested' });
  signal.addEventListener('abort', onStop, { once: true });
  const cleanup = new Cleanup();
  let outcome: 'completed' | 'stopped' | 'failed' = 'completed';
  let error: ErrorData | null = null;
  try {
    const benches = await prepareBenches(context, cleanup);
    await tryCommand(context, benches);
    const isSideBySide = plan.schedule.sliceSeconds !== undefined;
    if (!isSideBySide) await timeHostFlush(context);
    const afterLoad = async (): Promise<void> => {
      await benches.flushPageCaches();
      await timeHostFlush(context);
    };
    await new TrialRunner(context, benches, isSideBySide ? afterLoad : undefined).runAll();
    for (const notice of await fullDiskNotices(await benches.rooms())) emit({ type: 'notice', notice });
  } catch (thrown) {
    outcome = signal.aborted ? 'stopped' : 'failed';
    error = signal.aborted ? null : toErrorData(thrown);
  }
  // A run that failed has waited for its engine.
  const returns = async (): Promise<boolean> => outcome === 'completed' && (await allReturn(context));
  const failed = await step(context, 'cleanup', plan.preset.id, () => cleanup.run(returns));
  signal.removeEventListener('abort', onStop);
  for (const notice of cleanupNotices(failed)) emit(notice);
  emit({ type: 'run-finished', outcome, error });
}

async function allReturn({ engines, budgets, signal }: WholeRun): Promise<boolean> {
  const back = await Promise.all(engines.map((one) => returnsSoon(one, signal, budgets.awayMs)));
  return back.every(Boolean);
}

const SCHEMA = 'sbtest';
const USER = 'whalemark';

async function prepareBenches(context: WholeRun, cleanup: Cleanup): Promise<EngineBenches> {
  let numbers = 0;
  const nextNumber = (): number => ++numbers;
  const plans = plansOn(context.plan);
  const benches: EngineBench[] = [];
  for (const [index, plan] of plans.entries()) {
    const runtime = context.engines[index];
    if (runtime === undefined) throw new Error('a plan for more engines than its run has');
    const own = { ...context, runtime, plan };
    try {
      const environment = await prepareEnvironment(own, cleanup, nextNumber);
      benches.push(new EngineBench(own, environment, plans.length > 1));
    } catch (error) {
      if (plans.length === 1 || context.signal.aborted || !(error instanceof BenchmarkError)) throw error;
      benches.push(new EngineBench(own, error));
    }
  }
  const [failed] = benches.flatMap(({ lost }) => lost ?? []);
  if (failed !== undefined && benches.every(({ lost }) => lost !== undefined)) throw failed;
  return new EngineBenches(benches);
}

/** A server's failure becomes an error in the result; only problems of all servers reject. */
async function prepareEnvironment(
  context: RunContext,
  cleanup: Cleanup,
  nextNumber: () => number,
): Promise<Environment> {
  const { plan, runtime } = context;
  const labels = (role: string): Record<string, string> =>
    createLabels({ runId: context.runId, appVersion: context.appVersion, role });
  const prefix = `whalemark-${nameOfRun(context)}`;
  const { scenarios } = plan;

  const images = await fetchServerImages(context);
  const clientImages = await fetchClientImages(context, scenarios, (scenario) =>
    clientKinds(plan.engines[0].passport, scenario),
  );
  const otherNode = context.client && {
    runtime: context.client,
    clientImages: await fetchClientImages({ ...context, runtime: context.client }, scenarios, otherNodeKinds),
  };

  await fetchTaskImage(context);

  const networkId = await runtime.networks.create(prefix, labels('network'));
  cleanup.add('network', () => runtime.networks.remove(networkId));
  const overlay = scenarios.some(({ path }) => usesSwarm(path))
    ? await prepareOverlay(context, `${prefix}-overlay`, labels('network'), cleanup)
    : undefined;

  const networks = { bridge: prefix, overlay };
  const kit: ClientKit = { runtime, clientImages, otherNode, prefix, labels, networks };
  const environment: Environment = {
    ...kit,
    servers: new Map(),
    imageLayers: new Map(),
    cleanup,
    images,
    datasets: new Map(),
    clients: new Clients(context, kit, cleanup),
    nextNumber,
    nativeData: new Map(),
    factsKnown: new Set(),
    flushesKnown: new Set(),
    account: { user: USER, password: newPassword(context), database: SCHEMA },
  };
  const [first] = images.values();
  const helper =
    first === undefined ? undefined : { runtime, name: prefix, image: first.id, labels: labels('helper') };
  environment.helper = helper;
  if (helper !== undefined) environment.bindProblem = await checkEngine(context, helper);
  for (const [requested, serverImage] of images) {
    const config = plan.configs.find((one) => one.image.requested === requested);
    if (config === undefined) continue;
    environment.datasets.set(
      requested,
      await loadDataset(context, environment, config, serverImage, cleanup),
    );
  }
  const sql = sqlOf(context);
  if (sql !== undefined && first !== undefined) {
    const place = { runtime, name: `${prefix}-dump`, image: first.id, labels: labels('dump') };
    environment.dump = await prepareDump(sql, place, cleanup, context.signal);
  }
  if (sql !== undefined && scenarios.some(({ storage }) => storage.kind === 'native')) {
    const place = { ...context, name: `${prefix}-dump`, account: environment.account };
    environment.dumpHere = await writeDump(sql, place, cleanup, context.signal);
  }
  if (plan.task === null) await makeServers(context, environment, scenarios, cleanup);
  if (helper !== undefined) await flushPageCache(helper);
  return environment;
}

async function timeHostFlush({ plan, dataDir, bindRoot, emit, signal }: WholeRun): Promise<void> {
  if (plan.engines.every(({ passport }) => passport.runtime.remote)) return;
  const flush = await unlessStopped(signal, timeFlushes(dataDir ?? bindRoot, ownHost()));
  if (flush !== undefined) emit({ type: 'host-flush', flush });
}

async function fetchTaskImage(context: RunContext): Promise<void> {
  const { plan, runtime, signal } = context;
  const image = taskImage(plan);
  if (image === undefined || (await runtime.images.inspect(image)) !== undefined) return;
  await step(context, 'pull', image, (progress) => runtime.images.pull(image, progress, signal));
}

function sqlOf({ plan: { task, workload }, own }: RunContext): readonly SqlFile[] | undefined {
  switch (task?.kind) {
    case 'import':
    case 'reset':
      return [generatedDump(workload)];
    case 'dump':
      return own?.dump;
    default:
      return undefined;
  }
}

/** Rejects if the swarm changed since the consent. */
export async function prepareOverlay(
  { runtime, plan, runId }: RunContext,
  name: string,
  labels: Record<string, string>,
  cleanup: Cleanup,
): Promise<string> {
  const isNew = (await runtime.swarm.state()).state === 'inactive';
  const consent = isNew ? 'swarm' : 'existing-swarm';
  if (!plan.consents.some((one) => one.consent === consent)) {
    throw new BenchmarkError('CONSENT_MISSING', {
      what: isNew ? msg('consent.swarmGone') : msg('consent.swarmAppeared'),
      consent,
    });
  }
  if (isNew) {
    // Leaves only a swarm that has this run's label.
    cleanup.add('swarm', () => runtime.swarm.leave(runId));
    await runtime.swarm.init({ ...labels, [ROLE_LABEL]: 'swarm' });
  }
  const id = await runtime.networks.create(name, labels, 'overlay');
  cleanup.add('network', () => runtime.networks.remove(id));
  return name;
}
