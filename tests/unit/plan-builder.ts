import { plain } from '../helpers/messages.ts';
import type { Message } from '../../src/shared/message.ts';
import type { PathKind } from '../../src/shared/kinds/paths.ts';
import type { StorageKind } from '../../src/shared/kinds/storages.ts';
import { passportSchema, type Passport } from '../../src/shared/model/passport.ts';
import {
  excludedScenarioSchema,
  type ImageChoice,
  type Notice,
  type Plan,
  type PlanEngine,
  type ServerConfig,
} from '../../src/shared/model/plan.ts';
import { presetObjectSchema } from '../../src/shared/model/preset-parts.ts';
import {
  connectionLevels,
  type Preset,
  type PresetScenario,
  presetScenarios,
  resolvedPreset,
} from '../../src/shared/model/preset.ts';
import { configId, serverInPool, type StorageSpec } from '../../src/shared/model/server-spec.ts';
import { identityOf, planScenarios } from '../../src/benchmark/plan/plan-scenarios.ts';
import { planEngines } from '../../src/benchmark/plan/plan-engines.ts';
import { planConfigs } from '../../src/benchmark/plan/plan-configs.ts';
import { createRandom, shuffled } from '../../src/benchmark/random.ts';

export interface ScenarioShape {
  storage: StorageKind;
  path: PathKind;
  name?: string;
  /** One of `servers`; its name then is before the scenario's. */
  server?: string;
  /** Options of the storage next to its kind. */
  options?: Partial<StorageSpec>;
}

export interface PlanShape {
  scenarios?: ScenarioShape[];
  /** Id `storage.path`; default: the first scenario. */
  baselineId?: string;
  aaCheck?: boolean;
  rounds?: number;
  durationSeconds?: number;
  warmupSeconds?: number;
  /** Measures side by side. */
  sliceSeconds?: number;
  connections?: number;
  /** Every scenario with each of several. */
  loadGenerator?: Preset['loadGenerator'];
  /** Every scenario once with each of these; the A/A pair is at the middle one. */
  sweep?: Preset['sweep'];
  /** Fields of an `oltp_read_write` workload; with another kind that kind's own. */
  workload?: Record<string, unknown>;
  /** Image of the first setup. */
  image?: Partial<ImageChoice>;
  /** Config of every setup. */
  config?: Partial<Omit<ServerConfig, 'id' | 'image'>>;
  /** Further configs by name, as far as they differ from the first. */
  servers?: Record<string, { name: string; image: Partial<ImageChoice> }>;
  /** Every scenario once in each, with its own config; id → name and MiB of the buffer pool. */
  bufferPools?: Record<string, { name: string; bufferPoolMiB: number }>;
  runtime?: Partial<Passport['runtime']>;
  notices?: Notice[];
  excluded?: (Pick<ScenarioShape, 'storage' | 'path' | 'server'> & {
    bufferPool?: string;
    connections?: number;
    reason: string | Message;
  })[];
  bindRoot?: string;
  /** Size of the dataset, bytes. */
  dataBytes?: number;
  preset?: Partial<Plan['preset']>;
  consents?: Plan['consents'];
  reference?: Plan['reference'];
  /** The user's service that is measured. */
  userDatabase?: Plan['database'];
}

/** The grid of the built-in preset: three storages by three paths. */
export const GRID: ScenarioShape[] = (['named-volume', 'bind-mount', 'container-layer'] as const).flatMap(
  (storage) =>
    (['published-port', 'user-bridge', 'host-network'] as const).map((path) => ({ storage, path })),
);

export const BUFFER_POOLS = {
  'io-bound': { name: 'Small buffer pool (I/O-bound)', bufferPoolMiB: 256 },
  'in-memory': { name: 'Large buffer pool (in memory)', bufferPoolMiB: 16_384 },
};

