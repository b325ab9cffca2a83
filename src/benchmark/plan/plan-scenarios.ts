import { PATHS } from '../../shared/kinds/paths.ts';
import type { ExcludedScenario, Scenario } from '../../shared/model/plan.ts';
import {
  connectionLevels,
  loadGeneratorsOf,
  type Preset,
  type PresetScenario,
} from '../../shared/model/preset.ts';
import { OWN_SERVER, configId, partsOfServer } from '../../shared/model/server-spec.ts';
import { placementOf } from '../load/client-image.ts';

type Identity = Omit<ExcludedScenario, 'reason'>;

const AA_CHECK_SUFFIX = '~again';

export function planScenarios(
  preset: Preset,
  possible: readonly PresetScenario[],
  {
    engine,
    baseline,
    bases = possible,
  }: { engine: string; baseline: string; bases?: readonly PresetScenario[] | undefined },
): Scenario[] {
  // The middle of a sweep represents both ends, and one repeat is affordable.
  const levels = connectionLevels(preset);
  const middle = levels[Math.floor(levels.length / 2)];
  const first = possible.find(({ baseId }) => baseId === baseline)?.loadGenerator;
  return possible.flatMap((spec) =>
    plannedScenarios(identityOf(preset, spec, engine), spec, {
      serverId: serverIdOf(spec),
      baselineId: baselineOf(spec, bases, baseline),
      twice:
        preset.aaCheck &&
        spec.baseId === baseline &&
        spec.connections === middle &&
        spec.loadGenerator === first,
    }),
  );
}

function baselineOf(spec: PresetScenario, possible: readonly PresetScenario[], baseline: string): string {
  const poolOf = ({ server }: PresetScenario): string | undefined => partsOfServer(server).pool;
  const bases = possible.filter(
    (one) => one.baseId === baseline && poolOf(one) === poolOf(spec) && one.connections === spec.connections,
  );
  const own = bases.find(({ loadGenerator }) => loadGenerator === spec.loadGenerator);
  return (own ?? bases[0])?.id ?? baseline;
}

function plannedScenarios(
  identity: Identity,
  spec: PresetScenario,
  { serverId, baselineId, twice }: { serverId: string; baselineId: string; twice: boolean },
): Scenario[] {
  const scenario: Scenario = {
    ...identity,
    baseId: spec.baseId,
    configId: configId(spec),
    storage: spec.storage,
    placement: placementOf(spec),
    serverId,
    baselineId,
    isBaseline: spec.id === baselineId,
    isAaRepeat: false,
  };
  if (!twice) return [scenario];
  const again = {
    ...scenario,
    id: `${scenario.id}${AA_CHECK_SUFFIX}`,
    label: { ...scenario.label, isRepeat: true },
    // Equal servers also differ, so the repeat has its own.
    serverId: `${serverId}${AA_CHECK_SUFFIX}`,
    isBaseline: false,
    isAaRepeat: true,
  };
  return [scenario, again];
}

export function identityOf(preset: Preset, spec: PresetScenario, engine: string): Identity {
  const { id, server, storage, storageId, path, loadGenerator, connections } = spec;
  const label = {
    ownName: ownNameOf(preset, spec),
    engine: null,
    server: server === undefined ? null : (preset.servers[server]?.name ?? server),
    storage: storage.kind,
    storageName: storage.name ?? null,
    path,
    omitsPath: preset.task !== undefined,
    loadGenerator: loadGeneratorsOf(preset).length === 1 ? null : loadGenerator,
    connections: preset.sweep === undefined ? null : connections,
    isRepeat: false,
  };
  return { id, label, engine, server: server ?? null, storageId, path, loadGenerator, connections };
}

function ownNameOf({ bufferPools }: Preset, { name, server }: PresetScenario): string | null {
  const { pool = '' } = partsOfServer(server);
  const parts = [name, bufferPools[pool]?.name].filter((part) => part !== undefined);
  return name === undefined ? null : parts.join(', ');
}

function serverIdOf(spec: PresetScenario): string {
  const config = configId(spec);
  const storage = config === OWN_SERVER ? spec.storageId : `${config}_${spec.storageId}`;
  return `${storage}.${PATHS[spec.path].attach}`;
}
