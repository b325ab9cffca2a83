import { makePlan, type PlanRequest } from '../../src/benchmark/plan/plan.ts';
import { quickForm } from '../../src/benchmark/presets/plan-overrides.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import type { Preset } from '../../src/shared/model/preset.ts';
import type { FakeRuntime } from './fake-runtime.ts';

/** The planner's own plan on a fake engine. */
export function planned(
  preset: Preset,
  runtime: FakeRuntime,
  { mode = 'full', ...request }: Partial<PlanRequest> = {},
): Promise<Plan> {
  return makePlan({
    preset: mode === 'quick' ? quickForm(preset) : preset,
    mode,
    quickRounds: mode === 'quick' && preset.quick === undefined ? 3 : undefined,
    runtime,
    imageNamedByUser: false,
    clientImageFiles: { Dockerfile: 'FROM scratch' },
    referenceDir: 'assets/reference',
    ...request,
  });
}
