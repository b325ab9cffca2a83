import { loadInstallation } from '../../benchmark/core.ts';
import type { ContainerRuntime } from '../../benchmark/runtime/container-runtime.ts';
import { makePlan } from '../../benchmark/run/plan.ts';
import { builtInPresets, checkPreset, findPreset } from '../../benchmark/run/preset-file.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { Preset } from '../../shared/model/preset.ts';
import { formatBytes, formatDuration } from '../../shared/units.ts';
import { numberOption, parse, usage, withField } from '../args.ts';
import { EXIT } from '../exit-codes.ts';
import { findRuntime } from '../runtime.ts';
import { installationPaths } from '../surroundings.ts';
import { print } from '../terminal.ts';

/** `whalemark presets` */
export async function presetsCommand(argv: string[]): Promise<number> {
  const { values } = parse(argv, { json: { type: 'boolean' } }, 0);
  const presets = await builtInPresets(installationPaths.presetsDir);
  if (values.json === true) {
    print(
      JSON.stringify(
        presets.map(({ id, name, question }) => ({ id, name, question })),
        null,
        2,
      ),
    );
  } else {
    for (const { id, question } of presets) print(`${id}  ${question}`);
  }
  return EXIT.done;
}

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
  const preset = withOptions(await findPreset(presetName, installationPaths.presetsDir), values);
  const runtime = await findRuntime(values.context);
  const { clientImageFiles } = await loadInstallation(installationPaths);
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

/** `whalemark plan` */
export async function planCommand(argv: string[]): Promise<number> {
  const { values, positionals } = parse(argv, PLAN_OPTIONS, 1);
  const { plan } = await planFrom(positionals[0], values);
  print(values.json === true ? JSON.stringify(plan, null, 2) : describePlan(plan));
  return EXIT.done;
}

/** What would run, in words. */
export function describePlan(plan: Plan): string {
  const { schedule, workload, image } = plan;
  const width = Math.max(...plan.scenarios.map(({ id }) => id.length));
  return [
    `${plan.preset.name} — ${plan.preset.question}`,
    `Image: ${image.used}${image.version === null ? '' : ` (${image.flavour ?? ''} ${image.version})`}`,
    `Load: ${workload.kind}, ${workload.tables} × ${workload.tableSize} rows (${formatBytes(plan.estimate.dataBytes)}), ${plan.connections} connections`,
    `Schedule: ${schedule.rounds} rounds × ${plan.scenarios.length} scenarios × (${schedule.warmupSeconds} s warm-up + ${schedule.durationSeconds} s), seed ${plan.seed}`,
    `Takes about ${formatDuration(plan.estimate.seconds * 1000)} and ${formatBytes(plan.estimate.diskBytes)} of disk while it runs`,
    ...plan.toPrepare.map(({ kind, reference }) => `To ${kind} first: ${reference}`),
    '',
    ...plan.scenarios.map(
      ({ id, name, isBaseline }) => `  ${id.padEnd(width)}  ${name}${isBaseline ? ' (baseline)' : ''}`,
    ),
    ...plan.excluded.map(({ id, reason }) => `  ${id.padEnd(width)}  can't run here: ${reason}`),
    ...plan.notices.map(({ message }) => `! ${message}`),
  ].join('\n');
}
