import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { GRID, makeEvidence, makeState, type ScenarioShape, type StateShape } from '../../builders.ts';
import { AGAIN, BASE, BIND, TWO, codes, one } from '../analysis/analysis-helpers.ts';
import { saying } from '../../../helpers/saying.ts';

describe('analyze: notices', () => {
  it('says when rounds are few, once for all', () => {
    const analysis = analyze(
      makeState({ scenarios: TWO, rounds: 2, outcomes: { [BASE]: [800, 800], [BIND]: [400, 402] } }),
    );
    expect(codes(analysis)).toEqual(['FEW_ROUNDS']);
    expect(analysis.notices[0]).toMatchObject({
      message: saying('Only 2 rounds'),
    });
    expect(analysis.notices[0]?.scenarioId).toBeUndefined();
  });

  it('says it of the one scenario that it concerns', () => {
    const outcomes = {
      [BASE]: [800, 810, 790],
      [BIND]: [400, 'LOAD_FAILED' as const, 400],
      [AGAIN]: [800, 805, 795],
      ['container-layer.published-port']: [800, 805, 795],
    };
    const scenarios = [...TWO, { storage: 'container-layer', path: 'published-port' } as const];
    const analysis = analyze(makeState({ scenarios, rounds: 3, outcomes }));
    expect(analysis.notices.filter(({ code }) => code === 'FEW_ROUNDS')).toEqual([
      expect.objectContaining({ scenarioId: BIND }),
    ]);
  });

  it('waits with that until the run is over', () => {
    const shape = { scenarios: TWO, rounds: 3, outcomes: { [BASE]: [800], [BIND]: [400], [AGAIN]: [800] } };
    expect(codes(analyze(makeState({ ...shape, outcome: null })))).toEqual([]);
    expect(codes(analyze(makeState({ ...shape, outcome: 'stopped' })))).toEqual([
      'STOPPED_EARLY',
      'FEW_ROUNDS',
    ]);
  });

  it.each([
    ['two of twenty slices stall', 2, true],
    ['one does, which is chance', 1, false],
    ['half of them do, which is its usual speed', 10, false],
  ])('tells of stalls if %s', (_, stalled, isTold) => {
    const state = makeState({
      scenarios: TWO,
      rounds: 1,
      outcomes: { [BASE]: [800], [BIND]: [800], [AGAIN]: [800] },
    });
    for (const trial of state.trials) {
      trial.slices = Array.from({ length: 20 }, (__, index) => ({
        pass: index + 1,
        position: 1,
        transactions: trial.scenarioId === BIND && index < stalled ? 300 : 800,
        durationMs: 1000,
      }));
    }
    const found = analyze(state).notices.filter(({ code }) => code === 'STALLS');
    expect(found.map(({ scenarioId }) => scenarioId)).toEqual(isTold ? [BIND] : []);
  });

  it('counts what a stop left', () => {
    const shape = { scenarios: TWO, rounds: 3, outcomes: { [BASE]: [800], [BIND]: [400], [AGAIN]: [800] } };
    const analysis = analyze(makeState({ ...shape, outcome: 'stopped' }));
    expect(analysis.notices[0]?.message.text).toContain('3 of 9 trials');
    expect(one(analysis, BIND)).toMatchObject({ measured: 1, failed: 2 });
  });

  it('names a client-limited trial: by its processor, or by its event loop', () => {
    const shape = { scenarios: TWO, aaCheck: false, rounds: 3 };
    const noticesWith = (client: NonNullable<StateShape['client']>) =>
      analyze(makeState({ ...shape, client })).notices;
    expect(noticesWith({ cpuShare: 0.93 })).toContainEqual(
      expect.objectContaining({
        code: 'CLIENT_LIMITED',
        scenarioId: BIND,
        trialId: `r1.${BIND}`,
        message: saying('93%'),
      }),
    );
    expect(noticesWith({ loopDelayP99Us: 80_000 })[0]?.message.text).toContain('80.0 ms');
  });

  it('says when many transactions had to be run again', () => {
    const shape = { scenarios: TWO, aaCheck: false, rounds: 3 };
    expect(codes(analyze(makeState({ ...shape, errors: { '1213': 20 } })))).toEqual([]);
    const many = analyze(makeState({ ...shape, errors: { '1213': 100, '1205': 25 } }));
    expect(many.notices[0]).toMatchObject({ code: 'TRANSACTIONS_RETRIED', scenarioId: BASE });
    expect(many.notices[0]?.message.text).toContain('4.8%');
  });

  it.each([
    ['STILL_WARMING', [1.2, 1.25, 1.22]],
    ['FADING', [0.8, 0.82, 0.79]],
    [undefined, [1.2, 0.9, 1.1]],
    [undefined, [1.03, 1.031, 1.032]],
  ])('says when a scenario was not steady: %s', (code, ratios) => {
    const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 3 });
    for (const trial of state.trials.filter(({ scenarioId }) => scenarioId === BIND)) {
      trial.evidence = makeEvidence({ trend: { first: 100, last: 100 * (ratios[trial.round - 1] ?? 1) } });
    }
    expect(codes(analyze(state))).toEqual(code === undefined ? [] : [code]);
  });

  it('says how long the client did not run', () => {
    const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 3 });
    for (const trial of state.trials.filter(({ scenarioId }) => scenarioId === BIND).slice(1)) {
      if (trial.totals !== null) trial.totals.excludedMs = 2000;
    }
    const [notice] = analyze(state).notices;
    expect(notice).toMatchObject({ code: 'INTERRUPTED', scenarioId: BIND });
    expect(notice?.message.text).toContain('The load generator didn’t run for 4 s in 2 of the trials');
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

  it.each([
    ['conclusive', 'ROUNDS_ENDED_CONCLUSIVE', 'when nothing was left to decide'],
    ['budget', 'ROUNDS_ENDED_BUDGET', 'The limit of 20 minutes was reached'],
    [null, 'ROUNDS_USED_UP', 'The maximum of 4 rounds was reached'],
  ] as const)('says why a run that measures until conclusive ended: %s', (because, code, text) => {
    const state = makeState({ scenarios: TWO, aaCheck: false, rounds: 4 });
    state.plan.schedule.untilConclusive = { budgetMinutes: 20 };
    state.roundsEnded = because;
    const notice = analyze(state).notices.find((one) => one.code === code);
    expect(notice?.message.text).toContain(text);
  });

  describe('when both load generators measured the same', () => {
    const [NODE, SYSBENCH] = [`${BASE}.builtin`, `${BASE}.sysbench`];
    const both = (node: number[], sysbench: number[], shape: StateShape = {}) =>
      analyze(
        makeState({
          scenarios: [{ storage: 'named-volume', path: 'published-port' }],
          loadGenerator: ['builtin', 'sysbench'],
          aaCheck: false,
          rounds: node.length,
          outcomes: { [NODE]: node, [SYSBENCH]: sysbench },
          ...shape,
        }),
      ).notices.filter(({ code }) => code === 'LOAD_GENERATORS_DISAGREE');

    it('says so when one is surely faster, with both rates and the paired ratio', () => {
      // Drift of the machine is in both and leaves no trace in the pairs.
      expect(both([500, 250, 400], [800, 404, 636])).toEqual([
        {
          code: 'LOAD_GENERATORS_DISAGREE',
          scenarioId: SYSBENCH,
          message: saying(/613 .*383.* 1\.60 .*\(95% CI 1\.5\d–1\.6\d, 3 rounds\)/),
        },
      ]);
    });

    it('says nothing of a difference that is small, unsure or of one round', () => {
      expect(both([500, 500, 500], [520, 521, 519])).toEqual([]);
      // Surely above 1, but perhaps within the zone.
      expect(both([500, 500, 500], [530, 540, 525])).toEqual([]);
      expect(both([500, 500, 500], [300, 900, 600])).toEqual([]);
      expect(both([500], [900])).toEqual([]);
    });

    it('compares only what differs in nothing but the load generator', () => {
      const scenarios: ScenarioShape[] = [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'named-volume', path: 'user-bridge' },
        { storage: 'bind-mount', path: 'published-port' },
        { storage: 'named-volume', path: 'published-port', server: 'other' },
      ];
      const servers = { other: { name: 'Other', image: {} } };
      const others = ['named-volume.user-bridge', BIND, `other.${BASE}`].map((id) => `${id}.builtin`);
      const apart = { [NODE]: [99, 99, 99], ...Object.fromEntries(others.map((id) => [id, []])) };
      expect(
        both([500, 500, 500], [], { scenarios, servers, outcomes: { ...apart, [SYSBENCH]: [] } }),
      ).toEqual([]);
      const bufferPools = {
        a: { name: 'A', bufferPoolMiB: 16 },
        b: { name: 'B', bufferPoolMiB: 512 },
      };
      const outcomes = { [`${SYSBENCH}.b`]: [900, 900, 901] };
      expect(both([1, 1, 1], [], { bufferPools, outcomes }).map(({ scenarioId }) => scenarioId)).toEqual([
        `${SYSBENCH}.b`,
      ]);
    });
  });
});
