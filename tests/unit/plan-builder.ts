import type { PathKind, StorageKind } from '../../src/shared/model/names.ts';
import { passportSchema, type Passport } from '../../src/shared/model/passport.ts';
import type { ImageChoice, Notice, Plan, Scenario } from '../../src/shared/model/plan.ts';
import type { Workload } from '../../src/shared/model/preset.ts';
import { createRandom, shuffled } from '../../src/shared/random.ts';

export interface ScenarioShape {
  storage: StorageKind;
  path: PathKind;
  name?: string;
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
  workload?: Partial<Workload>;
  image?: Partial<ImageChoice>;
  runtime?: Partial<Passport['runtime']>;
  notices?: Notice[];
  excluded?: Plan['excluded'];
  bindRoot?: string;
}

const STORAGE_NAMES = {
  'named-volume': 'named volume',
  'bind-mount': 'bind mount',
  'image-layer': 'image layer',
  tmpfs: 'tmpfs',
};
const PATH_NAMES = {
  'published-port': 'published port',
  'user-bridge': 'client container on the bridge',
  'host-network': 'host network',
};

/** The grid of the built-in preset: three storages by three paths. */
export const GRID: ScenarioShape[] = (['named-volume', 'bind-mount', 'image-layer'] as const).flatMap(
  (storage) =>
    (['published-port', 'user-bridge', 'host-network'] as const).map((path) => ({ storage, path })),
);

export function makePassport(runtime: Partial<Passport['runtime']> = {}): Passport {
  return passportSchema.parse({
    runtime: {
      kind: 'docker-engine',
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
      fileSharingEvidence: 'no VM',
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
  const connections = shape.connections ?? 8;
  const ids = shapes.map(({ storage, path }) => `${storage}.${path}`);
  const baselineId = shape.baselineId ?? ids[0] ?? '';
  const scenarios: Scenario[] = shapes.map(({ storage, path, name }, index) => ({
    id: ids[index] ?? '',
    name: name ?? `${STORAGE_NAMES[storage]} × ${PATH_NAMES[path]}`,
    storage: { kind: storage },
    path,
    placement: path === 'user-bridge' ? 'container' : 'host',
    serverId: `${storage}.${path === 'host-network' ? 'host' : 'bridge'}`,
    connections,
    driver: 'node',
    isBaseline: ids[index] === baselineId,
    isNoiseFloor: false,
  }));
  const baseline = scenarios.find(({ isBaseline }) => isBaseline);
  if (baseline !== undefined && shape.noiseFloor !== false) {
    scenarios.push({
      ...baseline,
      id: `${baseline.id}~again`,
      name: `${baseline.name} (again)`,
      isBaseline: false,
      isNoiseFloor: true,
    });
  }
  const rounds = shape.rounds ?? 5;
  const random = createRandom(7);
  return {
    id: 'plan-1',
    preset: { id: 'compare-my-setup', name: 'Compare my setup', question: 'What does Docker cost my MySQL?' },
    mode: 'full',
    runtimeId: 'context:default',
    passport,
    image: {
      requested: 'mysql:8.4',
      used: 'mysql:8.4',
      imageId: `sha256:${'5c'.repeat(32)}`,
      flavour: 'mysql',
      version: '8.4.5',
      architecture: 'amd64',
      substituted: false,
      reason: null,
      ...shape.image,
    },
    settings: { bufferPoolMiB: 256, redoLogMiB: 256, flushLogAtTrxCommit: 1, binlog: false, syncBinlog: 1 },
    workload: {
      kind: 'oltp_read_write',
      tables: 4,
      tableSize: 25_000,
      rangeSize: 100,
      distribution: 'uniform',
      ...shape.workload,
    },
    connections,
    scenarios,
    excluded: shape.excluded ?? [],
    baselineId,
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
    estimate: { seconds: 640, diskBytes: 2.4e9, dataBytes: 23_600_000 },
    notices: shape.notices ?? [],
  };
}
