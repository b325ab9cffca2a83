import { BenchmarkError } from '../../shared/errors.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { clientKinds, ensureClientImage } from '../load/client-image.ts';
import { buildProxies } from '../runtime/discovery/build-proxies.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { type ClientImages, type RunContext, step } from './context.ts';

export function lackingImage(
  { passport }: Pick<Plan, 'passport'>,
  scenario: Scenario,
  images: ClientImages,
): BenchmarkError | undefined {
  const needed = clientKinds(passport, scenario).map((kind) => images[kind]);
  return needed.find((image): image is BenchmarkError => image instanceof BenchmarkError);
}

/** A missing image costs its scenarios. Rejects if the baseline is one, or nothing is left. */
export async function fetchClientImages(
  context: Pick<RunContext, 'plan' | 'runtime' | 'clientImageFiles' | 'signal' | 'hide' | 'emit'>,
  scenarios: readonly Scenario[],
): Promise<ClientImages> {
  const { plan, runtime, signal, hide } = context;
  const images: ClientImages = {};
  for (const kind of new Set(scenarios.flatMap((scenario) => clientKinds(plan.passport, scenario)))) {
    const proxies = kind === 'sysbench' ? buildProxies(runtime.endpoint) : undefined;
    proxies?.secrets.forEach(hide);
    const spec = {
      ...{ files: context.clientImageFiles, planned: plan.clientImage?.reference },
      proxies: proxies?.arguments ?? {},
    };
    try {
      images[kind] = await step(context, kind === 'builtin' ? 'pull' : 'build', 'client', (progress) =>
        ensureClientImage(runtime, kind, spec, progress, signal),
      );
    } catch (error) {
      if (!(error instanceof BenchmarkError) || isEngineLost(error) || signal.aborted) throw error;
      images[kind] = error;
    }
  }
  const lacking = scenarios.filter((scenario) => lackingImage(plan, scenario, images) !== undefined);
  const vital =
    lacking.length === scenarios.length ? lacking[0] : lacking.find(({ id }) => id === plan.baselineId);
  if (vital !== undefined) throw lackingImage(plan, vital, images);
  return images;
}
