import { resolve } from 'node:path';
import { checkPreset } from '../../benchmark/presets/preset-file.ts';
import { DRIVER_KINDS, type DriverKind } from '../../shared/model/names.ts';
import { presetScenarios, type Preset, type PresetScenario } from '../../shared/model/preset.ts';
import { ramped, untilSettled } from '../../shared/model/preset-forms.ts';
import { rampSchema } from '../../shared/model/preset-parts.ts';
import { numberOption, usage, withField } from './args.ts';

/** What the command line can change of a preset. */
export interface PresetOptions {
  rounds?: string | undefined;
  duration?: string | undefined;
  warmup?: string | undefined;
  'until-settled'?: string | undefined;
  threads?: string | undefined;
  rate?: string | undefined;
  ramp?: string | undefined;
  seed?: string | undefined;
  image?: string | undefined;
  driver?: string | undefined;
  dsn?: string | undefined;
  config?: string | undefined;
  option?: string[] | undefined;
  'bind-root'?: string | undefined;
  set?: string[] | undefined;
}

/**
 * The preset with the command line's changes, `--set` last. A DSN in the environment (`WHALEMARK_DSN`) keeps the
 * password out of the list of processes; it counts for presets that use it. Rejects with USAGE or PRESET_INVALID.
 */
export function withOptions(
  preset: Preset,
  options: PresetOptions,
  env: Record<string, string | undefined> = {},
): Preset {
  if (options.threads !== undefined && options.ramp === undefined && preset.ramp !== undefined) {
    throw usage(`--threads: “${preset.id}” is a ramp; choose its levels instead, as in --ramp 1,2,4,8.`);
  }
  const minutes = numberOption('until-settled', options['until-settled']);
  const timed = minutes === undefined ? preset : untilSettled(preset, minutes);
  const graded = options.ramp === undefined ? timed : ramped(timed, levelsIn(options.ramp, options.threads));
  let changed: unknown = options.driver === undefined ? graded : withDriver(graded, driverOf(options.driver));
  const set = (field: string, value: unknown): void => {
    if (value !== undefined) changed = withField(changed, `${field}=${JSON.stringify(value)}`);
  };
  set('schedule.rounds', numberOption('rounds', options.rounds));
  set('schedule.durationSeconds', numberOption('duration', options.duration));
  set('schedule.warmupSeconds', numberOption('warmup', options.warmup));
  set('connections', numberOption('threads', options.threads));
  set('rate', numberOption('rate', options.rate));
  set('seed', numberOption('seed', options.seed));
  set('server.image', options.image);
  set('server.configFile', options.config === undefined ? undefined : resolve(options.config));
  if (options.option !== undefined) set('server.options', [...preset.server.options, ...options.option]);
  set('bindRoot', options['bind-root']);
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

/** "1,2,4" as levels. Rejects with USAGE. */
function levelsIn(text: string, threads: string | undefined): number[] {
  if (threads !== undefined)
    throw usage('--ramp brings its own numbers of connections; leave out --threads.');
  const parsed = rampSchema.safeParse(text.split(',').map((part) => Number(part.trim() || NaN)));
  if (parsed.success) return parsed.data;
  throw usage(
    `--ramp takes 2 to 12 rising numbers of connections from 1 to 512, as in --ramp 1,2,4,8, not “${text}”.`,
  );
}

function driverOf(text: string): DriverKind {
  const driver = DRIVER_KINDS.find((kind) => kind === text);
  if (driver === undefined) throw usage(`--driver is one of ${DRIVER_KINDS.join(', ')}, not “${text}”.`);
  return driver;
}

/**
 * The preset with every scenario under one driver. Where it had a scenario for each driver, the other one's are left
 * out; baselines and published numbers go to the counterparts.
 */
function withDriver(preset: Preset, driver: DriverKind): object {
  const { grid, scenarios } = preset;
  const same = ({ server, storage, path, clientNode }: (typeof scenarios)[number]): string =>
    JSON.stringify([server, storage, path, clientNode]);
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
  const key = ({
    server,
    storageId,
    storage,
    path,
    clientNode,
    regime,
    connections,
  }: PresetScenario): string =>
    JSON.stringify([server, storageId, storage, path, clientNode, regime, connections]);
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
