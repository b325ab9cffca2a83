import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario } from '../../shared/model/plan.ts';
import { type ClientKind, ensureClientImage } from '../load/client-image.ts';
import { buildProxies } from '../runtime/discovery/build-proxies.ts';
import { orFailure } from '../runtime/engine/engine-error.ts';
import { type ClientImages, type RunContext, step } from './context.ts';

export function lackingImage(kinds: readonly ClientKind[], images: ClientImages): BenchmarkError | undefined {
  const needed = kinds.map((kind) => images[kind]);
  return needed.find((image): image is BenchmarkError => image instanceof BenchmarkError);
}

/** Rejects only if the baseline's image is missing, or nothing is left. */
export async function fetchClientImages(
  context: Pick<RunContext, 'plan' | 'runtime' | 'clientImageFiles' | 'signal' | 'hide' | 'emit'>,
  scenarios: readonly Scenario[],
  kindsOf: (scenario: Scenario) => ClientKind[],
): Promise<ClientImages> {
  const { plan, runtime, signal, hide } = context;
  const images: ClientImages = {};
  for (const kind of new Set(scenarios.flatMap(kindsOf))) {
    const proxies = kind === 'sysbench' ? buildProxies(runtime.endpoint) : undefined;
    proxies?.secrets.forEach(hide);
    const spec = {
      ...{ files: context.clientImageFiles, planned: plan.clientImage?.reference },
      proxies: proxies?.arguments ?? {},
    };
    const made = step(context, kind === 'builtin' ? 'pull' : 'build', 'client', (progress) =>
      ensureClientImage(runtime, kind, spec, progress, signal),
    );
    const image = await orFailure(made);
    if (image instanceof BenchmarkError && signal.aborted) throw image;
    images[kind] = image;
  }
  const lackingOf = (scenario: Scenario): BenchmarkError | undefined =>
    lackingImage(kindsOf(scenario), images);
  const lacking = scenarios.filter((scenario) => lackingOf(scenario) !== undefined);
  const vital =
    lacking.length === scenarios.length ? lacking[0] : lacking.find(({ id }) => id === plan.baselineId);
  if (vital !== undefined) throw lackingOf(vital);
  return images;
}
