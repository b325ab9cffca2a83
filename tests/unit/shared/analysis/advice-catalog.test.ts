import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { recommendationsOf } from '../../../../src/shared/analysis/recommendations.ts';
import type { AdviceCode } from '../../../../src/shared/analysis/advice.ts';
import type { Recommendation, ScenarioAnalysis } from '../../../../src/shared/analysis/analysis.ts';
import type { StatementFigures } from '../../../../src/shared/analysis/trial-figures.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { makeState, type ScenarioShape, type StateShape, twoEngines } from '../../builders.ts';

interface Case extends Omit<StateShape, 'scenarios' | 'outcomes'> {
  /** Scenarios with their throughput. */
  tps: [ScenarioShape, number][];
  /** Throughput of the second pool as a share of the first's, and of the A/A repeat as one of its baseline's. */
  share?: number;
  plan?: (plan: Plan) => Plan;
  tuned?: (one: ScenarioAnalysis) => Partial<ScenarioAnalysis>;
}

const on = (storage: ScenarioShape['storage'], path: ScenarioShape['path'] = 'published-port') => ({
  storage,
  path,
});
const [VOLUME, FOLDER, LAYER, MEMORY] = [
  on('named-volume'),
  on('bind-mount'),
  on('container-layer'),
  on('tmpfs'),
];
const nfs = {
  nfs: { address: '192.0.2.1', path: '/data', version: '4.2' as const, soft: false, lock: true },
};
const NFS = { ...on('nfs'), options: nfs };
const over = (path: ScenarioShape['path']) => on('named-volume', path);

function adviceOf({ tps, share = 1, plan, tuned, ...more }: Case): Recommendation[] {
  const shape = { aaCheck: false, rounds: 4, ...more, scenarios: tps.map(([one]) => one) };
  const planned = makeState(shape).plan.scenarios;
  const outcomes = planned.map(({ id, storage, path, server, isAaRepeat }): [string, number[]] => {
    const isOwn = ({ server: named = '', ...one }: ScenarioShape): boolean =>
      one.storage === storage.kind && one.path === path && id.startsWith(named);
    const own = tps.find(([one]) => isOwn(one))?.[1] ?? 0;
    const rate = isAaRepeat || server === 'default_second' ? own * share : own;
    return [id, [rate, rate * 1.01, rate * 0.99, rate]];
  });
  const state = makeState({ ...shape, outcomes: Object.fromEntries(outcomes) });
  const run = { ...state, plan: plan?.(state.plan) ?? state.plan };
  const analysis = analyze(run);
  if (tuned === undefined) return analysis.recommendations;
  return recommendationsOf(run, {
    ...analysis,
    scenarios: analysis.scenarios.map((one) => ({ ...one, ...tuned(one) })),
  });
}

const latency = (each: number, meanUs: number): StatementFigures => ({
  ...{ each, meanUs, count: 1, minUs: meanUs, p50Us: meanUs, p95Us: meanUs, p99Us: meanUs, maxUs: meanUs },
});
/** Ten reads of 100 µs, and a commit. */
const committing =
  (commitUs: number, flushUs: number | null) =>
  ({ figures }: ScenarioAnalysis) => ({
    figures: { ...figures, flushUs, statements: { point: latency(10, 100), commit: latency(1, commitUs) } },
  });
const settings =
  (change: Partial<Plan['configs'][number]['settings']>) =>
  (plan: Plan): Plan => ({
    ...plan,
    configs: plan.configs.map((one) => ({ ...one, settings: { ...one.settings, ...change } })),
  });
/** The folder's server alone waited for its CPU quota. */
const throttled = ({ label, figures }: ScenarioAnalysis) => ({
  figures: { ...figures, throttledShare: label.storage === 'bind-mount' ? 0.4 : 0.1 },
});
const cpus =
  (...limits: (number | null)[]) =>
  (plan: Plan): Plan => {
    const [first] = plan.configs;
    if (first === undefined) throw new Error('a plan has a setup');
    return {
      ...plan,
      configs: limits.map((limit, index) => ({
        ...first,
        id: index === 0 ? first.id : `other-${index}`,
        limits: { cpus: limit, memoryMiB: null },
      })),
    };
  };
