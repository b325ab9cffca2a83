import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { BenchmarkError } from '../../shared/errors.ts';
import { msg } from '../../shared/message.ts';
import { excludedScenarioSchema, type Plan } from '../../shared/model/plan.ts';
import { resolvedPreset } from '../../shared/model/preset.ts';
import { isOwnTask } from '../../shared/model/task.ts';
import { presetOfPlan, type RepeatedPreset } from '../../shared/preset/preset-of-plan.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { makePlan, type PlanRequest } from './plan.ts';

type RepeatRequest = Omit<PlanRequest, 'resolved' | 'mode' | 'imageNamedByUser'>;

/** Rejects like `makePlan` and `repeatedPreset`, and with TASK_UNKNOWN for the user's task. */
export async function repeatPlan(stored: Plan, request: RepeatRequest): Promise<Plan> {
  if (isOwnTask(stored)) throw new BenchmarkError('TASK_UNKNOWN');
  const { preset, leftOut } = await repeatedPreset(stored, request.engines[0]);
  const plan = await makePlan({
    ...request,
    resolved: resolvedPreset(preset),
    mode: stored.mode,
    bindRoot: stored.database === null ? null : stored.bindRoot,
    imageNamedByUser: false,
  });
  const ids = new Set(plan.scenarios.map(({ id }) => id));
  const takenOut = leftOut.map((one) =>
    excludedScenarioSchema.parse({ ...one, reason: msg('plan.takenOut') }),
  );
  const { reference, database } = stored;
  return {
    ...plan,
    excluded: [...plan.excluded, ...takenOut],
    reference: reference && {
      ...reference,
      cells: reference.cells.filter(({ scenarioId }) => ids.has(scenarioId)),
    },
    database,
    consents: database === null ? plan.consents : withConsentsOf(stored, plan),
  };
}

function withConsentsOf(stored: Plan, { consents }: Plan): Plan['consents'] {
  const agreed = consents.map(({ consent }) => consent);
  return [...consents, ...stored.consents.filter(({ consent }) => !agreed.includes(consent))];
}

/** The run's own image or else the requested one; rejects with RESULT_NOT_REPEATABLE. */
export async function repeatedPreset(plan: Plan, runtime: ContainerRuntime): Promise<RepeatedPreset> {
  const here = new Set<string>();
  for (const { image } of plan.configs) {
    if (image.substituted && (await runtime.images.inspect(image.used)) !== undefined) here.add(image.used);
  }
  const repeated = presetOfPlan(plan, {
    imageOf: ({ requested, used }) => (here.has(used) ? used : requested),
    hasPath: existsSync,
  });
  if (repeated === undefined) throw new BenchmarkError('RESULT_NOT_REPEATABLE', { name: plan.preset.name });
  return repeated;
}

/** A continued run only pulls missing images. */
export function restOfPlan(plan: Plan): Plan {
  const { toPrepare, configs } = plan;
  const missing = new Set(configs.flatMap(({ image }) => (image.imageId === null ? [image.used] : [])));
  return {
    ...plan,
    id: randomUUID(),
    toPrepare: toPrepare.filter(({ reference }) => missing.has(reference)),
  };
}
