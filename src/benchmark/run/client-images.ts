import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import { type ClientKind, clientImageOf, ensureClientImage } from '../load/client-image.ts';
import { buildProxies } from '../runtime/discovery/build-proxies.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { type ClientImages, type RunContext, step } from './context.ts';

/**
 * An image that can't be had costs the scenarios that need it. Rejects with its error if the baseline needs it, or
 * everything that is left.
 */
export async function fetchClientImages(
  context: Pick<RunContext, 'plan' | 'runtime' | 'clientImageFiles' | 'signal' | 'hide' | 'emit'>,
  scenarios: readonly Scenario[],
  labels: Record<string, string>,
): Promise<ClientImages> {
  const { plan, runtime, signal, hide } = context;
  const images: ClientImages = {};
  const kindOf = (scenario: Scenario): ClientKind | undefined => clientImageOf(plan.passport, scenario);
  const kinds = new Set(scenarios.map(kindOf));
  if (plan.passport.runtime.remote) kinds.add('node');
  for (const kind of kinds) {
    if (kind === undefined) continue;
    const proxies = kind === 'sysbench' ? buildProxies(runtime.endpoint) : undefined;
    proxies?.secrets.forEach(hide);
    const spec = {
      ...{ files: context.clientImageFiles, labels, planned: plan.clientImage?.reference },
      proxies: proxies?.arguments ?? {},
    };
    try {
      images[kind] = await step(context, kind === 'node' ? 'pull' : 'build', 'client', (progress) =>
        ensureClientImage(runtime, kind, spec, progress, signal),
      );
    } catch (error) {
      if (!(error instanceof BenchmarkError) || isEngineLost(error) || signal.aborted) throw error;
      images[kind] = error;
    }
  }
  const lacking = scenarios.filter(
    (scenario) => images[kindOf(scenario) ?? 'node'] instanceof BenchmarkError,
  );
  const vital =
    lacking.length === scenarios.length ? lacking[0] : lacking.find(({ id }) => id === plan.baselineId);
  const error = vital === undefined ? undefined : images[vital.loadGenerator];
  if (error instanceof BenchmarkError) throw error;
  return images;
}