export function makePassport(runtime: Partial<Passport['runtime']> = {}): Passport {
  return passportSchema.parse({
    runtime: {
      kind: 'docker-engine',
      remote: false,
      name: 'Docker Engine 28.1.1',
      engineVersion: '28.1.1',
      apiVersion: '1.49',
      vm: false,
      rootless: false,
      selinux: false,
      operatingSystem: 'Ubuntu 24.04.2 LTS',
      kernel: '6.8.0-60-generic',
      architecture: 'x86_64',
      cpus: 8,
      memoryBytes: 16 * 2 ** 30,
      storageDriver: 'overlay2',
      fileSharing: 'native',
      hostNetworking: true,
      ...runtime,
    },
    host: {
      platform: 'linux',
      release: '6.8.0-60-generic',
      architecture: 'x64',
      cpuModel: 'AMD Ryzen 7 5800X',
      cpus: 8,
      memoryBytes: 16 * 2 ** 30,
    },
  });
}

/** The plan on another engine than the builder's. */
export function onEngine<P extends Pick<Plan, 'engines'>>(plan: P, engine: Partial<PlanEngine>): P {
  return { ...plan, engines: [{ ...plan.engines[0], ...engine }] };
}

/** Alike but for their names. */
export function twoEngines(
  { engines: [engine] }: Pick<Plan, 'engines'>,
  ids: [string, string],
): Plan['engines'] {
  const named = (id: string): PlanEngine => ({ ...engine, id, name: id, runtimeId: id });
  return [named(ids[0]), named(ids[1])];
}

/** The plan of a preset of this shape, by the planner's own rules, for an engine that has what it needs. */
export function makePlan(shape: PlanShape = {}): Plan {
  const { preset, scenarios: possible } = resolvedPreset(presetOf(shape));
  const [baseline = ''] = [preset.baseline].flat();
  const passport = makePassport(shape.runtime);
  const [engine] = planEngines([{ id: 'context:default', passport }]);
  const scenarios = planScenarios(preset, possible, { engine: engine.id, baseline });
  // The A/A repeat comes last where there are no groups.
  if (shape.bufferPools === undefined && shape.sweep === undefined)
    scenarios.sort((a, b) => Number(a.isAaRepeat) - Number(b.isAaRepeat));
  const rounds = shape.rounds ?? 5;
  const random = createRandom(7);
  const ids = scenarios.map(({ id }) => id);
  const options = new Map(possible.map((spec) => [configId(spec), []]));
  const configs = planConfigs(preset, engine.id, possible, null, imagesOf(shape), options);
  return {
    id: 'plan-1',
    preset: { id: preset.id, name: preset.name, question: preset.question },
    mode: 'full',
    engines: [engine],
    clientEngine: null,
    configs: configs.map((config) => ({ ...config, ...shape.config })),
    workload: preset.workload,
    connections: Math.max(...connectionLevels(preset)),
    task: preset.task ?? null,
    transport: 'loop',
    scenarios,
    groups: shape.sliceSeconds === undefined ? [] : [[...new Set(scenarios.map((one) => one.serverId))]],
    excluded: (shape.excluded ?? []).map(({ bufferPool, connections, reason, ...one }) => {
      const identity = identityOf(preset, onlyScenario(shape, one, bufferPool, connections), engine.id);
      const said = typeof reason === 'string' ? plain(reason) : reason;
      return excludedScenarioSchema.parse({ ...identity, reason: said });
    }),
    baselineId: possible.find(({ baseId }) => baseId === baseline)?.id ?? '',
    equivalence: preset.equivalence,
    schedule: { ...preset.schedule, rounds },
    seed: 7,
    rounds: Array.from({ length: rounds }, () => shuffled(ids, random)),
    bindRoot: shape.bindRoot ?? null,
    toPrepare: [],
    clientImage: null,
    consents: shape.consents ?? [],
    reference: shape.reference ?? null,
    database: shape.userDatabase ?? null,
    estimate: { seconds: 640, diskBytes: 2.4e9, dataBytes: shape.dataBytes ?? 23_600_000 },
    notices: shape.notices ?? [],
  };
}

