import { BenchmarkError } from '../../../shared/errors.ts';
import { PATHS } from '../../../shared/kinds/paths.ts';
import { isContainerStorage } from '../../../shared/kinds/storages.ts';
import { configOf, type Scenario, type ServerConfig } from '../../../shared/model/plan.ts';
import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { CLONES_AT_ONCE } from '../../servers/dataset/clone.ts';
import type { Dataset } from '../../servers/dataset/dataset.ts';
import { makeContainerServer } from '../../start/container-servers.ts';
import { makeIngressServer } from '../../start/ingress-server.ts';
import { makeNativeServer } from '../../start/native-servers.ts';
import { allOf } from '../../stop.ts';
import type { TargetServer } from '../../servers/target-server.ts';
import type { Cleanup } from '../../context/cleanup.ts';
import type { RunContext } from '../../context/context.ts';
import type { Environment, ServerImage } from '../../context/environment.ts';

export async function makeServers(
  context: RunContext,
  environment: Environment,
  scenarios: readonly Scenario[],
  cleanup: Cleanup,
): Promise<void> {
  const { clients, servers } = environment;
  const possible = scenarios.filter((one) => clients.lacking(one) === undefined);
  const toMake = [...new Map(possible.map((one) => [one.serverId, one])).values()];
  // A native server's repeat copies its data.
  const lastOnes = toMake.filter(({ isAaRepeat }) => isAaRepeat);
  // Servers with their own data take the longest.
  const firstOnes = toMake
    .filter((one) => !lastOnes.includes(one))
    .sort((a, b) => Number(isContainerStorage(a.storage.kind)) - Number(isContainerStorage(b.storage.kind)));
  for (const left of [firstOnes, lastOnes]) {
    const workers = Array.from({ length: CLONES_AT_ONCE }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        servers.set(next.serverId, await makeServer(context, environment, next, cleanup));
      }
    });
    await allOf(workers);
  }
}

export async function makeServer(
  context: RunContext,
  environment: Environment,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer | BenchmarkError> {
  const config = configOf(context.plan, scenario);
  try {
    const { kind } = scenario.storage;
    if (kind === 'native') return await makeNativeServer(context, environment, config, scenario, cleanup);
    const { bindProblem } = environment;
    if (kind === 'bind-mount' && bindProblem !== undefined) return bindProblem;
    const parts = { config, scenario, ...imageAndDataset(environment, config) };
    return PATHS[scenario.path].attach === 'ingress'
      ? await makeIngressServer(context, environment, parts, cleanup)
      : await makeContainerServer(context, environment, parts, cleanup);
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
