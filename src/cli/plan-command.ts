import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { DRIVER_KINDS, type DriverKind } from '../shared/model/names.ts';
import { type Consent, CONSENTS, scenarioKey } from '../shared/model/plan.ts';
import { rampSchema } from '../shared/model/preset-parts.ts';
import { resolve } from 'node:path';
import { checkPreset } from '../benchmark/presets/preset-file.ts';
import { presetScenarios, type Preset, type PresetScenario } from '../shared/model/preset.ts';
import { ramped, untilSettled } from '../shared/model/preset-forms.ts';
import { usage } from './exit-codes.ts';

/** What `plan` and `run` are given. */
export type PlanOptions = ReturnType<ReturnType<typeof planCommand>['opts']>;

/** `plan` or `run`: their preset and options. */
export function planCommand(name: 'plan' | 'run') {
  return new Command(name)
    .argument('<preset>', 'a preset’s ID (see: whalemark presets) or a preset file')
    .option('--short', 'the preset’s short form')
    .option('--rounds <n>', 'rounds', numberOf)
    .option('--warmup <seconds>', 'warm-up of each trial', numberOf)
    .option('--duration <seconds>', 'measuring time of each trial', numberOf)
    .option(
      '--until-settled <minutes>',
      'measure until every comparison is conclusive, for at most so many minutes',
      numberOf,
    )
    .option('--threads <n>', 'connections', numberOf)
    .option('--seed <n>', 'order of trials and random ids', numberOf)
    .option('--rate <n>', 'n transactions per second at random moments; compared by latency', numberOf)
    .option('--ramp <n,n,…>', 'every scenario with each of these numbers of connections: 1,2,4,8', rampOf)
    .option('--image <ref>', 'server image')
    .addOption(new Option('--driver <driver>', 'load generator').choices(DRIVER_KINDS))
    .option('--option <--name=value>', 'one more option of the server; may be repeated', listed)
    .option('--config <file>', 'a my.cnf of your own')
    .option(
      '--dsn <url>',
      'an external server, mysql://user:password@host:3306; better in WHALEMARK_DSN, as others can read a command line',
    )
    .addOption(consentOption())
    .option('--context <name>', 'Docker context or engine ID (see: whalemark doctor)')
    .option('--bind-root <dir>', 'folder in which bind mounts are made')
    .option('--fresh-dataset', 'load the tables again, even where an earlier run’s are kept')
    .option(
      '--set <key=value>',
      'any field of the preset; may be repeated: workload.tableSize=100000',
      listed,
    )
    .option(
      '--out <dir>',
      'also write result.json, summary.csv, windows.csv, card.png, report.html, report.md there',
    )
    .option('--force', 'let --out overwrite files that exist')
    .option('--json', 'one JSON object on stdout');
}

export function consentOption() {
  return new Option(
    '--consent <what>',
    `agree to what the plan asks for (${CONSENTS.join(', ')}); may be repeated`,
  ).argParser((text: string, before: Consent[] = []): Consent[] => [...before, oneOf(text, CONSENTS)]);
}

/** Throws commander's error, which names the option. */
export function oneOf<T extends string>(text: string, known: readonly T[]): T {
  const found = known.find((one) => one === text);
  if (found === undefined) throw new InvalidArgumentError(`It is one of ${known.join(', ')}.`);
  return found;
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It takes a number.');
  return value;
}

function rampOf(text: string): number[] {
  const parsed = rampSchema.safeParse(text.split(',').map((part) => Number(part.trim() || NaN)));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError('It takes 2 to 12 rising numbers of connections from 1 to 512.');
}

function listed(text: string, before: string[] = []): string[] {
  return [...before, text];
}

export type PresetOptions = Partial<PlanOptions>;

/**
 * The preset with the command line's changes, `--set` last. A DSN in the environment (`WHALEMARK_DSN`) keeps the
 * password out of the list of processes; it counts for presets that use it. Rejects with USAGE or PRESET_INVALID.
 */
export function withOptions(
  preset: Preset,
  options: PresetOptions,
  env: Record<string, string | undefined> = {},
): Preset {
  const { ramp, threads, driver, untilSettled: minutes, option = [] } = options;
  if (ramp !== undefined && threads !== undefined)
    throw usage('--ramp brings its own numbers of connections; leave out --threads.');
  if (threads !== undefined && preset.ramp !== undefined) {
    throw usage(`--threads: “${preset.id}” is a ramp; choose its levels instead, as in --ramp 1,2,4,8.`);
  }
  const timed = minutes === undefined ? preset : untilSettled(preset, minutes);
  const graded = ramp === undefined ? timed : ramped(timed, ramp);
  let changed: unknown = driver === undefined ? graded : withDriver(graded, driver);
  const fields = {
    'schedule.rounds': options.rounds,
    'schedule.durationSeconds': options.duration,
    'schedule.warmupSeconds': options.warmup,
    connections: threads,
    rate: options.rate,
    seed: options.seed,
    'server.image': options.image,
    'server.configFile': options.config === undefined ? undefined : resolve(options.config),
    'server.options': option.length === 0 ? undefined : [...preset.server.options, ...option],
    bindRoot: options.bindRoot,
  };
  for (const [path, value] of Object.entries(fields)) {
    if (value !== undefined) changed = withValue(changed, path.split('.'), value, `--set ${path}`);
  }
  for (const assignment of options.set ?? []) changed = withField(changed, assignment);
  return withDsn(checkPreset(changed, preset.id), options.dsn, env['WHALEMARK_DSN']);
}

