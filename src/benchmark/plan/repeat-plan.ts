import { existsSync } from 'node:fs';
import { msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import { excludedScenarioSchema, type Plan } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { presetOfPlan, type RepeatedPreset } from '../../shared/preset/preset-of-plan.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { makePlan, type PlanRequest } from './plan.ts';

/**
 * The preset of a finished run for this engine: with the same image if present, otherwise the requested one; without
 * folders and programs that are missing here. Rejects with RESULT_NOT_REPEATABLE.
 */
export async function repeatedPreset(plan: Plan, runtime: ContainerRuntime): Promise<RepeatedPreset> {
  const here = new Set<string>();
  for (const { image } of plan.setups) {
    if (image.substituted && (await runtime.images.inspect(image.used)) !== undefined) here.add(image.used);
  }
  const repeated = presetOfPlan(plan, {
    imageOf: ({ requested, used }) => (here.has(used) ? used : requested),
    hasPath: existsSync,
  });
  if (repeated === undefined) throw new BenchmarkError('RESULT_NOT_REPEATABLE', { name: plan.preset.name });
  return repeated;
}

/** Redacted values count as not possible here. */
export async function repeatPlan(
  stored: Plan,
  { preset, leftOut }: { preset: Preset; leftOut: RepeatedPreset['leftOut'] },
  request: Omit<PlanRequest, 'preset' | 'mode' | 'imageNamedByUser'>,
): Promise<Plan> {
  const plan = await makePlan({ ...request, preset, mode: stored.mode, imageNamedByUser: false });
  const ids = new Set(plan.scenarios.map(({ id }) => id));
  const { reference } = stored;
  return {
    ...plan,
    excluded: [
      ...plan.excluded,
      ...leftOut.map((scenario) =>
        excludedScenarioSchema.parse({
          ...scenario,
          reason: msg('plan.takenOut'),
        }),
      ),
    ],
    // The first run's published numbers.
    reference:
      reference === null
        ? null
        : { ...reference, cells: reference.cells.filter(({ scenarioId }) => ids.has(scenarioId)) },
  };
}