/** Storages with options are named by their kind, with the number of their scenario where two differ. */
function withNames(shapes: readonly ScenarioShape[]) {
  const storages: Record<string, object> = {};
  const scenarios = shapes.map(({ storage, options, ...others }, index) => {
    const spec = { kind: storage, ...options };
    const isTaken = JSON.stringify(storages[storage] ?? spec) !== JSON.stringify(spec);
    const name = isTaken ? `${storage}-${index}` : storage;
    if (options !== undefined) storages[name] = spec;
    return { ...others, storage: name };
  });
  return { storages, scenarios };
}

function presetOf(shape: PlanShape): Preset {
  const { storages, scenarios } = withNames(shape.scenarios ?? GRID);
  const [first] = scenarios;
  const firstId = first && [first.server ?? [], first.storage, first.path].flat().join('.');
  return presetObjectSchema.parse({
    whalemark: 1,
    id: 'docker-options',
    name: 'Docker storage and network',
    question: 'Which Docker storage and network slow my MySQL down?',
    ...shape.preset,
    server: {
      image: shape.image?.requested ?? 'mysql:8.4',
      settings: { bufferPool: 256, redoLogMiB: 256, flushLogAtTrxCommit: 1, binlog: false, syncBinlog: 1 },
    },
    servers: Object.fromEntries(
      Object.entries(shape.servers ?? {}).map(([id, { name, image }]) => [
        id,
        { name, image: image.requested ?? `${id}:1` },
      ]),
    ),
    bufferPools: Object.fromEntries(
      Object.entries(shape.bufferPools ?? {}).map(([id, { name, bufferPoolMiB }]) => [
        id,
        { name, bufferPool: bufferPoolMiB },
      ]),
    ),
    workload: {
      kind: 'oltp_read_write',
      ...(shape.workload?.['kind'] === 'tpcc' ? {} : { tables: 4, tableSize: 25_000, rangeSize: 100 }),
      ...shape.workload,
    },
    ...{ storages, scenarios },
    baseline: shape.baselineId ?? firstId ?? '',
    aaCheck: shape.aaCheck ?? true,
    loadGenerator: shape.loadGenerator,
    connections: shape.sweep === undefined ? (shape.connections ?? 8) : undefined,
    sweep: shape.sweep,
    schedule: {
      rounds: Math.max(1, shape.rounds ?? 5),
      warmupSeconds: shape.warmupSeconds ?? 2,
      durationSeconds: shape.durationSeconds ?? 5,
      ...(shape.sliceSeconds === undefined ? {} : { sliceSeconds: shape.sliceSeconds }),
    },
  });
}

/** A scenario that the plan has not. */
function onlyScenario(
  shape: PlanShape,
  one: ScenarioShape,
  bufferPool: string | undefined,
  connections: number | undefined,
): PresetScenario {
  const found = presetScenarios(presetOf({ ...shape, scenarios: [one] })).find(
    (spec) =>
      (bufferPool === undefined || spec.server === serverInPool(one.server, bufferPool)) &&
      (connections === undefined || spec.connections === connections),
  );
  if (found === undefined) throw new Error('a scenario was expected');
  return found;
}

/** Images by requested reference. */
function imagesOf(shape: PlanShape): Map<string, ImageChoice> {
  const own: ImageChoice = {
    requested: 'mysql:8.4',
    used: 'mysql:8.4',
    imageId: `sha256:${'5c'.repeat(32)}`,
    digest: null,
    flavor: 'mysql',
    version: '8.4.5',
    architecture: 'amd64',
    substituted: false,
    reason: null,
    ...shape.image,
  };
  return new Map([
    [own.requested, own],
    ...Object.entries(shape.servers ?? {}).map(([id, { image }]) => {
      const requested = image.requested ?? `${id}:1`;
      return [requested, { ...own, ...image, requested }] as const;
    }),
  ]);
}
