import { plain } from '../helpers/messages.ts';
import { msg } from '../../src/shared/message.ts';
import { usesSwarm } from '../../src/shared/kinds/paths.ts';
import type { Story } from './behavior.ts';
import { planReference } from '../../src/benchmark/plan/reference.ts';
import { type Preset, presetScenarios } from '../../src/shared/model/preset.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import {
  BUFFER_POOLS,
  DEMO_FACTORS,
  demoOutcomes,
  demoState,
  onEngine,
  withHost,
  type StateShape,
} from '../unit/builders.ts';

const troubled: StateShape = {
  runtime: {
    kind: 'docker-desktop',
    name: 'Docker Desktop 4.67.0',
    vm: true,
    operatingSystem: 'Docker Desktop',
    kernel: '6.10.14-linuxkit',
    architecture: 'aarch64',
    cpus: 4,
    memoryBytes: 8 * 2 ** 30,
    fileSharing: 'grpcfuse',
    virtualMachine: 'apple',
    hostNetworking: false,
  },
  scenarios: (['named-volume', 'bind-mount', 'container-layer', 'tmpfs'] as const).flatMap((storage) =>
    (['published-port', 'user-bridge'] as const).map((path) => ({ storage, path })),
  ),
  excluded: (['named-volume', 'bind-mount', 'container-layer', 'tmpfs'] as const).map((storage) => ({
    storage,
    path: 'host-network' as const,
    reason: msg('support.desktopHostNetwork'),
  })),
  image: {
    requested: 'mysql:8.4',
    used: 'whalemark-test/mysql:debian-sid',
    version: '9.7.4',
    architecture: 'arm64',
    substituted: true,
    reason: 'registry-1.docker.io: no such host',
  },
  notices: [
    {
      code: 'IMAGE_SUBSTITUTED',
      message: msg('notice.imageSubstituted', {
        requested: 'mysql:8.4',
        reason: 'registry-1.docker.io: no such host',
        used: 'whalemark-test/mysql:debian-sid',
        software: 'mysql 9.7.4',
      }),
    },
  ],
  outcomes: {
    ...demoOutcomes({
      ...DEMO_FACTORS,
      'tmpfs.published-port': 1.7,
      'tmpfs.user-bridge': 1.8,
      'bind-mount.published-port': 0.41,
    }),
    'bind-mount.user-bridge': Array.from({ length: 5 }, () => 'DATADIR_OWNERSHIP' as const),
    'tmpfs.published-port': [1300, 1350, 'STORAGE_FULL', 1290, 1340],
  },
  // Memory flushes nothing.
  flushUs: { tmpfs: 3.4 },
  errors: { '1213': 2 },
};

/**
 * Experiment 1 on a machine without a native MySQL: buffer-pool sizes, published numbers, scenarios that
 * can't run.
 */
async function oracle(preset: Preset, referenceDir: string): Promise<StateShape> {
  const scenarios = (['host-network', 'container-ip'] as const).flatMap((path) =>
    (['named-volume', 'bind-mount', 'data-container'] as const).map((storage) => ({ storage, path })),
  );
  const ids = Object.keys(BUFFER_POOLS).flatMap((bufferPool) =>
    scenarios.map(({ storage, path }) => `${storage}.${path}.${bufferPool}`),
  );
  const published = presetScenarios(preset).filter(({ id }) => ids.includes(id));
  const [scenario] = ids;
  const factors = Object.fromEntries(
    ids.map((id) => [
      id,
      (id.endsWith('in-memory') ? 3.1 : 0.4) *
        (id.includes('container-ip') ? (id.endsWith('in-memory') ? 0.83 : 0.99) : 1) *
        (id.startsWith('bind') ? 0.985 : 1),
    ]),
  );
  const again = Object.fromEntries(
    Object.keys(BUFFER_POOLS).map((bufferPool) => [
      `named-volume.host-network.${bufferPool}~again`,
      factors[`named-volume.host-network.${bufferPool}`] ?? 1,
    ]),
  );
  return {
    preset: { id: preset.id, name: preset.name, question: preset.question },
    runtime: { memoryBytes: 32 * 2 ** 30 },
    scenarios,
    bufferPools: BUFFER_POOLS,
    baselineId: scenario?.replace('.io-bound', '') ?? '',
    rounds: 3,
    workload: { kind: 'oltp_complex', tables: 1, tableSize: 10_000_000 },
    dataBytes: 2.36e9,
    excluded: Object.keys(BUFFER_POOLS).map((bufferPool) => ({
      storage: 'native' as const,
      path: 'loopback' as const,
      bufferPool,
      reason: msg('native.none', { folders: '/usr/sbin' }),
    })),
    reference: await planReference(preset, published, referenceDir),
    outcomes: demoOutcomes({ ...factors, ...again }, { rounds: 3, noise: 0.02 }),
  };
}