function withDsn(preset: Preset, given: string | undefined, fromEnv: string | undefined): Preset {
  const isExternal = presetScenarios(preset).some(({ storage }) => storage.kind === 'external');
  if (given !== undefined && !isExternal) {
    throw usage(
      `--dsn: no scenario of “${preset.id}” is an external server. Add one: --set 'scenarios=[{"storage":"external","path":"external"}]'`,
    );
  }
  const dsn = given ?? (isExternal ? fromEnv : undefined);
  return dsn === undefined
    ? preset
    : checkPreset({ ...preset, server: { ...preset.server, dsn } }, preset.id);
}

/** No field of a preset lies deeper, by far. */
const DEEPEST_FIELD = 20;

/**
 * Sets a field of a preset by its dotted path: `workload.tableSize=1000`. Values are read as JSON where they are
 * JSON, else as text. Returns a changed copy. Throws USAGE.
 */
export function withField(preset: unknown, assignment: string): unknown {
  const shown = `--set ${assignment.length <= 80 ? assignment : `${assignment.slice(0, 79)}…`}`;
  const equals = assignment.indexOf('=');
  if (equals < 1) throw usage(`${shown}: it takes key=value.`);
  const path = assignment.slice(0, equals).split('.');
  if (path.length > DEEPEST_FIELD) throw usage(`${shown}: no such field.`);
  const text = assignment.slice(equals + 1);
  try {
    return withValue(preset, path, JSON.parse(text), shown);
  } catch (error) {
    if (error instanceof SyntaxError) return withValue(preset, path, text, shown);
    throw error;
  }
}

function withValue(target: unknown, path: readonly string[], value: unknown, shown: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (['__proto__', 'constructor', 'prototype'].includes(key)) throw usage(`${shown}: no such field.`);
  if (typeof target !== 'object' || target === null || Array.isArray(target))
    throw usage(`${shown}: “${key.slice(0, 80)}” is not inside a group of fields.`);
  const fields: Record<string, unknown> = { ...target };
  fields[key] = withValue(rest.length === 0 ? undefined : (fields[key] ?? {}), rest, value, shown);
  return fields;
}

/**
 * The preset with every scenario under one driver. Where it had a scenario for each driver, the other one's are left
 * out; baselines and published numbers go to the counterparts.
 */
function withDriver(preset: Preset, driver: DriverKind): object {
  const { grid, scenarios } = preset;
  const same = (spec: (typeof scenarios)[number]): string =>
    scenarioKey(spec, ['server', 'storage', 'path', 'clientNode']);
  const changed = {
    ...preset,
    driver,
    ...(grid?.drivers === undefined ? {} : { grid: { ...grid, drivers: [driver] } }),
    scenarios: scenarios
      .filter((one) => {
        const twins = scenarios.filter((other) => same(other) === same(one));
        const wanted = twins.find((twin) => (twin.driver ?? preset.driver) === driver) ?? twins[0];
        return one === wanted;
      })
      .map((one) => (one.driver === undefined ? one : { ...one, driver })),
  };
  const key = (scenario: PresetScenario): string =>
    scenarioKey(scenario, ['server', 'storageId', 'storage', 'path', 'clientNode', 'regime', 'connections']);
  const before = presetScenarios(preset);
  const after = new Map(presetScenarios(changed).map((scenario) => [key(scenario), scenario]));
  const counterpart = (matches: (scenario: PresetScenario) => boolean): PresetScenario | undefined => {
    const scenario = before.find(matches);
    return scenario === undefined ? undefined : after.get(key(scenario));
  };
  const cells = Object.entries(preset.reference?.cells ?? {}).flatMap(([id, cell]) => {
    const found = counterpart((scenario) => scenario.id === id);
    return found === undefined ? [] : [[found.id, cell] as const];
  });
  const baselines = [preset.baseline].flat();
  return {
    ...changed,
    baseline: [...new Set(baselines.map((id) => counterpart(({ baseId }) => baseId === id)?.baseId ?? id))],
    ...(preset.reference === undefined
      ? {}
      : { reference: { ...preset.reference, cells: Object.fromEntries(cells) } }),
  };
}
