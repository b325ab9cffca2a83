import { plain } from '../helpers/messages.ts';
import { msg, type Message } from '../../src/shared/message.ts';
import type { PathKind } from '../../src/shared/kinds/paths.ts';
import type { StorageKind } from '../../src/shared/kinds/storages.ts';
import type { DriverKind } from '../../src/shared/model/names.ts';
import { passportSchema, type Passport } from '../../src/shared/model/passport.ts';
import {
  excludedScenarioSchema,
  type ImageChoice,
  type Notice,
  type Plan,
  type Scenario,
  type ScenarioLabel,
  type ServerSetup,
} from '../../src/shared/model/plan.ts';
import type { StorageSpec } from '../../src/shared/model/storage-spec.ts';
import { workloadSchema } from '../../src/shared/model/workload.ts';
import { createRandom, shuffled } from '../../src/benchmark/random.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { labelText } from '../../src/shared/words/labels.ts';

export interface ScenarioShape {
  storage: StorageKind;
  path: PathKind;
  name?: string;
  driver?: DriverKind;
  clientNode?: string;
  /** One of `servers`; its name then stands before the scenario's. */
  server?: string;
  /** Options of the storage beside its kind. */
  options?: Partial<StorageSpec>;
}

export interface PlanShape {
  scenarios?: ScenarioShape[];
  /** Id `storage.path`; default: the first scenario. */
  baselineId?: string;
  noiseFloor?: boolean;
  rounds?: number;
  durationSeconds?: number;
  warmupSeconds?: number;
  connections?: number;
  rate?: number;
  /** Every scenario once with each of these; the A/A pair is at the middle one. */
  ramp?: number[];
  /** Fields of an `oltp_read_write` workload; with another kind that kind's own. */
  workload?: Record<string, unknown>;
  /** Of the first setup. */
  image?: Partial<ImageChoice>;
  /** Of every setup. */
  setup?: Partial<Omit<ServerSetup, 'id' | 'image'>>;
  /** Further setups by name, as far as they differ from the first. */
  servers?: Record<string, { name: string; image: Partial<ImageChoice> }>;
  /** Every scenario once in each, with a setup of its own; id → name and MiB of the buffer pool. */
  regimes?: Record<string, { name: string; bufferPoolMiB: number }>;
  runtime?: Partial<Passport['runtime']>;
  notices?: Notice[];
  excluded?: (Pick<ScenarioShape, 'storage' | 'path' | 'server' | 'driver'> & {
    id?: string;
    regime?: string;
    connections?: number;
    reason: string | Message;
  })[];
  bindRoot?: string;
  /** Size of the dataset, bytes. */
  dataBytes?: number;
  preset?: Partial<Plan['preset']>;
  consents?: Plan['consents'];
  reference?: Plan['reference'];
}

/** Paths whose client runs in a container. */
const IN_CONTAINER: PathKind[] = ['user-bridge', 'shared-netns', 'unix-socket', 'overlay'];

/** The grid of the built-in preset: three storages by three paths. */
export const GRID: ScenarioShape[] = (['named-volume', 'bind-mount', 'image-layer'] as const).flatMap(
  (storage) =>
    (['published-port', 'user-bridge', 'host-network'] as const).map((path) => ({ storage, path })),
);

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
      fileSharingEvidence: msg('sharing.noVm'),
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

export function makePlan(shape: PlanShape = {}): Plan {
  const passport = makePassport(shape.runtime);
  const shapes = shape.scenarios ?? GRID;
  const levels = shape.ramp ?? [shape.connections ?? 8];
  const twiceAt = levels[Math.floor(levels.length / 2)];
  const baselineId = shape.baselineId ?? idOf(shapes[0]);
  const regimes = Object.keys(shape.regimes ?? {});
  const scenarios = (regimes.length === 0 ? [null] : regimes).flatMap((regime) =>
    levels.flatMap((connections) =>
      shapes.flatMap((one) => {
        const scenario = scenarioOf(shape, one, regime, connections, baselineFor(one, shapes, baselineId));
        if (!scenario.isBaseline || shape.noiseFloor === false || connections !== twiceAt) return [scenario];
        if (idOf(one) !== baselineId) return [scenario];
        const label = { ...scenario.label, isRepeat: true };
        const again = { id: `${scenario.id}~again`, label, name: labelText(label, ENGLISH) };
        return [scenario, { ...scenario, ...again, isBaseline: false, isNoiseFloor: true }];
      }),
    ),
  );
  // The A/A scenario stands last where there are no groups, as tests of old results expect.
  if (regimes.length === 0 && shape.ramp === undefined)
    scenarios.sort((a, b) => Number(a.isNoiseFloor) - Number(b.isNoiseFloor));
  const rounds = shape.rounds ?? 5;
  const random = createRandom(7);
  return {
    id: 'plan-1',
    preset: {
      id: 'compare-my-setup',
      name: 'Compare my setup',
      question: 'What does Docker cost my MySQL?',
      ...shape.preset,
    },
    mode: 'full',
    runtimeId: 'context:default',
    passport,
    setups: setupsOf(shape),
    workload: workloadSchema.parse({
      kind: 'oltp_read_write',
      ...(shape.workload?.['kind'] === 'tpcc' ? {} : { tables: 4, tableSize: 25_000, rangeSize: 100 }),
      ...shape.workload,
    }),
    connections: Math.max(...levels),
    rate: shape.rate ?? null,
    scenarios,
    excluded: (shape.excluded ?? []).map(({ id, reason, regime = null, connections = 8, ...one }) => {
      const scenario = scenarioOf(shape, one, regime, connections, baselineId);
      const said = typeof reason === 'string' ? plain(reason) : reason;
      return excludedScenarioSchema.parse({ ...scenario, id: id ?? scenario.id, reason: said });
    }),
    baselineId: `${baselineId}${suffixOf(shape, regimes[0] ?? null, levels[0] ?? 0)}`,
    equivalence: 0.05,
    schedule: {
      rounds,
      warmupSeconds: shape.warmupSeconds ?? 2,
      durationSeconds: shape.durationSeconds ?? 5,
    },
    seed: 7,
    rounds: Array.from({ length: rounds }, () =>
      shuffled(
        scenarios.map(({ id }) => id),
        random,
      ),
    ),
    bindRoot: shape.bindRoot ?? null,
    toPrepare: [],
    consents: shape.consents ?? [],
    reference: shape.reference ?? null,
    estimate: { seconds: 640, diskBytes: 2.4e9, dataBytes: shape.dataBytes ?? 23_600_000 },
    notices: shape.notices ?? [],
  };
}

