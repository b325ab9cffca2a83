import { readFile } from 'node:fs/promises';
import { plain } from '../../../helpers/messages.ts';
import { reportAssets } from '../../../../scripts/build/report-assets.mjs';
import type { PngAssets } from '../../../../src/benchmark/report/png.ts';
import oracle from '../../../../assets/reference/oracle-2016-storage.json' with { type: 'json' };
import percona from '../../../../assets/reference/percona-2016-network-paths.json' with { type: 'json' };
import type { PathKind } from '../../../../src/shared/kinds/paths.ts';
import type { StorageKind } from '../../../../src/shared/kinds/storages.ts';
import { referenceFileSchema, type PlanReference } from '../../../../src/shared/model/reference.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { demoOutcomes, makeState, sampleState, type ScenarioShape, type StateShape } from '../../builders.ts';
import { BASE, BIND, TWO } from '../../shared/analysis/analysis-helpers.ts';

const PATHS = ['published-port', 'user-bridge', 'host-network'] as const;

const TWELVE: ScenarioShape[] = (['named-volume', 'bind-mount', 'container-layer', 'tmpfs'] as const).flatMap(
  (storage) => PATHS.map((path) => ({ storage, path })),
);

/** Published numbers as a plan has them: scenario id → id of a published cell. */
function publishedFor(file: unknown, cells: Record<string, string>): PlanReference {
  const { cells: all, claims, ...about } = referenceFileSchema.parse(file);
  const cell = (id: string) => {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no cell ${id}`);
    return found;
  };
  const scenariosOf = (cellId: string): string[] =>
    Object.entries(cells).flatMap(([scenarioId, of]) => (of === cellId ? [scenarioId] : []));
  return {
    ...about,
    claims: claims.map(({ of, against, ...claim }) => ({
      ...claim,
      pairs: of.flatMap((id, index) =>
        scenariosOf(id).flatMap((scenarioId) =>
          scenariosOf(against[index] ?? '').flatMap((referenceId) =>
            scenarioId.split('.').at(-1) === referenceId.split('.').at(-1)
              ? [{ scenarioId, referenceId }]
              : [],
          ),
        ),
      ),
    })),
    cells: Object.entries(cells).map(([scenarioId, id]) => {
      const { label, tps, baseline } = cell(id);
      return { scenarioId, label, tps, ratio: tps / cell(baseline).tps, otherPath: null, figures: [] };
    }),
  };
}

const ORACLE_CELLS = {
  'native.loopback': 'stock',
  'named-volume.host-network': 'volume.host',
  'bind-mount.host-network': 'directory.host',
  'data-container.host-network': 'data-container.host',
  'named-volume.published-port': 'volume.bridge',
  'bind-mount.published-port': 'directory.bridge',
  'data-container.published-port': 'data-container.bridge',
};
export const BUFFER_POOLS = {
  'io-bound': { name: 'I/O-bound', bufferPoolMiB: 11 },
  'in-memory': { name: 'In memory', bufferPoolMiB: 205 },
};

function bufferPoolsOutcomes(): Record<string, number[]> {
  const factors = [1, 0.98, 0.97, 0.99, 0.84, 0.8, 0.83];
  const all = Object.keys(BUFFER_POOLS).flatMap((bufferPool): [string, number][] => [
    ...Object.keys(ORACLE_CELLS).map((id, index): [string, number] => [
      `${id}.${bufferPool}`,
      bufferPool === 'io-bound' ? 1 : (factors[index] ?? 1),
    ]),
    [`native.loopback.${bufferPool}~again`, 1],
  ]);
  return demoOutcomes(Object.fromEntries(all), { rounds: 3 });
}

/** Seven scenarios in each of two buffer-pool sizes, two A/A pairs, published numbers: the built-in preset oracle-2016-storage. */
export function bufferPoolsState(shape: StateShape = {}): RunState {
  const cells = Object.keys(BUFFER_POOLS).flatMap((bufferPool) =>
    Object.entries(ORACLE_CELLS).map(([id, cell]): [string, string] => [
      `${id}.${bufferPool}`,
      `${cell}.${bufferPool}`,
    ]),
  );
  return makeState({
    scenarios: Object.keys(ORACLE_CELLS).map((id) => shapeOf(id)),
    bufferPools: BUFFER_POOLS,
    rounds: 3,
    outcomes: bufferPoolsOutcomes(),
    workload: { kind: 'oltp_complex', tables: 1, tableSize: 400_000, distribution: 'special' },
    config: { native: { binary: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.5' } },
    reference: publishedFor(oracle, Object.fromEntries(cells)),
    preset: {
      id: 'oracle-2016-storage',
      name: 'Storage types × network (Oracle 2016)',
      question: "How do Docker's storage types and bridge network compare with MySQL without Docker?",
    },
    ...shape,
  });
}

/** Two scenarios: the second one's flushes stop in a cache, and the client was the limit of both. */
export function markedState(shape: StateShape = {}): RunState {
  return makeState({
    ...{ scenarios: TWO, rounds: 3, aaCheck: false },
    outcomes: { [BASE]: [400, 402, 398], [BIND]: [800, 804, 797] },
    flushUs: { [BIND]: 3.4 },
    client: { cpuShare: 0.93 },
    ...shape,
  });
}

const PERCONA_CELLS = {
  'named-volume.published-port': 'port-forward',
  'named-volume.host-network': 'net-host',
  'named-volume.user-bridge': 'bridge',
  'named-volume.shared-netns': 'shared-netns',
  'native.loopback': 'bare-metal',
};

/** Five paths with both load generators, published numbers: the built-in preset percona-2016-network-paths. */
export function loadGeneratorsState(shape: StateShape = {}): RunState {
  const loadGenerators = ['builtin', 'sysbench'] as const;
  const each = <T>(
    make: (id: string, cell: string, loadGenerator: (typeof loadGenerators)[number], index: number) => T,
  ): T[] =>
    Object.entries(PERCONA_CELLS).flatMap(([id, cell], index) =>
      loadGenerators.map((loadGenerator) => make(id, cell, loadGenerator, index)),
    );
  const factors = [0.72, 0.98, 0.9, 1.01, 1];
  const outcomes: Record<string, number> = Object.fromEntries(
    each((id, _, loadGenerator, index): [string, number] => [
      `${id}.${loadGenerator}`,
      (factors[index] ?? 1) * (loadGenerator === 'sysbench' ? 1.6 : 1),
    ]),
  );
  return makeState({
    scenarios: Object.keys(PERCONA_CELLS).map(shapeOf),
    loadGenerator: ['builtin', 'sysbench'],
    baselineId: 'native.loopback',
    rounds: 3,
    outcomes: demoOutcomes({ ...outcomes, 'native.loopback.builtin~again': 1 }, { rounds: 3 }),
    workload: { kind: 'oltp_read_only', tables: 8, tableSize: 50_000, distribution: 'special' },
    config: { native: { binary: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.5' } },
    reference: publishedFor(
      percona,
      Object.fromEntries(
        each((id, cell, loadGenerator): [string, string] => [`${id}.${loadGenerator}`, cell]),
      ),
    ),
    preset: {
      id: 'percona-2016-network-paths',
      name: 'Network paths (Percona 2016)',
      question: 'How much do published port, bridge network, and host network cost MySQL?',
    },
    ...shape,
  });
}

const SWEEP = [1, 2, 4, 8, 16, 32, 64];
/** Relative throughput at each level of the two paths: the second saturates sooner. */
const SWEEP_FACTORS = {
  'named-volume.container-ip': [0.2, 0.38, 0.7, 1, 1.1, 1.12, 1.05],
  'named-volume.published-port': [0.17, 0.32, 0.6, 0.75, 0.8, 0.8, 0.74],
};

/** Two paths over seven levels: the built-in preset connection-sweep. */
export function sweepState(shape: StateShape = {}): RunState {
  const factors = Object.entries(SWEEP_FACTORS).flatMap(([id, all]) =>
    all.map((factor, index): [string, number] => [`${id}.c${SWEEP[index] ?? 0}`, factor]),
  );
  return makeState({
    scenarios: Object.keys(SWEEP_FACTORS).map((id) => shapeOf(id)),
    sweep: SWEEP,
    outcomes: demoOutcomes(
      { ...Object.fromEntries(factors), 'named-volume.container-ip.c8~again': 1 },
      { rounds: 5 },
    ),
    preset: {
      id: 'connection-sweep',
      name: 'Connection sweep',
      question: 'How many connections until throughput stops growing?',
    },
    ...shape,
  });
}

/** TPC-C-like on three servers, one of them a stand-in. */
function tpccState(shape: StateShape = {}): RunState {
  return makeState({
    scenarios: [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'named-volume', path: 'published-port', server: 'mariadb' },
      { storage: 'named-volume', path: 'published-port', server: 'percona' },
    ],
    servers: {
      mariadb: {
        name: 'MariaDB 11.8',
        image: {
          ...{ requested: 'mariadb:11.8', used: 'mariadb:11.8', flavor: 'mariadb', version: '11.8.6' },
          digest: `sha256:${'d1'.repeat(32)}`,
        },
      },
      percona: {
        name: 'Percona Server 8.4',
        image: {
          requested: 'percona/percona-server:8.4',
          used: 'percona/percona-server:8.0',
          flavor: 'percona',
          version: '8.0.42-33',
          substituted: true,
          reason: 'no such host',
        },
      },
    },
    rounds: 3,
    outcomes: demoOutcomes(
      { [BASE]: 0.3, [`mariadb.${BASE}`]: 0.42, [`percona.${BASE}`]: 0.29, [`${BASE}~again`]: 0.3 },
      { rounds: 3 },
    ),
    workload: { kind: 'tpcc', warehouses: 2 },
    preset: { question: 'Which server is fastest on my machine?' },
    ...shape,
  });
}

function shapeOf(id: string): ScenarioShape {
  const [storage, path] = id.split('.');
  return { storage: storage as StorageKind, path: path as PathKind };
}

/** A run with a text in every place that the report has. */
export function talkativeState(): RunState {
  const state = makeState({
    rounds: 2,
    scenarios: TWO,
    outcomes: { [BIND]: [300, 'SERVER_EXITED'] },
    excluded: [{ storage: 'tmpfs', path: 'published-port', reason: 'no room' }],
    notices: [{ code: 'X', message: plain('see the log') }],
    config: {
      options: ['--innodb-io-capacity=200'],
      native: { binary: '/opt/mysqld', flavor: 'mysql', version: '8.4.5' },
    },
    image: { used: 'mysql:8.0', substituted: true, reason: 'no such host' },
  });
  const [failed] = state.trials.filter(({ status }) => status === 'failed');
  failed?.error?.evidence.push('last line of the log');
  return state;
}

/** Everything that a run can come to, the unlucky ends included. */
export const STATES: Record<string, () => RunState> = {
  'a good run': sampleState,
  'twelve scenarios': () => makeState({ scenarios: TWELVE, rounds: 3, aaCheck: false }),
  'two buffer-pool sizes, published numbers': bufferPoolsState,
  'a sweep': sweepState,
  'a buffer-pool size without its baseline': () => {
    return bufferPoolsState({
      outcomes: {
        ...bufferPoolsOutcomes(),
        'native.loopback.in-memory': ['SERVER_EXITED', 'SERVER_EXITED', 'SERVER_EXITED'],
      },
    });
  },
  'two loadGenerators': loadGeneratorsState,
  'marked scenarios': markedState,
  'a text in every place': talkativeState,
  'TPC-C on three servers': tpccState,
  'extreme ratios': () =>
    makeState({ scenarios: TWO, outcomes: demoOutcomes({ [BASE]: 1, [BIND]: 0.05, [`${BASE}~again`]: 1 }) }),
  'one round': () => makeState({ scenarios: TWO, rounds: 1, outcomes: { [BASE]: [800], [BIND]: [400] } }),
  'stopped early': () =>
    makeState({
      scenarios: TWO,
      outcomes: { [BASE]: [800, 810], [BIND]: [400], [`${BASE}~again`]: [801] },
      outcome: 'stopped',
    }),
  'no baseline': () =>
    makeState({
      scenarios: TWO,
      rounds: 2,
      aaCheck: false,
      outcomes: { [BASE]: ['SERVER_EXITED', 'SERVER_EXITED'] },
    }),
  'nothing measured': () =>
    makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes: { [BASE]: ['LOAD_FAILED'], [BIND]: [], [`${BASE}~again`]: [] },
      outcome: 'failed',
    }),
  'no transactions': () =>
    makeState({ scenarios: TWO, rounds: 2, outcomes: { [BASE]: [800, 800], [BIND]: [0, 0] } }),
  'still going on': () =>
    makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes: { [BASE]: [800], [BIND]: [], [`${BASE}~again`]: [] },
      outcome: null,
    }),
};

/** The assets that the build would have copied. */
export async function pngAssets(): Promise<PngAssets> {
  const files = await Promise.all(
    reportAssets().map(async ({ from, to }) => ({ to, bytes: await readFile(from) })),
  );
  const wasm = files.find(({ to }) => to === 'takumi.wasm')?.bytes;
  if (wasm === undefined) throw new Error('no takumi.wasm among the report assets');
  const han = files.find(({ to }) => to.startsWith('NotoSansSC') && to.endsWith('.ttf'))?.bytes;
  if (han === undefined) throw new Error('no font with Chinese letters among the report assets');
  return {
    wasm,
    fonts: files.filter(({ to }) => /^Inter.*\.ttf$/.test(to)).map(({ bytes }) => bytes),
    hanFont: () => Promise.resolve(han),
  };
}
