import { describe, expect, it } from 'vitest';
import { plain } from '../../../helpers/messages.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { headlineText } from '../../../../src/shared/words/wording.ts';
import { mergeHistograms } from '../../../../src/shared/histogram/histogram.ts';
import { makeState, type ScenarioShape, type TrialOutcome } from '../../builders.ts';
import { AGAIN, BASE, BIND, TWO, codes, one } from './analysis-helpers.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';

const THREE: ScenarioShape[] = [...TWO, { storage: 'container-layer', path: 'published-port' }];
const LAYER = 'container-layer.published-port';

describe('analyze: figures', () => {
  const state = makeState({
    scenarios: TWO,
    aaCheck: false,
    rounds: 3,
    outcomes: { [BASE]: [800, 400, 600], [BIND]: [400, 200, 300] },
    errors: { '1213': 3 },
  });
  const analysis = analyze(state);

  it('takes throughput as all transactions over all measured time, warm-up left out', () => {
    expect(one(analysis, BASE).tps).toBe(600);
    expect(one(analysis, BASE).transactions).toBe(5 * (800 + 400 + 600));
    expect(one(analysis, BASE).qps).toBe(600 * 20);
  });

  it('weighs rounds by their length', () => {
    const longer = structuredClone(state);
    const trial = longer.trials.find(({ id }) => id === `r1.${BASE}`);
    if (!trial?.totals) throw new Error('no trial');
    trial.totals.durationMs *= 2;
    expect(one(analyze(longer), BASE).tps).toBeCloseTo((5 * (800 + 400 + 600)) / 20, 10);
  });

  it('pairs ratios within a round, so that a drift of half leaves no trace', () => {
    expect(one(analysis, BIND).ratio).toMatchObject({ pairedRounds: 3, confidence: 0.95 });
    expect(one(analysis, BIND).ratio?.value).toBeCloseTo(0.5, 10);
    const half = expect.closeTo(0.5, 10);
    expect(one(analysis, BIND).rounds).toEqual([
      { round: 1, tps: 400, ratio: half },
      { round: 2, tps: 200, ratio: half },
      { round: 3, tps: 300, ratio: half },
    ]);
  });

  it('knows a ratio without any scatter only as well as two servers are alike', () => {
    const { ratio } = one(analysis, BIND);
    expect(ratio?.standardError).toBeCloseTo(Math.SQRT2 * 0.007, 10);
  });

  it('gives the baseline exactly 1 and the verdict “same”', () => {
    const { ratio, verdict, isBaseline } = one(analysis, BASE);
    expect({ ratio, verdict, isBaseline }).toEqual({
      ratio: {
        value: 1,
        low: 1,
        high: 1,
        standardError: 0,
        degrees: 2,
        confidence: 0.95,
        samples: 3,
        pairedRounds: 3,
      },
      verdict: 'same',
      isBaseline: true,
    });
  });

  it('takes percentiles from the merged histogram, not from an average of percentiles', () => {
    const own = state.trials.filter(({ scenarioId }) => scenarioId === BASE);
    const merged = mergeHistograms(own.map(({ totals }) => totals?.histogram ?? ''));
    const { latency } = one(analysis, BASE);
    expect(latency?.count).toBe(9000);
    expect(latency?.p99Us).toBe(merged.getValueAtPercentile(99));
    const averaged = own.reduce((sum, { totals }) => sum + (totals?.latency?.p99Us ?? 0), 0) / own.length;
    expect(Math.abs((latency?.p99Us ?? 0) - averaged)).toBeGreaterThan(1000);
  });

  it('adds up ignored errors by code', () => {
    expect(one(analysis, BIND).errors).toEqual({ '1213': 9 });
  });

  it('does not change the state', () => {
    const before = JSON.stringify(state);
    analyze(state, { baselineId: BIND });
    expect(JSON.stringify(state)).toBe(before);
  });
});