const pools = (first: number, second: number) => ({
  bufferPools: {
    first: { name: 'First', bufferPoolMiB: first },
    second: { name: 'Second', bufferPoolMiB: second },
  },
});
const faster = (slow: ScenarioShape, fast: ScenarioShape): [ScenarioShape, number][] => [
  [slow, 500],
  [fast, 1000],
];
const alike = (...all: ScenarioShape[]): [ScenarioShape, number][] => all.map((one) => [one, 1000]);
const desktop = (fileSharing: 'grpcfuse' | 'osxfs' | 'virtiofs' | 'unknown') => ({
  runtime: { kind: 'docker-desktop' as const, vm: true, fileSharing },
});
const SERVERS = { main: { name: 'main', image: {} }, other: { name: 'other', image: {} } };
const [MAIN, OTHER] = [
  { ...VOLUME, server: 'main' },
  { ...VOLUME, server: 'other' },
];
const timed =
  (task: Plan['task'], flushOfOther: 1 | 2 = 1) =>
  (plan: Plan): Plan => ({
    ...plan,
    task,
    configs: plan.configs.map((one) => ({
      ...one,
      settings: { ...one.settings, flushLogAtTrxCommit: one.server === 'other' ? flushOfOther : 1 },
    })),
  });
const [READY, IMPORT] = [{ kind: 'ready' }, { kind: 'import' }] as const;
/** Below any disk's time for a flush. */
const UNSAFE_US = 4;

const CATALOG: Record<
  Exclude<AdviceCode, 'run-until-conclusive'>,
  { advised: Case[]; never: Record<string, Case> }
