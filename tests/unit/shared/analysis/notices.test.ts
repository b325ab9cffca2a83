import { expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import {
  GRID,
  makeEvidence,
  makeState,
  type ScenarioShape,
  type StateShape,
  type TrialOutcome,
} from '../../builders.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { AGAIN, BASE, BIND, noticesOf, TWO } from './analysis-helpers.ts';

const told = (shape: StateShape): string[] => noticesOf(makeState({ scenarios: TWO, rounds: 3, ...shape }));

/** Three rounds of two scenarios without a second baseline, with changed trials of the bind mount. */
function withTrials(change: (trial: RunState['trials'][number]) => void, shape: StateShape = {}): string[] {
  const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 3, ...shape });
  for (const trial of state.trials) if (trial.scenarioId === BIND) change(trial);
  return noticesOf(state);
}

it('what makes numbers doubtful is said of the run, or of the scenarios that it concerns', async () => {
  const LAYER = { storage: 'container-layer', path: 'published-port' } as const;
  const FIRST = { [BASE]: [800], [BIND]: [400], [AGAIN]: [800] };
  const three: Record<string, TrialOutcome[]> = {
    [BASE]: [800, 810, 790],
    [BIND]: [400, 'LOAD_FAILED', 400],
    [AGAIN]: [800, 805, 795],
    'container-layer.published-port': [800, 805, 795],
  };
  const stalling = (stalled: number): string[] => {
    const state = makeState({ scenarios: TWO, rounds: 1, outcomes: { ...FIRST, [BIND]: [800] } });
    for (const trial of state.trials) {
      trial.slices = Array.from({ length: 20 }, (_, index) => ({
        pass: index + 1,
        position: 1,
        transactions: trial.scenarioId === BIND && index < stalled ? 300 : 800,
        durationMs: 1000,
      }));
    }
    return noticesOf(state);
  };
  const trending = (...ratios: number[]): string[] =>
    withTrials((trial) => {
      trial.evidence = makeEvidence({ trend: { first: 100, last: 100 * (ratios[trial.round - 1] ?? 1) } });
    });
  const alone = { aaCheck: false };
  await expectShown('notices', {
    'few rounds, once for all': told({ rounds: 2, outcomes: { [BASE]: [800, 800], [BIND]: [400, 402] } }),
    'few rounds of one scenario': told({ scenarios: [...TWO, LAYER], outcomes: three }),
    'few rounds so far, in a run that goes on': told({ outcomes: FIRST, outcome: null }),
    'a run that was stopped': told({ outcomes: FIRST, outcome: 'stopped' }),
    'two of twenty slices stall': stalling(2),
    'one slice stalls, which is chance': stalling(1),
    'half of the slices stall, which is the usual speed': stalling(10),
    'a client without CPU to spare': told({ ...alone, client: { cpuShare: 0.93 } }),
    'a client with a late event loop': told({ ...alone, client: { loopDelayP99Us: 80_000 } }),
    'few transactions again': told({ ...alone, errors: { '1213': 20 } }),
    'many transactions again': told({ ...alone, errors: { '1213': 100, '1205': 25 } }),
    'a scenario that gets faster': trending(1.2, 1.25, 1.22),
    'a scenario that gets slower': trending(0.8, 0.82, 0.79),
    'a scenario that does both': trending(1.2, 0.9, 1.1),
    'a scenario that hardly gets faster': trending(1.03, 1.031, 1.032),
    'a client that did not run': withTrials(({ round, totals }) => {
      if (round > 1 && totals !== null) totals.excludedMs = 2000;
    }),
  });
});

it('a run until conclusive says why it ended', async () => {
  const ended = (roundsEnded: RunState['roundsEnded']): string[] => {
    const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 4 });
    state.plan.schedule.untilConclusive = { budgetMinutes: 20 };
    return noticesOf({ ...state, roundsEnded });
  };
  await expectShown('rounds-ended', {
    'nothing was left to decide': ended('conclusive'),
    'the time limit': ended('budget'),
    'the most rounds': ended(null),
  });
});

it('says what stays open only because there are many comparisons', () => {
  const scenarios = GRID.filter(({ path }) => path === 'published-port' || path === 'user-bridge').slice(
    0,
    6,
  );
  const ids = scenarios.map(({ storage, path }) => `${storage}.${path}`);
  const outcomes = Object.fromEntries(ids.map((id, index) => [id, [500, 505 + index, 495 - index]]));
  const narrow = ids[1] ?? '';
  outcomes[narrow] = [455, 470, 470];
  const analysis = analyze(makeState({ scenarios, aaCheck: false, rounds: 3, outcomes }));
  const found = analysis.scenarios.find(({ id }) => id === narrow);
  expect(found).toMatchObject({ verdict: 'inconclusive', verdictAlone: 'slower' });
  expect(analysis.notices).toContainEqual(
    expect.objectContaining({ code: 'OPEN_BESIDE_OTHERS', scenarioId: narrow }),
  );
  expect(analysis.comparisons).toBe(ids.length - 1);
});

it('two load generators disagree if one is surely faster, where nothing else differs', async () => {
  const [NODE, SYSBENCH] = [`${BASE}.builtin`, `${BASE}.sysbench`];
  const both = (node: number[], sysbench: number[], shape: StateShape = {}): string[] =>
    told({
      scenarios: TWO.slice(0, 1),
      loadGenerator: ['builtin', 'sysbench'],
      aaCheck: false,
      rounds: node.length,
      outcomes: { [NODE]: node, [SYSBENCH]: sysbench },
      ...shape,
    }).filter((line) => line.startsWith('LOAD_GENERATORS_DISAGREE'));
  const elsewhere: ScenarioShape[] = [
    ...TWO,
    { storage: 'named-volume', path: 'user-bridge' },
    { storage: 'named-volume', path: 'published-port', server: 'other' },
  ];
  const others = ['named-volume.user-bridge', BIND, `other.${BASE}`].map((id) => `${id}.builtin`);
  const apart = { [NODE]: [99, 99, 99], ...Object.fromEntries(others.map((id) => [id, []])), [SYSBENCH]: [] };
  const even = [500, 500, 500];
  await expectShown('load-generators', {
    'drift of the machine is in both': both([500, 250, 400], [800, 404, 636]),
    'a small difference': both(even, [520, 521, 519]),
    'surely above 1, but perhaps within the zone': both(even, [530, 540, 525]),
    'an unsure one': both(even, [300, 900, 600]),
    'one round': both([500], [900]),
    'another path, storage, or server': both(even, [], {
      scenarios: elsewhere,
      servers: { other: { name: 'Other', image: {} } },
      outcomes: apart,
    }),
    'one of two buffer-pool sizes': both([1, 1, 1], [], {
      bufferPools: { a: { name: 'A', bufferPoolMiB: 16 }, b: { name: 'B', bufferPoolMiB: 512 } },
      outcomes: { [`${SYSBENCH}.b`]: [900, 900, 901] },
    }),
  });
});