function idOf(shape: ScenarioShape | undefined): string {
  if (shape === undefined) return '';
  return [shape.server, shape.storage, shape.path, shape.driver]
    .filter((part) => part !== undefined)
    .join('.');
}

/** What ids end with: the regime and, in a ramp, the level. */
function suffixOf({ ramp }: PlanShape, regime: string | null, connections: number): string {
  return `${regime === null ? '' : `.${regime}`}${ramp === undefined ? '' : `.c${connections}`}`;
}

/** Each driver is compared with its own baseline, where that runs under it. */
function baselineFor({ driver }: ScenarioShape, shapes: ScenarioShape[], baselineId: string): string {
  const base = shapes.find((one) => idOf(one) === baselineId);
  const place = (one: ScenarioShape | undefined) => JSON.stringify([one?.server, one?.storage, one?.path]);
  const own = shapes.find((one) => one.driver === driver && place(one) === place(base));
  return base?.driver === driver || own === undefined ? baselineId : idOf(own);
}

function scenarioOf(
  plan: PlanShape,
  shape: ScenarioShape,
  regime: string | null,
  connections: number,
  baselineId: string,
): Scenario {
  const { storage, path, driver, server } = shape;
  const suffix = suffixOf(plan, regime, connections);
  const setupId = `${server ?? 'default'}${regime === null ? '' : `_${regime}`}`;
  const label: ScenarioLabel = {
    given: shape.name ?? null,
    server: server === undefined ? null : (plan.servers?.[server]?.name ?? server),
    storage: shape.options?.nfs === undefined ? storage : 'nfs',
    storageName: shape.options?.name ?? null,
    path,
    fromOtherNode: shape.clientNode !== undefined,
    driver: driver ?? null,
    regime: regime === null ? null : (plan.regimes?.[regime]?.name ?? regime),
    connections: plan.ramp === undefined ? null : connections,
    isRepeat: false,
  };
  return {
    id: `${idOf(shape)}${suffix}`,
    baseId: idOf(shape),
    name: labelText(label, ENGLISH),
    label,
    server: server ?? null,
    storageId: storage,
    setupId,
    storage: { kind: storage, ...shape.options },
    path,
    placement: IN_CONTAINER.includes(path) || driver === 'sysbench' ? 'container' : 'host',
    serverId: `${setupId === 'default' ? '' : `${setupId}.`}${storage}.${path === 'host-network' ? 'host' : 'bridge'}`,
    connections,
    driver: driver ?? 'node',
    regime,
    baselineId: `${baselineId}${suffix}`,
    isBaseline: idOf(shape) === baselineId,
    isNoiseFloor: false,
    clientNode: shape.clientNode ?? null,
  };
}

function setupsOf(shape: PlanShape): [ServerSetup, ...ServerSetup[]] {
  const setup: ServerSetup = {
    id: 'default',
    server: null,
    serverName: null,
    regime: null,
    regimeName: null,
    image: {
      requested: 'mysql:8.4',
      used: 'mysql:8.4',
      imageId: `sha256:${'5c'.repeat(32)}`,
      digest: null,
      flavour: 'mysql',
      version: '8.4.5',
      architecture: 'amd64',
      substituted: false,
      reason: null,
      ...shape.image,
    },
    settings: { bufferPoolMiB: 256, redoLogMiB: 256, flushLogAtTrxCommit: 1, binlog: false, syncBinlog: 1 },
    options: [],
    native: null,
    external: null,
    ...shape.setup,
  };
  const setups: [ServerSetup, ...ServerSetup[]] = [
    setup,
    ...Object.entries(shape.servers ?? {}).map(([id, { name, image }]) => ({
      ...setup,
      id,
      server: id,
      serverName: name,
      image: { ...setup.image, ...image },
    })),
  ];
  const [first, ...others] = Object.entries(shape.regimes ?? {}).flatMap(([id, { name, bufferPoolMiB }]) =>
    setups.map((one) => ({
      ...one,
      id: `${one.id}_${id}`,
      regime: id,
      regimeName: name,
      settings: { ...one.settings, bufferPoolMiB },
    })),
  );
  return first === undefined ? setups : [first, ...others];
}
