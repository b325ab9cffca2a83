import type { ImageChoice, Plan, Scenario, ServerSetup } from '../model/plan.ts';
import { presetSchema, type Preset } from '../model/preset.ts';
import { slug } from '../model/preset-parts.ts';
import { OWN_SERVER } from '../model/setup-id.ts';
import type { StorageSpec } from '../model/storage-spec.ts';
import { levelName } from '../words/level-names.ts';
import { levelsOf, withoutLevel } from '../model/ramp-levels.ts';
import { regimeName, serverKey, withoutTail } from './regimes.ts';

/** What stands in results that were given away in the place of what was private. */
const TAKEN_OUT = /<(?:private|path)>/;

export interface PresetOfPlanOptions {
  /** Which image a server is to have; default: the one that was used. */
  imageOf?: (image: ImageChoice) => string;
  /** False for places of the machine that are not there; default: all are. */
  hasPath?: (path: string) => boolean;
}

export interface RepeatedPreset {
  preset: Preset;
  /** Scenarios that can't be told again, because what they need was taken out before the result was given away. */
  leftOut: Scenario[];
}

/**
 * A preset that plans the same as this plan: the same scenarios under the same ids and names, the same settings, data,
 * schedule and seed. It is made of the plan alone, so it does not matter what became of the plan's own preset. A plan
 * holds neither passwords nor the addresses of external servers, so the preset has none. Undefined when nothing of the
 * plan, or not its baseline, can be told again.
 */
export function presetOfPlan(plan: Plan, options: PresetOfPlanOptions = {}): RepeatedPreset | undefined {
  const leftOut = plan.scenarios.filter((scenario) => isTakenOut(plan, scenario));
  const scenarios = plan.scenarios.filter((one) => !leftOut.includes(one));
  const base = scenarios.find(({ id }) => id === plan.baselineId);
  if (base === undefined) return undefined;
  const parts = partsOf(plan);
  // Regimes and levels repeat the same scenarios.
  const specs = new Map(
    scenarios.filter(({ isNoiseFloor }) => !isNoiseFloor).map((one) => [parts.baseId(one), one]),
  );
  const levels = levelsOf(scenarios);
  const path = (place: string | null | undefined): string | undefined =>
    place !== null && place !== undefined && !TAKEN_OUT.test(place) && (options.hasPath?.(place) ?? true)
      ? place
      : undefined;
  const parsed = presetSchema.safeParse({
    whalemark: 1,
    ...plan.preset,
    ...serversOf(plan, scenarios, parts, options, path),
    storages: Object.fromEntries(
      scenarios.flatMap(({ storage, ...one }) => {
        const name = storageNameOf({ storage, ...one });
        return name === undefined ? [] : [[name, storage]];
      }),
    ),
    workload: plan.workload,
    ...(levels.length > 1 ? { ramp: levels } : { connections: plan.connections }),
    ...(plan.rate === null ? {} : { rate: plan.rate }),
    scenarios: [...specs].map(([id, one]) => ({
      id,
      name: parts.baseName(one),
      ...(parts.serverOf(one) === undefined ? {} : { server: parts.serverOf(one) }),
      storage: storageNameOf(one) ?? (hasOptions(one.storage) ? one.storage : one.storage.kind),
      path: one.path,
      driver: one.driver,
      ...(one.clientNode === null ? {} : { clientNode: one.clientNode }),
    })),
    regimes: regimesOf(plan, scenarios),
    baseline: parts.baseId(base),
    noiseFloor: scenarios.some(({ isNoiseFloor }) => isNoiseFloor),
    equivalence: plan.equivalence,
    schedule: plan.schedule,
    seed: plan.seed,
    ...(path(plan.bindRoot) === undefined ? {} : { bindRoot: path(plan.bindRoot) }),
  });
  return parsed.success ? { preset: parsed.data, leftOut } : undefined;
}

function isTakenOut(plan: Plan, { storage, clientNode, setupId }: Scenario): boolean {
  const setup = plan.setups.find(({ id }) => id === setupId);
  return TAKEN_OUT.test(JSON.stringify([storage, clientNode, setup?.options ?? []]));
}

/** How the parts of a scenario's id and name are told from its regime, its level and its driver. */
interface Parts {
  baseId(scenario: Scenario): string;
  baseName(scenario: Scenario): string;
  /** One of the preset's `servers`; undefined for its own. */
  serverOf(scenario: Scenario): string | undefined;
}

