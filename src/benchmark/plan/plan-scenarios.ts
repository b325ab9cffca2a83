import { PATHS } from '../../shared/kinds/paths.ts';
import { type ExcludedScenario, type Scenario, scenarioKey } from '../../shared/model/plan.ts';
import {
  connectionLevels,
  type Preset,
  type PresetScenario,
  presetScenarios,
} from '../../shared/model/preset.ts';
import { OWN_SERVER, setupId, type StorageSpec } from '../../shared/model/server-spec.ts';
import { ENGLISH } from '../../shared/words/i18n.ts';
import { labelText } from '../../shared/words/labels.ts';

type Identity = Omit<ExcludedScenario, 'reason'>;

const NOISE_FLOOR_SUFFIX = '~again';

/** The scenarios of a plan, with `baseline` (a `baseId`) in every regime, level, and driver, and its A/A repeat. */
export function planScenarios(
  preset: Preset,
  possible: readonly PresetScenario[],
  baseline: string,
): Scenario[] {
  const serverIds = new ServerIds();
  const middle = middleOf(connectionLevels(preset));
  return possible.flatMap((spec) =>
    plannedScenarios(identityOf(preset, spec), spec, {
      serverId: serverIds.of(spec),
      baselineId: baselineOf(spec, possible, baseline),
      twice: preset.noiseFloor && spec.baseId === baseline && spec.connections === middle,
    }),
  );
}

/**
 * The level of the A/A pair: one pair keeps a ramp affordable, and its middle represents both few and many
 * connections.
 */
function middleOf(levels: number[]): number | undefined {
  return levels[Math.floor(levels.length / 2)];
}

function baselineOf(spec: PresetScenario, possible: readonly PresetScenario[], baseline: string): string {
  const beside = possible.filter(
    ({ regime, connections }) => regime === spec.regime && connections === spec.connections,
  );
  const base = beside.find(({ baseId }) => baseId === baseline);
  const place = (one: PresetScenario): string =>
    scenarioKey(one, ['server', 'storageId', 'storage', 'path', 'clientNode']);
  const sameDriver = beside.find(
    (one) => one.driver === spec.driver && base !== undefined && place(one) === place(base),
  );
  return (base?.driver === spec.driver ? base : (sameDriver ?? base))?.id ?? baseline;
}

function plannedScenarios(
  identity: Identity,
  spec: PresetScenario,
  { serverId, baselineId, twice }: { serverId: string; baselineId: string; twice: boolean },
): Scenario[] {
  const scenario: Scenario = {
    ...identity,
    baseId: spec.baseId,
    setupId: setupId(spec),
    storage: spec.storage,
    placement: spec.driver === 'sysbench' ? 'container' : PATHS[spec.path].placement,
    serverId,
    baselineId,
    isBaseline: spec.id === baselineId,
    isNoiseFloor: false,
    clientNode: spec.clientNode ?? null,
  };
  if (!twice) return [scenario];
  const label = { ...scenario.label, isRepeat: true };
  const again = {
    ...scenario,
    id: `${scenario.id}${NOISE_FLOOR_SUFFIX}`,
    name: labelText(label, ENGLISH),
    label,
    isBaseline: false,
    isNoiseFloor: true,
  };
  return [scenario, again];
}

export function identityOf(preset: Preset, spec: PresetScenario): Identity {
  const { id, server, storage, storageId, path, driver, regime, connections } = spec;
  const hasDrivers = new Set(presetScenarios(preset).map((one) => one.driver)).size > 1;
  const label = {
    given: spec.name ?? null,
    server: server === undefined ? null : (preset.servers[server]?.name ?? server),
    storage: storage.kind,
    storageName: storage.name ?? null,
    path,
    fromOtherNode: spec.clientNode !== undefined,
    driver: hasDrivers ? driver : null,
    regime: regime === undefined ? null : (preset.regimes[regime]?.name ?? regime),
    connections: preset.ramp === undefined ? null : connections,
    isRepeat: false,
  };
  return {
    id,
    name: labelText(label, ENGLISH),
    label,
    server: server ?? null,
    storageId,
    path,
    driver,
    regime: regime ?? null,
    connections,
  };
}

/** Equal for storages that differ only in name. */
export function placeOf(storage: StorageSpec): string {
  return JSON.stringify({ ...storage, name: undefined });
}

/**
 * Equal ids for scenarios that may share a server. `setup.storage.attachment`; duplicates are numbered, since shared
 * results must not reveal places.
 */
class ServerIds {
  readonly #byServer = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(spec: PresetScenario): string {
    const setup = setupId(spec);
    const { attach } = PATHS[spec.path];
    const server = JSON.stringify([setup, spec.storageId, placeOf(spec.storage), attach]);
    const known = this.#byServer.get(server);
    if (known !== undefined) return known;
    const { sizeMiB } = spec.storage;
    const storage = sizeMiB === undefined ? spec.storageId : `${spec.storageId}-${sizeMiB}`;
    const idOf = (count: number): string =>
      [...(setup === OWN_SERVER ? [] : [setup]), count === 1 ? storage : `${storage}_${count}`, attach].join(
        '.',
      );
    let count = 1;
    while (this.#taken.has(idOf(count))) count += 1;
    const id = idOf(count);
    this.#taken.add(id);
    this.#byServer.set(server, id);
    return id;
  }
}
