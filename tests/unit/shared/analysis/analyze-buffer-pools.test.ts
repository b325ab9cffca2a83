import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { comparisonsOf } from '../../../../src/shared/analysis/comparisons.ts';
import type { LoadGenerator } from '../../../../src/shared/model/names.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';
import { headlineText, aaCheckText, whereText } from '../../../../src/shared/words/wording.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeState, type StateShape } from '../../builders.ts';
import { BASE, BIND, TWO, one } from './analysis-helpers.ts';

const t = createTranslator('en');
/** The id of the second buffer-pool size is the end of a path's name: nothing may be cut out of the middle of an id. */
const BUFFER_POOLS = {
  io: { name: 'I/O-bound', bufferPoolMiB: 16 },
  published: { name: 'In memory', bufferPoolMiB: 512 },
};

const OUTCOMES = {
  [`${BASE}.io`]: [100, 110, 90],
  [`${BIND}.io`]: [100, 111, 90],
  [`${BASE}.io~again`]: [101, 110, 90],
  [`${BASE}.published`]: [800, 820, 780],
  [`${BIND}.published`]: [400, 412, 389],
  [`${BASE}.published~again`]: [700, 715, 690],
};

const bufferPools = (shape: StateShape = {}) =>
  makeState({ scenarios: TWO, bufferPools: BUFFER_POOLS, rounds: 3, outcomes: OUTCOMES, ...shape });

describe('analyze: buffer-pool sizes', () => {
  const analysis = analyze(bufferPools());

  it('compares each scenario with the baseline of its own buffer-pool size', () => {
    expect(one(analysis, `${BIND}.io`)).toMatchObject({ baselineId: `${BASE}.io`, verdict: 'same' });
    const slower = one(analysis, `${BIND}.published`);
    expect(slower).toMatchObject({ baselineId: `${BASE}.published`, verdict: 'slower' });
    // Both measurements of the baseline count: √(800 × 700).
    expect(slower.rounds[0]?.ratio).toBeCloseTo(400 / Math.sqrt(800 * 700), 10);
    expect(analysis.scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([
      `${BASE}.io`,
      `${BASE}.published`,
    ]);
  });

  it('maps another baseline to its counterpart in each buffer-pool size', () => {
    const turned = analyze(bufferPools(), { baselineId: `${BIND}.io` });
    expect(one(turned, `${BASE}.io`).baselineId).toBe(`${BIND}.io`);
    expect(one(turned, `${BASE}.published`)).toMatchObject({
      baselineId: `${BIND}.published`,
      verdict: 'faster',
    });
    expect(one(turned, `${BIND}.published`)).toMatchObject({ isBaseline: true, ratio: { value: 1 } });
    // The same baseline, chosen in the other buffer-pool size, gives the same scenarios.
    const other = analyze(bufferPools(), { baselineId: `${BIND}.published` });
    expect(other.scenarios).toEqual(turned.scenarios);
  });

  it('never compares across buffer-pool sizes: without a counterpart a buffer-pool size keeps its own baseline', () => {
    const state = bufferPools();
    const { plan } = state;
    const only = {
      ...state,
      plan: { ...plan, scenarios: plan.scenarios.filter(({ id }) => id !== `${BIND}.published`) },
    };
    const turned = analyze(only, { baselineId: `${BIND}.io` });
    expect(one(turned, `${BASE}.io`).baselineId).toBe(`${BIND}.io`);
    expect(one(turned, `${BASE}.published`)).toMatchObject({
      baselineId: `${BASE}.published`,
      isBaseline: true,
    });
  });

  it('compares each load generator with its own baseline, and says which one', () => {
    const loadGenerator = ['builtin', 'sysbench'] satisfies LoadGenerator[];
    const outcomes = {
      [`${BASE}.builtin`]: [500, 501, 499],
      [`${BIND}.builtin`]: [500, 500, 500],
      [`${BASE}.sysbench`]: [900, 904, 896],
      [`${BIND}.sysbench`]: [600, 606, 594],
    };
    const state = makeState({ scenarios: TWO, loadGenerator, aaCheck: false, rounds: 3, outcomes });
    const both = analyze(state);
    expect(one(both, `${BIND}.sysbench`)).toMatchObject({
      baselineId: `${BASE}.sysbench`,
      verdict: 'slower',
    });
    expect(headlineText(both, t)).toBe(
      'Storage: bind mount against named volume varies by load generator: Whalemark no meaningful difference, sysbench 0.67×.',
    );
    const turned = analyze(state, { baselineId: `${BIND}.builtin` });
    expect(one(turned, `${BASE}.sysbench`).baselineId).toBe(`${BIND}.sysbench`);
  });

  it('takes the worst of the A/A pairs', () => {
    expect(analysis.aaCheck).toMatchObject({ outcome: 'failed' });
    expect(analysis.aaCheck?.ratio.value).toBeCloseTo(0.877, 3);
    expect(aaCheckText(analysis, t)).toContain(
      'Noise check (A/A check) failed: the worst of 2 baselines measured twice',
    );
    const quiet = analyze(
      bufferPools({ outcomes: { ...OUTCOMES, [`${BASE}.published~again`]: [801, 819, 781] } }),
    );
    expect(quiet.aaCheck?.outcome).toBe('passed');
  });

  it('says in which buffer-pool size, once', () => {
    expect(headlineText(analysis, t)).toMatch(
      /^Storage: bind mount against named volume varies by server: I\/O-bound no meaningful difference, In memory 0\.5\d×\./,
    );
    const only = analyze(
      bufferPools({ outcomes: { ...OUTCOMES, [`${BIND}.io`]: [], [`${BIND}.published`]: [] } }),
    );
    expect(headlineText(only, t)).toMatch(/^Server: In memory is \S+ as fast as/);
  });
});

it('scenarios with one baseline are a comparison with what it alone has, and labels leave that out', async () => {
  const loadGenerator: LoadGenerator[] = ['builtin', 'sysbench'];
  const scenarios = TWO.map((place, index) => ({ ...place, name: `Disk ${index + 1}, on ext4` }));
  const said = (shape: StateShape, baselineId?: string): string[] =>
    comparisonsOf(
      analyze(makeState({ scenarios: TWO, rounds: 1, ...shape }), baselineId ? { baselineId } : {}),
    ).map((one) => {
      const { server, loadGenerator: generator, connections } = one;
      const labels = one.scenarios.map(({ label }) => labelText(label, t, one));
      return `${JSON.stringify([server, generator, connections])} ${whereText(one, t) ?? 'everywhere'}: ${labels.join(' | ')}`;
    });
  const cold = { cold: { name: 'Big, cold', bufferPoolMiB: 5 }, warm: BUFFER_POOLS.io };
  await expectShown('comparisons', {
    'one, whatever the baseline is called': said({}, BIND),
    'levels of a sweep, with commas in names': said({ scenarios, sweep: [1, 4] }),
    'sizes of the buffer pool': said({ bufferPools: BUFFER_POOLS }),
    'sizes with commas, and load generators': said({ loadGenerator, bufferPools: cold }),
    'sizes and levels': said({ bufferPools: BUFFER_POOLS, sweep: [1, 4] }),
  });
});
