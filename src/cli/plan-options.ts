import { loadInstallation } from '../benchmark/installation.ts';
import type { ContainerRuntime } from '../benchmark/runtime/container-runtime.ts';
import { makePlan } from '../benchmark/run/plan.ts';
import { checkPreset, findPreset } from '../benchmark/run/preset-file.ts';
import type { Plan } from '../shared/model/plan.ts';
import type { Preset } from '../shared/model/preset.ts';
import { numberOption, usage, withField } from './args.ts';
import { paths } from './installation.ts';
import { findRuntime } from './runtime.ts';

/** Options that `plan` and `run` share. */
export const PLAN_OPTIONS = {
  quick: { type: 'boolean' },
  rounds: { type: 'string' },
  duration: { type: 'string' },
  warmup: { type: 'string' },
  threads: { type: 'string' },
  seed: { type: 'string' },
  image: { type: 'string' },
  driver: { type: 'string' },
  context: { type: 'string' },
  'bind-root': { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const;

type PlanOptions = {
  [N in keyof typeof PLAN_OPTIONS]?:
    | ((typeof PLAN_OPTIONS)[N] extends { multiple: true }
        ? string[]
        : (typeof PLAN_OPTIONS)[N] extends { type: 'boolean' }
          ? boolean
          : string)
    | undefined;
};

/** The plan that a preset and the command line's options come to. */
export async function planFrom(
  presetName: string | undefined,
  values: PlanOptions,
): Promise<{ plan: Plan; runtime: ContainerRuntime }> {
  if (presetName === undefined) throw usage('Name a preset or a preset file.');
  const preset = withOptions(await findPreset(presetName, paths.presetsDir), values);
  const runtime = await findRuntime(values.context);
  const { clientImageFiles } = await loadInstallation(paths);
  const plan = await makePlan({
    preset,
    mode: values.quick === true ? 'quick' : 'full',
    runtime,
    imageNamedByUser: values.image !== undefined,
    clientImageFiles,
  });
  return { plan, runtime };
}

function withOptions(preset: Preset, values: PlanOptions): Preset {
  const given = <T extends object>(fields: T): object =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const schedule = given({
    rounds: numberOption('rounds', values.rounds),
    durationSeconds: numberOption('duration', values.duration),
    warmupSeconds: numberOption('warmup', values.warmup),
  });
  let changed: unknown = {
    ...preset,
    schedule: { ...preset.schedule, ...schedule },
    ...(preset.quick === undefined ? {} : { quick: { ...preset.quick, ...schedule } }),
    server: { ...preset.server, ...given({ image: values.image }) },
    ...given({
      connections: numberOption('threads', values.threads),
      seed: numberOption('seed', values.seed),
      driver: values.driver,
      bindRoot: values['bind-root'],
    }),
  };
  for (const assignment of values.set ?? []) changed = withField(changed, assignment);
  return checkPreset(changed, preset.id);
}
