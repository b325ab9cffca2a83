import { msg } from '../../shared/message.ts';
import { BenchmarkError, type ErrorData, toErrorData } from '../../shared/errors.ts';
import { Cleanup, cleanupNotice } from './cleanup.ts';
import { type ClientKit, nameOfRun, newPassword, type RunContext, scenariosLeft, step } from './context.ts';
import { TrialRunner } from './trials.ts';
import { configOf, type Scenario, type ServerConfig } from '../../shared/model/plan.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { CLONES_AT_ONCE } from '../servers/dataset/clone.ts';
import type { Dataset } from '../servers/dataset/dataset.ts';
import { createLabels, ROLE_LABEL } from '../runtime/labels.ts';
import { flushPageCache } from '../servers/helper-container.ts';
import { isContainerStorage } from '../../shared/kinds/storages.ts';
import { PATHS, usesSwarm } from '../../shared/kinds/paths.ts';
import type { TargetServer } from '../servers/target-server.ts';
import { fetchClientImages } from './client-images.ts';
import { Clients } from './clients.ts';
import type { Environment } from './environment.ts';
import { makeContainerServer } from '../servers/start/container-servers.ts';
import { loadDataset } from '../servers/start/dataset-server.ts';
import { makeExternalServer } from '../servers/start/external-server.ts';
import { fetchServerImages, type ServerImage } from '../servers/start/images.ts';
import { makeIngressServer } from '../servers/start/ingress-server.ts';
import { makeNativeServer } from '../servers/start/native-servers.ts';

/** Executes a plan and emits events; of a continued run only what is left. Never rejects. */
export async function executeRun(context: RunContext): Promise<void> {
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
    const environment = await prepareEnvironment(context, cleanup);
    await new TrialRunner(context, environment).runAll();
  } catch (thrown) {
    outcome = signal.aborted ? 'stopped' : 'failed';
    error = signal.aborted ? null : toErrorData(thrown);
  }
  signal.removeEventListener('abort', onStop);
  const leftovers = await step(context, 'cleanup', plan.preset.id, () => cleanup.run());
  for (const left of leftovers) emit(cleanupNotice(left));
  emit({ type: 'run-finished', outcome, error });
}

const SCHEMA = 'sbtest';
const USER = 'whalemark';

/**
 * Fetches images, creates networks, loads each dataset once, and clones it to every storage. Registers everything
 * with `cleanup` at once. A server that fails becomes an error in the result; only problems of all servers reject.
 */
async function prepareEnvironment(context: RunContext, cleanup: Cleanup): Promise<Environment> {
  const { plan, runtime } = context;
  const labels = (role: string): Record<string, string> =>
    createLabels({ runId: context.runId, appVersion: context.appVersion, role });
  const prefix = `whalemark-${nameOfRun(context)}`;
  const scenarios = scenariosLeft(context);

  const images = await fetchServerImages(context);
  const clientImages = await fetchClientImages(context, scenarios);

  const networkId = await runtime.networks.create(prefix, labels('network'));
  cleanup.add('network', () => runtime.networks.remove(networkId));
  const overlay = scenarios.some(({ path }) => usesSwarm(path))
    ? await prepareOverlay(context, `${prefix}-overlay`, labels('network'), cleanup)
    : undefined;

  const kit: ClientKit = { clientImages, prefix, labels, networks: { bridge: prefix, overlay } };
  let numbers = 0;
  const environment: Environment = {
    ...kit,
    servers: new Map(),
    images,
    datasets: new Map(),
    clients: new Clients(context, kit, cleanup),
    nextNumber: () => ++numbers,
    nativeData: new Map(),
    factsKnown: new Set(),
    account: { user: USER, password: newPassword(context), database: SCHEMA },
  };
  for (const [requested, serverImage] of images) {
    const config = plan.configs.find((one) => one.image.requested === requested);
    if (config === undefined) continue;
    environment.datasets.set(
      requested,
      await loadDataset(context, environment, config, serverImage, cleanup),
    );
  }
  await makeServers(context, environment, scenarios, cleanup);
  const [first] = images.values();
  if (first !== undefined) {
    await flushPageCache({ runtime, name: prefix, image: first.id, labels: labels('helper') });
  }
  return environment;
}

async function makeServers(
  context: RunContext,
  environment: Environment,
  scenarios: readonly Scenario[],
  cleanup: Cleanup,
): Promise<void> {
  const { clients, servers } = environment;
  const possible = scenarios.filter((one) => clients.lacking(one) === undefined);
  const toMake = [...new Map(possible.map((one) => [one.serverId, one])).values()];
  // A repeat of a native server copies what that has loaded.
  const lastOnes = toMake.filter(({ isAaRepeat }) => isAaRepeat);
  // Those that load their own data take the longest.
  const firstOnes = toMake
    .filter((one) => !lastOnes.includes(one))
    .sort((a, b) => Number(isContainerStorage(a.storage.kind)) - Number(isContainerStorage(b.storage.kind)));
  for (const left of [firstOnes, lastOnes]) {
    const workers = Array.from({ length: CLONES_AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        servers.set(next.serverId, await makeServer(context, environment, next, cleanup));
      }
    });
    // All have ended before anything is cleaned up.
    for (const result of await Promise.allSettled(workers)) {
      if (result.status === 'rejected') throw result.reason;
    }
  }
}

async function makeServer(
  context: RunContext,
  environment: Environment,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer | BenchmarkError> {
  const config = configOf(context.plan, scenario);
  try {
    switch (scenario.storage.kind) {
      case 'native':
        return await makeNativeServer(context, environment, config, scenario, cleanup);
      case 'external':
        return await makeExternalServer(context, environment, config, scenario, cleanup);
      default: {
        const parts = { config, scenario, ...imageAndDataset(environment, config) };
        return PATHS[scenario.path].attach === 'ingress'
          ? await makeIngressServer(context, environment, parts, cleanup)
          : await makeContainerServer(context, environment, parts, cleanup);
      }
    }
  } catch (error) {
    if (isEngineLost(error) || context.signal.aborted || !(error instanceof BenchmarkError)) throw error;
    return error;
  }
}

function imageAndDataset(
  environment: Environment,
  config: ServerConfig,
): { image: ServerImage; dataset: Dataset } {
  const image = environment.images.get(config.image.requested);
  const dataset = environment.datasets.get(config.image.requested);
  if (image === undefined || dataset === undefined) {
    throw new Error(`nothing was prepared for ${config.image.requested}`);
  }
  return { image, dataset };
}

/** Creates the run's overlay, and a swarm if there is none. Rejects if the swarm changed since the consent. */
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
    // Leaves only a swarm labeled with this run, so also safe after a failed start.
    cleanup.add('swarm', () => runtime.swarm.leave(runId));
    await runtime.swarm.init({ ...labels, [ROLE_LABEL]: 'swarm' });
  }
  const id = await runtime.networks.create(name, labels, 'overlay');
  cleanup.add('network', () => runtime.networks.remove(id));
  return name;
}