/** TPC-C over a swarm's overlay: something to agree to, and other rates. */
const overlay: StateShape = {
  scenarios: [
    { storage: 'named-volume', path: 'published-port' },
    { storage: 'named-volume', path: 'user-bridge' },
    { storage: 'named-volume', path: 'overlay' },
  ],
  workload: { kind: 'tpcc', warehouses: 20, mix: 'sysbench-tpcc' },
  dataBytes: 2e9,
  consents: [
    {
      consent: 'existing-swarm',
      message: msg('consent.existingSwarmOpenPort'),
    },
    {
      consent: 'host-network',
      message: msg('consent.hostNetwork', { images: 'registry.example:5000/team/mysql-patched:8.4' }),
    },
  ],
  excluded: [
    {
      storage: 'named-volume',
      path: 'ingress',
      reason: msg('swarm.ipvsMissing'),
    },
  ],
  config: { options: ['--innodb-flush-method=O_DIRECT'] },
  outcomes: demoOutcomes({
    'named-volume.published-port': 0.3,
    'named-volume.user-bridge': 0.32,
    'named-volume.overlay': 0.24,
    'named-volume.published-port~again': 0.3,
  }),
};

/** Three levels: one path has its knee between them, the other still rises at the last. */
const sweep: StateShape = {
  scenarios: [
    { storage: 'named-volume', path: 'container-ip' },
    { storage: 'named-volume', path: 'published-port' },
  ],
  sweep: [1, 4, 16],
  rounds: 3,
  outcomes: demoOutcomes(
    {
      'named-volume.container-ip.c1': 0.2,
      'named-volume.container-ip.c4': 0.75,
      'named-volume.container-ip.c4~again': 0.75,
      'named-volume.container-ip.c16': 0.9,
      'named-volume.published-port.c1': 0.1,
      'named-volume.published-port.c4': 0.25,
      'named-volume.published-port.c16': 0.8,
    },
    { rounds: 3 },
  ),
};

/** The results of a preset's run in a story. */
export async function shapeFor(story: Story, preset: Preset, referenceDir: string): Promise<StateShape> {
  if (preset.id === 'oracle-2016-storage') return oracle(preset, referenceDir);
  const shape = { 'overlay-network': overlay, 'connection-sweep': sweep }[preset.id] ?? mainShape(story);
  const here = presetScenarios(preset).filter(({ path }) => !usesSwarm(path));
  return {
    ...shape,
    preset: { id: preset.id, name: preset.name, question: preset.question },
    ...(shape === overlay ? { reference: await planReference(preset, here, referenceDir) } : {}),
  };
}

/** The results of home's preset. */
export function mainShape(story: Story): StateShape {
  if (story === 'troubled') return troubled;
  const plain = { outcomes: demoOutcomes(DEMO_FACTORS) };
  // Rounds enough that it doesn't end while a slow machine looks at it.
  if (story === 'side-by-side') return { ...plain, sliceSeconds: 1, durationSeconds: 8, rounds: 30 };
  return story === 'small' ? { ...plain, runtime: { memoryBytes: 600 * 2 ** 20 } } : plain;
}

/** A finished run in which the machine did something else for some seconds of the second and third round. */
export function disturbedState(): RunState {
  const swapping = { kind: 'swapping' as const, windows: [1, 2], value: 900, name: null };
  const steal = { kind: 'steal' as const, windows: [2, 3], value: 0.2, name: null };
  return withHost(demoState(), {
    'r2.named-volume.published-port': [swapping],
    'r3.bind-mount.user-bridge': [steal],
  });
}

/** A run with private details: names, addresses, and paths of its machine. */
export function withPrivateDetails(state: RunState): RunState {
  const message =
    'The engine of annas-laptop at ssh://anna:geheim@10.4.5.6:22 keeps its files in /home/anna/docker.';
  return {
    ...state,
    plan: onEngine(state.plan, { runtimeId: 'context:annas-laptop' }),
    notices: [...state.notices, { code: 'X', message: plain(message) }],
  };
}