/** As plans make ids and names (benchmark/plan/plan.ts): `….regime.c8`, "…, driver, regime, 8 connections". */
function partsOf({ scenarios, setups }: Plan): Parts {
  const isRamp = levelsOf(scenarios).length > 1;
  const hasDrivers = new Set(scenarios.map(({ driver }) => driver)).size > 1;
  return {
    baseId({ id, connections, regime }) {
      const inRegime = isRamp ? (withoutLevel(id, connections) ?? id) : id;
      return regime === null ? inRegime : withoutTail(inRegime, `.${regime}`);
    },
    baseName({ name, connections, regime, driver }) {
      const inRegime = isRamp ? withoutTail(name, `, ${levelName(connections)}`) : name;
      const own = regime === null ? inRegime : withoutTail(inRegime, `, ${regimeName(setups, regime)}`);
      return hasDrivers ? withoutTail(own, `, ${driver}`) : own;
    },
    serverOf(scenario) {
      const name = serverKey(scenario);
      return name === OWN_SERVER ? undefined : name;
    },
  };
}

function regimesOf({ setups }: Plan, scenarios: Scenario[]): Preset['regimes'] {
  const regimes = new Set(scenarios.flatMap(({ regime }) => (regime === null ? [] : [regime])));
  return Object.fromEntries(
    [...regimes].flatMap((regime) => {
      const setup = setups.find(({ id }) => id.endsWith(`.${regime}`));
      if (setup === undefined) return [];
      return [[regime, { name: regimeName(setups, regime), bufferPool: setup.settings.bufferPoolMiB }]];
    }),
  );
}

/** The preset's own server, and the named ones as what they change of it. */
function serversOf(
  { setups }: Plan,
  scenarios: Scenario[],
  { serverOf }: Parts,
  { imageOf = ({ used }) => used }: PresetOfPlanOptions,
  path: (place: string | undefined) => string | undefined,
) {
  const specOf = ({ image, settings: { bufferPoolMiB, ...settings }, options, native }: ServerSetup) => ({
    image: imageOf(image),
    settings: { ...settings, bufferPool: bufferPoolMiB },
    options,
    ...(path(native?.binary) === undefined ? {} : { nativeBinary: path(native?.binary) }),
  });
  const used = scenarios.flatMap((scenario) => {
    const setup = setups.find(({ id }) => id === scenario.setupId);
    return setup === undefined ? [] : [{ name: serverOf(scenario), regime: scenario.regime, setup }];
  });
  const own = used.find(({ name }) => name === undefined)?.setup;
  const [first] = used;
  // A named server's options follow those of the preset's own.
  const shared = own?.options ?? [];
  const servers = used.flatMap(({ name, regime, setup }) => {
    if (name === undefined) return [];
    const options = setup.options.slice(
      shared.every((option, index) => setup.options[index] === option) ? shared.length : 0,
    );
    const people =
      regime === null ? setup.name : withoutTail(setup.name ?? name, `, ${regimeName(setups, regime)}`);
    return [[name, { ...specOf(setup), options, ...(people === null ? {} : { name: people }) }]];
  });
  const server = own ?? first?.setup;
  return {
    ...(server === undefined ? {} : { server: { ...specOf(server), options: shared } }),
    servers: Object.fromEntries(servers) as Record<string, unknown>,
  };
}

/**
 * The name of a storage under `storages`: a server's id holds it (`setup.storage.attachment`, with `_2` and so on behind
 * the name of a further place that is called the same). Undefined for one that is called like its kind.
 */
function storageNameOf({
  storage,
  serverId,
  setupId,
}: Pick<Scenario, 'storage' | 'serverId' | 'setupId'>): string | undefined {
  const tail = serverId.lastIndexOf('.');
  const head = setupId === OWN_SERVER ? '' : `${setupId}.`;
  if (tail < 0 || !serverId.startsWith(head)) return undefined;
  // A number tells places apart that have one name; no name has an underscore.
  const key = serverId.slice(head.length, tail).replace(/_\d+$/, '');
  const name = storage.sizeMiB === undefined ? key : withoutTail(key, `-${storage.sizeMiB}`);
  return name === storage.kind || !slug.safeParse(name).success ? undefined : name;
}

function hasOptions(storage: StorageSpec): boolean {
  return Object.keys(storage).length > 1;
}