> = {
  'rerun-quiet': {
    advised: [{ tps: alike(VOLUME, FOLDER), aaCheck: true, share: 0.8 }],
    never: { 'the A/A check passed': { tps: alike(VOLUME, FOLDER), aaCheck: true } },
  },
  'use-named-volume': {
    advised: [{ tps: faster(FOLDER, VOLUME) }, { tps: faster(on('data-container'), VOLUME) }],
    never: {
      'both are as fast': { tps: alike(FOLDER, VOLUME) },
      'the folder is faster': { tps: faster(VOLUME, FOLDER) },
      'only the volume isn’t durable': {
        tps: faster(FOLDER, VOLUME),
        flushUs: { 'named-volume': UNSAFE_US, 'bind-mount': 270 },
      },
      'only memory is faster': { tps: faster(FOLDER, MEMORY) },
    },
  },
  'leave-nfs': {
    advised: [{ tps: faster(NFS, VOLUME) }],
    never: {
      'NFS is as fast': { tps: alike(NFS, VOLUME) },
      'only what loses data is faster': { tps: faster(NFS, LAYER) },
      'only a volume without a name is faster': { tps: faster(NFS, on('anonymous-volume')) },
    },
  },
  'keep-safe-storage': {
    advised: [
      { tps: faster(LAYER, VOLUME) },
      { tps: faster(VOLUME, LAYER) },
      { tps: alike(VOLUME, on('anonymous-volume')) },
      { tps: alike(LAYER) },
      { tps: faster(VOLUME, MEMORY) },
      {
        tps: faster(FOLDER, VOLUME),
        flushUs: { 'named-volume': UNSAFE_US, 'bind-mount': 270 },
      },
    ],
    never: {
      'everything keeps data': { tps: faster(VOLUME, FOLDER) },
      'memory is for a test that was timed': { tps: faster(VOLUME, MEMORY), plan: timed(IMPORT) },
      'memory is what the user chose': { tps: faster(VOLUME, MEMORY), baselineId: 'tmpfs.published-port' },
      'memory isn’t faster': { tps: alike(VOLUME, MEMORY) },
      'nothing isn’t durable but slower': {
        tps: faster(VOLUME, FOLDER),
        flushUs: { 'named-volume': UNSAFE_US, 'bind-mount': 270 },
      },
    },
  },
  'not-durable': {
    advised: [
      {
        tps: alike(VOLUME, FOLDER),
        flushUs: { 'named-volume': UNSAFE_US, 'bind-mount': UNSAFE_US },
      },
    ],
    never: {
      'one is durable': { tps: alike(VOLUME, FOLDER), flushUs: { 'named-volume': UNSAFE_US } },
      'only memory is measured': { tps: alike(MEMORY), flushUs: { tmpfs: UNSAFE_US } },
    },
  },
  'use-virtiofs': {
    advised: [
      { tps: faster(FOLDER, VOLUME), ...desktop('grpcfuse') },
      { tps: [...faster(FOLDER, VOLUME)].reverse(), ...desktop('osxfs') },
    ],
    never: {
      'the folder isn’t slower': { tps: alike(FOLDER, VOLUME), ...desktop('grpcfuse') },
      'it is VirtioFS': { tps: faster(FOLDER, VOLUME), ...desktop('virtiofs') },
      'it is unknown, as on WSL 2': { tps: faster(FOLDER, VOLUME), ...desktop('unknown') },
      'the engine has no such setting': {
        tps: faster(FOLDER, VOLUME),
        runtime: { kind: 'colima', vm: true, fileSharing: 'osxfs' },
      },
      'only memory is faster': { tps: faster(FOLDER, MEMORY), ...desktop('grpcfuse') },
    },
  },
  'use-native-image': {
    advised: [{ tps: alike(VOLUME), image: { architecture: 'aarch64' } }],
    never: { 'the image is native': { tps: alike(VOLUME), image: { architecture: 'amd64' } } },
  },
  'connect-over-bridge': {
    advised: [{ tps: faster(VOLUME, over('user-bridge')) }],
    never: {
      'it is as fast': { tps: alike(VOLUME, over('user-bridge')) },
      'the host network is what is slower': { tps: faster(over('host-network'), over('user-bridge')) },
    },
  },
  'use-host-network': {
    advised: [{ tps: faster(VOLUME, over('host-network')) }],
    never: {
      'it is slower': { tps: faster(over('host-network'), VOLUME) },
      'it is slower with another storage type': {
        tps: [
          ...faster(VOLUME, over('host-network')),
          [FOLDER, 1000],
          [on('bind-mount', 'host-network'), 800],
        ],
      },
      'a bridge is what is slower': { tps: faster(over('user-bridge'), over('host-network')) },
    },
  },
  'share-network': {
    advised: [{ tps: faster(VOLUME, over('shared-netns')) }],
    never: { 'it is as fast': { tps: alike(VOLUME, over('shared-netns')) } },
  },
  'use-socket': {
    advised: [{ tps: faster(VOLUME, over('unix-socket')) }],
    never: { 'it is as fast': { tps: alike(VOLUME, over('unix-socket')) } },
  },
  'leave-overlay': {
    advised: [{ tps: faster(over('ingress'), over('user-bridge')) }],
    never: {
      'the bridge is as fast': { tps: alike(over('overlay'), over('user-bridge')) },
      'only another network of the swarm is faster': { tps: faster(over('ingress'), over('overlay')) },
      'only the published port is faster': { tps: faster(over('ingress'), VOLUME) },
    },
  },
  'use-engine': {
    advised: [{ tps: faster(VOLUME, FOLDER), plan: onTwoEngines }],
    never: {
      'both are as fast': { tps: alike(VOLUME, FOLDER), plan: onTwoEngines },
      'the faster one alone confirms commits too early': {
        tps: faster(VOLUME, FOLDER),
        flushUs: { 'named-volume': 300, 'bind-mount': 5 },
        plan: onTwoEngines,
      },
    },
  },
  'enlarge-buffer-pool': {
    advised: [{ tps: alike(VOLUME), ...pools(64, 512), share: 2 }],
    never: {
      'the smaller is faster': { tps: alike(VOLUME), ...pools(512, 64), share: 2 },
      'both are as fast': { tps: alike(VOLUME), ...pools(64, 512) },
    },
  },
  'group-writes': {
    advised: [
      { tps: alike(VOLUME), tuned: committing(3000, 2000) },
      {
        tps: alike(VOLUME),
        tuned: committing(3000, 800),
        plan: settings({ binlog: true, syncBinlog: 1 }),
      },
    ],
    never: {
      'commits take less than half of the time': { tps: alike(VOLUME), tuned: committing(500, 400) },
      'flushes take less than half of a commit': { tps: alike(VOLUME), tuned: committing(3000, 800) },
      'the flush wasn’t measured': { tps: alike(VOLUME), tuned: committing(3000, null) },
      'commits don’t flush': {
        tps: alike(VOLUME),
        tuned: committing(3000, 2000),
        plan: settings({ flushLogAtTrxCommit: 2 }),
      },
      'everything is in memory': { tps: alike(MEMORY), tuned: committing(3000, 2000) },
    },
  },
  'test-in-memory': {
    advised: [{ tps: faster(VOLUME, MEMORY), plan: timed(IMPORT) }],
    never: {
      'it is as fast': { tps: alike(VOLUME, MEMORY), plan: timed(IMPORT) },
      'load was measured': { tps: faster(VOLUME, MEMORY) },
      'only a layer is what is slower': { tps: faster(LAYER, MEMORY), plan: timed(IMPORT) },
    },
  },
  'seed-image': {
    advised: [{ tps: faster(VOLUME, on('image-layer')), plan: timed(READY) }],
    never: {
      'it is as fast': { tps: alike(VOLUME, on('image-layer')), plan: timed(READY) },
      'it is slower': { tps: faster(on('image-layer'), VOLUME), plan: timed(READY) },
      'no start was timed': { tps: faster(VOLUME, on('image-layer')), plan: timed(IMPORT) },
    },
  },
  'relax-flush': {
    advised: [{ tps: faster(MAIN, OTHER), servers: SERVERS, plan: timed(IMPORT, 2) }],
    never: {
      'it is as fast': { tps: alike(MAIN, OTHER), servers: SERVERS, plan: timed(IMPORT, 2) },
      'another setting is what is faster': {
        tps: faster(MAIN, OTHER),
        servers: SERVERS,
        plan: timed(IMPORT),
      },
      'load was measured': { tps: faster(MAIN, OTHER), servers: SERVERS, plan: timed(null, 2) },
    },
  },
  'raise-cpu-limit': {
    advised: [
      { tps: faster(FOLDER, VOLUME), tuned: throttled, plan: cpus(2) },
      { tps: faster(FOLDER, VOLUME).reverse(), tuned: throttled, plan: cpus(2) },
    ],
    never: {
      'nothing waited for its quota': { tps: faster(FOLDER, VOLUME), plan: cpus(2) },
      'what waited is as fast': { tps: alike(VOLUME, FOLDER), tuned: throttled, plan: cpus(2) },
      'what waited is the faster one': { tps: faster(VOLUME, FOLDER), tuned: throttled, plan: cpus(2) },
      'there is no limit': { tps: faster(FOLDER, VOLUME), tuned: throttled, plan: cpus(null) },
      'the engine has no more': { tps: faster(FOLDER, VOLUME), tuned: throttled, plan: cpus(8) },
      'a server without the limit is measured, too': {
        tps: faster(FOLDER, VOLUME),
        tuned: throttled,
        plan: cpus(2, null),
      },
    },
  },
};

/** The plan, with the bind mount turned into a volume on another engine. */
function onTwoEngines(plan: Plan): Plan {
  const [volume] = plan.scenarios;
  if (volume === undefined) throw new Error('no scenario');
  const { storage, storageId, label } = volume;
  return {
    ...plan,
    engines: twoEngines(plan, ['one', 'two']),
    scenarios: plan.scenarios.map((one) => {
      const engine = one === volume ? 'one' : 'two';
      return { ...one, storage, storageId, engine, label: { ...label, engine } };
    }),
  };
}

describe.each(Object.entries(CATALOG))('the advice %s', (code, { advised, never }) => {
  it.each(advised)('is found (%#)', (one) => {
    expect(adviceOf(one).map((found) => found.code)).toContain(code);
  });
  it.each(Object.entries(never))('is not found where %s', (_, one) => {
    expect(adviceOf(one).map((found) => found.code)).not.toContain(code);
  });
});
