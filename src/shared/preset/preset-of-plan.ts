import { levelsOf, type ImageChoice, type Plan, type Scenario, type ServerConfig } from '../model/plan.ts';
import { presetSchema, type Preset } from '../model/preset.ts';
import { settingsSpecOf } from '../model/server-settings.ts';
import { isLimited, partsOfServer } from '../model/server-spec.ts';

const TAKEN_OUT = /<(?:private|path)>/;

interface PresetOfPlanOptions {
  imageOf?: (image: ImageChoice) => string;
  hasPath?: (path: string) => boolean;
}

export interface RepeatedPreset {
  preset: Preset;
  leftOut: Scenario[];
}

/** Undefined: the plan's baseline can't be repeated. */
export function presetOfPlan(plan: Plan, options: PresetOfPlanOptions = {}): RepeatedPreset | undefined {
  const leftOut = plan.scenarios.filter((scenario) => isTakenOut(plan, scenario));
  const scenarios = plan.scenarios.filter((one) => !leftOut.includes(one));
  const base = scenarios.find(({ id }) => id === plan.baselineId);
  if (base === undefined) return undefined;
  // Load generators, buffer-pool sizes, and levels repeat the same scenarios.
  const specs = new Map(scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map((one) => [one.baseId, one]));
  const levels = levelsOf(scenarios);
  const loadGenerators = [...new Set(scenarios.map(({ loadGenerator }) => loadGenerator))];
  const path = (place: string | undefined): string | undefined =>
    place !== undefined && !TAKEN_OUT.test(place) && (options.hasPath?.(place) ?? true) ? place : undefined;
  const pools = poolsOf(plan);
  const parsed = presetSchema.safeParse({
    whalemark: 1,
    ...plan.preset,
    ...serversOf(plan, scenarios, options, path),
    storages: Object.fromEntries(
      scenarios.filter(isNamed).map(({ storageId, storage }) => [storageId, storage]),
    ),
    workload: plan.workload,
    ...(levels.length > 1 ? { sweep: levels } : { connections: plan.connections }),
    ...(plan.engines.length === 1 ? {} : { engines: plan.engines.map(({ runtimeId }) => runtimeId) }),
    ...(clientEngineOf(plan) === undefined ? {} : { clientEngine: clientEngineOf(plan) }),
    ...(plan.task === null ? {} : { task: plan.task }),
    scenarios: [...specs].map(([id, one]) => ({
      id,
      name: withoutPool(one.label.ownName, one.server, pools),
      server: partsOfServer(one.server).server,
      storage: one.storageId,
      path: one.path,
    })),
    loadGenerator: loadGenerators.length === 1 ? loadGenerators[0] : loadGenerators,
    bufferPools: pools,
    baseline: base.baseId,
    aaCheck: scenarios.some(({ isAaRepeat }) => isAaRepeat),
    equivalence: plan.equivalence,
    schedule: plan.schedule,
    seed: plan.seed,
  });
  return parsed.success ? { preset: parsed.data, leftOut } : undefined;
}

/** Undefined: no such engine, or no name in a shared result. */
export function clientEngineOf({ clientEngine }: Plan): string | undefined {
  return clientEngine?.runtimeId.includes(':') === true ? clientEngine.runtimeId : undefined;
}

function isTakenOut(plan: Plan, { storage, configId }: Scenario): boolean {
  const config = plan.configs.find(({ id }) => id === configId);
  return TAKEN_OUT.test(JSON.stringify([storage, config?.options ?? []]));
}

function isNamed({ storageId, storage }: Scenario): boolean {
  return storageId !== storage.kind || Object.keys(storage).length > 1;
}

function withoutPool(
  name: string | null,
  server: string | null,
  pools: Preset['bufferPools'],
): string | undefined {
  const { pool = '' } = partsOfServer(server);
  const end = `, ${pools[pool]?.name ?? pool}`;
  return name?.endsWith(end) === true ? name.slice(0, -end.length) : (name ?? undefined);
}

/** A size that only named servers have is called by its ID. */
function poolsOf({ configs }: Pick<Plan, 'configs'>): Preset['bufferPools'] {
  const pools = configs.flatMap(({ server: id, serverName, settings }) => {
    const { server, pool } = partsOfServer(id);
    if (pool === undefined) return [];
    const bufferPool = settings.defaults.includes('bufferPool')
      ? ('default' as const)
      : settings.bufferPoolMiB;
    const name = (server === undefined ? serverName : null) ?? pool;
    return [{ isOwn: server === undefined, pool, spec: { name, bufferPool } }];
  });
  const ownLast = pools.sort((a, b) => Number(a.isOwn) - Number(b.isOwn));
  return Object.fromEntries(ownLast.map(({ pool, spec }) => [pool, spec]));
}

function serversOf(
  { configs }: Plan,
  scenarios: Scenario[],
  { imageOf = ({ used }) => used }: PresetOfPlanOptions,
  path: (place: string | undefined) => string | undefined,
) {
  const pools = poolsOf({ configs });
  const hasLimits = configs.some(({ limits }) => isLimited(limits));
  const specOf = ({ image, settings, limits, options, native }: ServerConfig) => ({
    image: imageOf(image),
    settings: settingsSpecOf(settings),
    ...(hasLimits ? { limits } : {}),
    options,
    ...(path(native?.binary) === undefined ? {} : { nativeBinary: path(native?.binary) }),
  });
  const used = scenarios.flatMap((scenario) => {
    const config = configs.find(({ id }) => id === scenario.configId);
    return config === undefined ? [] : [{ ...partsOfServer(scenario.server), config }];
  });
  const own = used.find(({ server }) => server === undefined)?.config;
  const [first] = used;
  // A named server's options follow the preset's own.
  const shared = own?.options ?? [];
  const servers = used.flatMap(({ server: name, config }) => {
    if (name === undefined) return [];
    const ownName = withoutPool(config.serverName, config.server, pools);
    const options = config.options.slice(
      shared.every((option, index) => config.options[index] === option) ? shared.length : 0,
    );
    return [[name, { ...specOf(config), options, ...(ownName === undefined ? {} : { name: ownName }) }]];
  });
  const server = own ?? first?.config;
  return {
    ...(server === undefined ? {} : { server: { ...specOf(server), options: shared } }),
    servers: Object.fromEntries(servers) as Record<string, unknown>,
  };
}
