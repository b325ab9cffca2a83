import { makePlan, type PlanRequest } from '../../src/benchmark/plan/plan.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import { type Preset, resolvedPreset } from '../../src/shared/model/preset.ts';
import { smallForm } from '../../src/benchmark/presets/small-form.ts';
import type { FakeRuntime } from './fake-runtime.ts';

/** The planner's own plan on a fake engine. */
export function planned(
  preset: Preset,
  runtime: FakeRuntime,
  { mode = 'full', ...request }: Partial<PlanRequest> = {},
): Promise<Plan> {
  return makePlan({
    resolved: resolvedPreset((mode === 'small' ? smallForm(preset) : undefined) ?? preset),
    mode,
    runtime,
    imageNamedByUser: false,
    clientImageFiles: { Dockerfile: 'FROM scratch' },
    referenceDir: 'assets/reference',
    ...request,
  });
}