describe('analyze: what counts', () => {
  const ofFour = (base: TrialOutcome[], bind: TrialOutcome[]) =>
    analyze(
      makeState({ scenarios: TWO, aaCheck: false, rounds: 4, outcomes: { [BASE]: base, [BIND]: bind } }),
    );

  it('leaves failed trials out and pairs only rounds in which both sides were measured', () => {
    const analysis = ofFour([800, 'SERVER_EXITED', 800, 800], [400, 8000, 'PATH_NO_TRAFFIC', 400]);
    expect(one(analysis, BIND)).toMatchObject({ measured: 3, failed: 1 });
    expect(one(analysis, BIND).ratio).toMatchObject({ value: expect.closeTo(0.5, 10), pairedRounds: 2 });
    expect(one(analysis, BIND).rounds[1]).toEqual({ round: 2, tps: 8000, ratio: null });
    const why = (code: string) => ({ params: { count: 1, reason: { code: `error.${code}` } } });
    expect(analysis.notices.find(({ code }) => code === 'TRIALS_FAILED')?.message.params).toMatchObject({
      ...{ count: 2, all: 8 },
      reasons: { params: { first: why('SERVER_EXITED'), rest: why('PATH_NO_TRAFFIC') } },
    });
  });

  it('leaves skipped trials out and says how many they were', () => {
    const analysis = ofFour([800, 800, 800, 800], [400, 'SKIPPED', 'SKIPPED', 400]);
    expect(one(analysis, BIND).ratio).toMatchObject({ value: expect.closeTo(0.5, 10), pairedRounds: 2 });
    expect(analysis.notices.map(({ code }) => code)).not.toContain('TRIALS_FAILED');
    expect(analysis.notices.find(({ code }) => code === 'TRIALS_SKIPPED')?.message).toMatchObject({
      params: { count: 2 },
    });
  });

  it('does not count a trial that is still running', () => {
    const state = makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes: { [BASE]: [800, 'canceled'], [AGAIN]: [800] },
      outcome: null,
    });
    const running = state.trials.find(({ id }) => id === `r2.${BASE}`);
    if (running) running.status = 'running';
    expect(one(analyze(state), BASE)).toMatchObject({ measured: 1, failed: 0 });
  });

  it('leaves out a trial in which nothing ended, and says so', () => {
    const analysis = ofFour([800, 800, 800, 800], [400, 0, 400, 400]);
    expect(one(analysis, BIND)).toMatchObject({ verdict: 'slower', ratio: { samples: 3 } });
    expect(analysis.notices).toContainEqual(
      expect.objectContaining({ code: 'NO_TRANSACTIONS', scenarioId: BIND }),
    );
  });
});

describe('analyze: headline', () => {
  const analysisOf = (outcomes: Record<string, (number | 'LOAD_FAILED')[]>) =>
    analyze(makeState({ scenarios: THREE, rounds: 3, outcomes }));
  const headlineOf = (outcomes: Record<string, (number | 'LOAD_FAILED')[]>): string =>
    headlineText(analysisOf(outcomes), ENGLISH);

  it.each([
    [
      'the largest slowdown',
      [400, 404, 396],
      [600, 608, 594],
      /^Storage: bind mount is 0\.50× as fast as named volume/,
    ],
    [
      'no gain of storage that loses data',
      [680, 684, 676],
      [1600, 1604, 1596],
      /^Storage: bind mount is 0\.8\d× as fast/,
    ],
    [
      'a gain of safe storage',
      [960, 964, 956],
      [800, 804, 796],
      /^Storage: bind mount is 1\.\d+× as fast as named volume/,
    ],
    [
      'no large difference without a verdict',
      [100, 700, 400],
      [700, 705, 692],
      /^Storage: container layer is 0\.\d+× as fast/,
    ],
  ])('names %s', (_, bind, layer, says) => {
    expect(headlineOf({ [BASE]: [800, 810, 790], [BIND]: bind, [LAYER]: layer })).toMatch(says);
  });

  it('names storage that loses data if there is nothing else', () => {
    const scenarios = THREE.filter(({ storage }) => storage !== 'bind-mount');
    const outcomes = { [BASE]: [800, 810, 790], [LAYER]: [1600, 1604, 1596] };
    const { headline } = analyze(makeState({ scenarios, rounds: 3, outcomes }));
    expect(headline).toMatchObject({ findings: [{ unsafe: true, factor: 'storage' }] });
  });

  it('says when nothing differs, nothing is conclusive, or something is missing', () => {
    const same = { [BASE]: [800, 800, 800], [BIND]: [800, 801, 799], [LAYER]: [800, 801, 800] };
    expect(analysisOf(same).headline).toMatchObject({ findings: [{ kind: 'same' }] });
    expect(analysisOf({ ...same, [BIND]: [1, 800, 9] }).headline).toMatchObject({
      findings: [{ kind: 'inconclusive' }],
    });
    const none = ['LOAD_FAILED', 'LOAD_FAILED', 'LOAD_FAILED'] as const;
    expect(analysisOf({ [BASE]: [...none], [AGAIN]: [...none] }).headline).toEqual({ kind: 'no-baseline' });
    expect(analysisOf({ [BASE]: [], [BIND]: [], [LAYER]: [], [AGAIN]: [] }).headline).toEqual({
      kind: 'nothing-measured',
    });
    expect(
      analysisOf({ [BASE]: [800, 800, 800], [BIND]: [], [LAYER]: [], [AGAIN]: [] }).headline,
    ).toMatchObject({
      kind: 'onlyBaseline',
      tps: 800,
    });
  });

  it('takes the second measurement for the baseline where the first one failed', () => {
    const outcomes: Record<string, (number | 'LOAD_FAILED')[]> = {
      [BASE]: [800, 'LOAD_FAILED', 'LOAD_FAILED'],
      [AGAIN]: [800, 810, 790],
      [BIND]: [400, 405, 395],
      [LAYER]: [400, 405, 395],
    };
    expect(one(analysisOf(outcomes), BIND).ratio).toMatchObject({ pairedRounds: 3 });
  });
});

