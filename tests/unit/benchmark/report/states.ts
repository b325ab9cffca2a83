import { readFile } from 'node:fs/promises';
import { plain } from '../../../helpers/messages.ts';
import { reportAssets } from '../../../../scripts/build/report-assets.mjs';
import type { PngAssets } from '../../../../src/benchmark/report/png.ts';
import { planReference } from '../../../../src/benchmark/plan/reference.ts';
import { presetScenarios } from '../../../../src/shared/model/preset.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { builtIn } from '../../built-in-presets.ts';
import {
  BUFFER_POOLS,
  demoOutcomes,
  GRID,
  makePlan,
  makeState,
  sampleState,
  type ScenarioShape,
  type StateShape,
} from '../../builders.ts';
import { BASE, BIND, TWO } from '../../shared/analysis/analysis-helpers.ts';

/** The scenarios of a built-in preset, with what was published about them. */
async function shapeOf(id: string): Promise<StateShape & { ids: string[] }> {
  const preset = await builtIn(id);
  const { name, question, workload, loadGenerator, sweep, baseline, schedule } = preset;
  const scenarios = new Map(
    presetScenarios(preset).map(({ storage: { kind }, path }): [string, ScenarioShape] => [
      `${kind}.${path}`,
      { storage: kind, path },
    ]),
  );
  const shape = {
    ...{ preset: { id, name, question }, workload, loadGenerator, sweep, rounds: schedule.rounds },
    scenarios: [...scenarios.values()],
    baselineId: [baseline].flat()[0] ?? '',
    ...(Object.keys(preset.bufferPools).length === 0 ? {} : { bufferPools: BUFFER_POOLS }),
    ...(scenarios.has('native.loopback')
      ? { config: { native: { binary: '/usr/sbin/mysqld', flavor: 'mysql', version: '8.4.5' } as const } }
      : {}),
  };
  const reference = await planReference(preset, makePlan(shape).scenarios, 'assets/reference');
  return { ...shape, reference, ids: [...scenarios.keys()] };
}

const { ids: ORACLE_IDS, ...ORACLE } = await shapeOf('oracle-2016-storage');
const { ids: PERCONA_IDS, ...PERCONA } = await shapeOf('percona-2016-network-paths');
const { ids: SWEEP_IDS, ...SWEEP } = await shapeOf('connection-sweep');

function bufferPoolsOutcomes(): Record<string, number[]> {
  const factors = [1, 0.98, 0.97, 0.99, 0.84, 0.8, 0.83, 0.75];
  const all = [...ORACLE_IDS.entries()].flatMap(([index, id]): [string, number][] => [
    [`${id}.io-bound`, 1],
    [`${id}.in-memory`, factors[index] ?? 1],
  ]);
  const again = { 'native.loopback.io-bound~again': 1, 'native.loopback.in-memory~again': 1 };
  return demoOutcomes({ ...Object.fromEntries(all), ...again }, { rounds: 3 });
}

/** Eight scenarios in each of two buffer-pool sizes, two A/A pairs, published numbers. */
export function bufferPoolsState(shape: StateShape = {}): RunState {
  return makeState({ ...ORACLE, outcomes: bufferPoolsOutcomes(), ...shape });
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

/** Five paths with both load generators, published numbers. */
export function loadGeneratorsState(shape: StateShape = {}): RunState {
  const factors = [0.72, 0.98, 0.9, 1.01, 1];
  const outcomes = PERCONA_IDS.flatMap((id, index): [string, number][] => [
    [`${id}.builtin`, factors[index] ?? 1],
    [`${id}.sysbench`, 1.6 * (factors[index] ?? 1)],
  ]);
  const all = { ...Object.fromEntries(outcomes), 'native.loopback.builtin~again': 1 };
  return makeState({ ...PERCONA, outcomes: demoOutcomes(all, { rounds: 3 }), ...shape });
}

/** Two paths over seven levels of connections: the second one saturates sooner. */
export function sweepState(shape: StateShape = {}): RunState {
  const factors = [
    [0.2, 0.38, 0.7, 1, 1.1, 1.12, 1.05],
    [0.17, 0.32, 0.6, 0.75, 0.8, 0.8, 0.74],
  ];
  const all = SWEEP_IDS.flatMap((id, path) =>
    (SWEEP.sweep ?? []).map((level, index): [string, number] => [
      `${id}.c${level}`,
      factors[path]?.[index] ?? 1,
    ]),
  );
  const outcomes = demoOutcomes({ ...Object.fromEntries(all), 'named-volume.container-ip.c8~again': 1 });
  return makeState({ ...SWEEP, outcomes, ...shape });
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

/** A run with a text in every place that the report has. */
export function talkativeState(): RunState {
  const state = makeState({
    rounds: 2,
    scenarios: TWO,
    outcomes: { [BIND]: [300, 'SERVER_EXITED'] },
    errors: { '1213': 3, '1205': 1 },
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
  'twelve scenarios': () => {
    const onTmpfs = GRID.slice(0, 3).map((one) => ({ ...one, storage: 'tmpfs' as const }));
    return makeState({ scenarios: [...GRID, ...onTmpfs], rounds: 3, aaCheck: false });
  },
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
