import { BenchmarkError, errorMessage } from '../../shared/errors.ts';
import type { Message } from '../../shared/message.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { PresetScenario } from '../../shared/model/preset.ts';
import { type ClientKind, clientKinds, otherNodeKinds, planClientImage } from '../load/client-image.ts';
import type { ContainerRuntime, Engines } from '../runtime/container-runtime.ts';
import { orFailure } from '../runtime/engine/engine-error.ts';

interface NeededImage {
  engine: ContainerRuntime;
  kind: ClientKind;
}

interface ClientNeeds extends Pick<Engines, 'client'> {
  runtime: ContainerRuntime;
  clientImageFiles: Record<string, string>;
}

interface PlannedClients {
  image: Plan['clientImage'];
  toPrepare: Plan['toPrepare'];
  missing(scenario: PresetScenario): Message | undefined;
}

/** An image that can't be had excludes its scenarios. */
export async function planClients(
  { runtime, client, clientImageFiles }: ClientNeeds,
  scenarios: PresetScenario[],
): Promise<PlannedClients> {
  const neededBy = (scenario: PresetScenario): NeededImage[] => [
    ...clientKinds(runtime.passport, scenario).map((kind) => ({ engine: runtime, kind })),
    ...otherNodeKinds(scenario).flatMap((kind) => (client === undefined ? [] : { engine: client, kind })),
  ];
  const keyOf = ({ engine, kind }: NeededImage): string => `${engine.id} ${kind}`;
  const toPrepare = new Map<string, Plan['toPrepare'][number]>();
  const failures = new Map<string, BenchmarkError>();
  let image: Plan['clientImage'] = null;
  const needed = new Map(scenarios.flatMap(neededBy).map((one) => [keyOf(one), one]));
  for (const [key, { engine, kind }] of needed) {
    const planned = await orFailure(planClientImage(engine, kind, clientImageFiles));
    if (planned instanceof BenchmarkError) {
      failures.set(key, planned);
      continue;
    }
    image = { reference: planned.reference, reason: planned.reason };
    for (const one of planned.toPrepare) toPrepare.set(one.reference, one);
  }
  return {
    image,
    toPrepare: [...toPrepare.values()],
    missing: (scenario) => {
      const [failure] = neededBy(scenario).flatMap((one) => failures.get(keyOf(one)) ?? []);
      return failure === undefined ? undefined : errorMessage(failure.toData());
    },
  };
}