describe('analyze: a run that was stopped early', () => {
  const stopped = (outcomes: Record<string, TrialOutcome[]>) =>
    analyze(makeState({ scenarios: TWO, rounds: 3, outcome: 'stopped', outcomes }));

  it.each([
    ['first', { [BASE]: [800], [AGAIN]: [] }],
    ['second', { [BASE]: [], [AGAIN]: [800] }],
  ])('says what it can so far, if only the %s measurement of the baseline is there', (_, measured) => {
    const analysis = stopped({ ...measured, [BIND]: [400] });
    expect(one(analysis, BASE)).toMatchObject({ measured: 1, tps: 800 });
    expect(analysis.effects).toMatchObject([
      { level: 'bind-mount', ratio: { value: expect.closeTo(0.5, 10), pairedRounds: 1 } },
    ]);
    expect(analysis.headline).toMatchObject({
      kind: 'findings',
      findings: [{ ratio: { value: expect.closeTo(0.5, 10) } }],
    });
    expect(analysis.effects).toMatchObject([
      { ratio: { low: null, high: null }, verdict: 'inconclusive', cost: null },
    ]);
  });

  it('takes the mean of both measurements where a round has both', () => {
    const { effects } = stopped({ [BASE]: [640], [AGAIN]: [1000], [BIND]: [400] });
    expect(effects[0]?.ratio?.value).toBeCloseTo(0.5, 10);
  });

  it('does not claim that its rounds were used up', () => {
    const state = makeState({ scenarios: TWO, rounds: 3, outcome: 'stopped', outcomes: { [BIND]: [400] } });
    const schedule = { ...state.plan.schedule, untilConclusive: { budgetMinutes: 7 } };
    expect(codes(analyze({ ...state, plan: { ...state.plan, schedule } }))).not.toContain('ROUNDS_USED_UP');
  });

  it('blames no failure where nothing failed', () => {
    const analysis = stopped({ [BASE]: [], [AGAIN]: [], [BIND]: [400] });
    expect(headlineText(analysis, ENGLISH)).not.toMatch(/fail/);
    expect(codes(analysis)).toContain('STOPPED_EARLY');
    expect(codes(analysis)).not.toContain('TRIALS_FAILED');
  });
});

describe('analyze: A/A check', () => {
  const withAgain = (again: number[], options = {}) =>
    analyze(
      makeState({
        scenarios: TWO,
        rounds: again.length,
        outcomes: {
          [BASE]: again.map(() => 800),
          [BIND]: again.map((_, index) => 400 + index),
          [AGAIN]: again,
        },
        notices: [{ code: 'IMAGE_SUBSTITUTED', message: plain('Another image.') }],
      }),
      options,
    );

  it('ties when its interval holds 1', () => {
    const analysis = withAgain([790, 812, 803]);
    expect(analysis.aaCheck?.outcome).toBe('passed');
    expect(codes(analysis)).toEqual(['IMAGE_SUBSTITUTED']);
  });

  it('ties only widely when its interval leaves the zone of equivalence', () => {
    const analysis = withAgain([700, 812, 903]);
    expect(analysis.aaCheck?.outcome).toBe('imprecise');
    expect(codes(analysis)).toEqual(['IMAGE_SUBSTITUTED']);
  });

  it('is told before everything else when the machine does not tie with itself', () => {
    const analysis = withAgain([680, 684, 676]);
    expect(analysis.aaCheck?.outcome).toBe('failed');
    expect(codes(analysis)).toEqual(['AA_CHECK', 'IMAGE_SUBSTITUTED']);
    expect(analysis.notices[0]?.message.text).toContain('15% (95% CI 0.82–0.89)');
  });

  it('is not judged from one round', () => {
    expect(withAgain([400]).aaCheck).toBeNull();
  });

  it('stays that of the planned baseline when another one is chosen', () => {
    const usual = withAgain([790, 812, 803]);
    const turned = withAgain([790, 812, 803], { baselineId: BIND });
    expect(turned.aaCheck).toEqual(usual.aaCheck);
    expect(one(turned, BASE).verdict).toBe('faster');
    expect(turned.effects).toMatchObject([
      { level: 'named-volume', reference: 'bind-mount', verdict: 'faster' },
    ]);
    expect(one(turned, BIND)).toMatchObject({ isBaseline: true, ratio: { value: 1, low: 1, high: 1 } });
  });
});

describe('analyze: options', () => {
  const state = makeState({
    scenarios: TWO,
    rounds: 3,
    outcomes: { [BASE]: [800, 800, 800], [BIND]: [700, 740, 680] },
    aaCheck: false,
  });

  it('takes another confidence', () => {
    expect(one(analyze(state), BIND).verdict).toBe('slower');
    const strict = analyze(state, { confidence: 0.999 });
    expect(one(strict, BIND).verdict).toBe('inconclusive');
    expect(strict.confidence).toBe(0.999);
  });

  it('takes another zone of no difference', () => {
    expect(one(analyze(state, { equivalence: 0.4 }), BIND).verdict).toBe('same');
  });

  it('has no comparisons with an unknown baseline', () => {
    const { scenarios } = analyze(state, { baselineId: 'nowhere' });
    expect(scenarios.map(({ ratio }) => ratio)).toEqual([null, null]);
  });
});
