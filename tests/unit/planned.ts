import { makePlan, type PlanRequest } from '../../src/benchmark/plan/plan.ts';
import type { Plan } from '../../src/shared/model/plan.ts';
import { type Preset, resolvedPreset } from '../../src/shared/model/preset.ts';
import { smallForm } from '../../src/benchmark/presets/small-form.ts';
import type { Passport } from '../../src/shared/model/passport.ts';
import { checkPreset } from '../../src/benchmark/presets/preset-file.ts';
import { FakeRuntime } from './fake-runtime.ts';
import { makePassport } from './plan-builder.ts';

/** A fake engine with MySQL’s image; `runtime` has its differences from a native one on Linux. */
export function mysqlEngine(runtime: Partial<Passport['runtime']> = {}): FakeRuntime {
  const fake = new FakeRuntime(makePassport(runtime));
  fake.addImage('mysql:8.4', { env: { MYSQL_VERSION: '8.4.10' } });
  return fake;
}

/** A short preset of a user with these fields. */
export function presetWith(fields: object): Preset {
  const about = { whalemark: 1, id: 'mine', name: 'Mine', question: 'Is it slow?' };
  const schedule = { rounds: 1, warmupSeconds: 0, durationSeconds: 1 };
  return checkPreset({ ...about, server: { image: 'mysql:8.4' }, schedule, ...fields }, 'test');
}

/** The plan that the planner makes on fake engines. */
export function planned(
  preset: Preset,
  engines: FakeRuntime | [FakeRuntime, ...FakeRuntime[]],
  { mode = 'full', ...request }: Partial<PlanRequest> = {},
): Promise<Plan> {
  return makePlan({
    resolved: resolvedPreset((mode === 'small' ? smallForm(preset) : undefined) ?? preset),
    mode,
    engines: engines instanceof FakeRuntime ? [engines] : engines,
    imageNamedByUser: false,
    clientImageFiles: { Dockerfile: 'FROM scratch' },
    referenceDir: 'assets/reference',
    ...request,
  });
}
