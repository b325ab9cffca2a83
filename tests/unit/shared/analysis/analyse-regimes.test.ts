import { describe, expect, it } from 'vitest';
import { analyse } from '../../../../src/shared/analysis/analyse.ts';
import { comparisonsOf } from '../../../../src/shared/analysis/comparisons.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';
import {
  headlineDetail,
  headlineText,
  noiseFloorText,
  verdictText,
  whereText,
} from '../../../../src/shared/words/wording.ts';
import { makeState, type StateShape } from '../../builders.ts';
import { BASE, BIND, TWO, one } from './analysis-helpers.ts';

const t = createTranslator('en');
/** The id of the second regime is the end of a path's name: nothing may be cut out of the middle of an id. */
const REGIMES = {
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

const regimes = (shape: StateShape = {}) =>
  makeState({ scenarios: TWO, regimes: REGIMES, rounds: 3, outcomes: OUTCOMES, ...shape });

describe('analyse: regimes', () => {
  const analysis = analyse(regimes());

  it('compares each scenario with the baseline of its own regime', () => {
    expect(one(analysis, `${BIND}.io`)).toMatchObject({ baselineId: `${BASE}.io`, verdict: 'same' });
    const slower = one(analysis, `${BIND}.published`);
    expect(slower).toMatchObject({ baselineId: `${BASE}.published`, verdict: 'slower' });
    expect(slower.ratio?.value).toBeCloseTo(0.5, 2);
    expect(slower.rounds[0]).toEqual({ round: 1, tps: 400, ratio: 0.5 });
    expect(analysis.scenarios.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toEqual([
      `${BASE}.io`,
      `${BASE}.published`,
    ]);
  });

  it('maps another baseline to its counterpart in each regime', () => {
    const turned = analyse(regimes(), { baselineId: `${BIND}.io` });
    expect(one(turned, `${BASE}.io`).baselineId).toBe(`${BIND}.io`);
    expect(one(turned, `${BASE}.published`)).toMatchObject({
      baselineId: `${BIND}.published`,
      verdict: 'faster',
    });
    expect(one(turned, `${BIND}.published`)).toMatchObject({ isBaseline: true, ratio: { value: 1 } });
    // Chosen in the other regime it comes to the same.
    const other = analyse(regimes(), { baselineId: `${BIND}.published` });
    expect(other.scenarios).toEqual(turned.scenarios);
  });

  it('maps a second measurement to the second measurement', () => {
    const turned = analyse(regimes(), { baselineId: `${BASE}.io~again` });
    expect(one(turned, `${BIND}.published`).baselineId).toBe(`${BASE}.published~again`);
  });

  it('never compares across regimes: without a counterpart a regime keeps its own baseline', () => {
    const state = regimes();
    const { plan } = state;
    const only = {
      ...state,
      plan: { ...plan, scenarios: plan.scenarios.filter(({ id }) => id !== `${BIND}.published`) },
    };
    const turned = analyse(only, { baselineId: `${BIND}.io` });
    expect(one(turned, `${BASE}.io`).baselineId).toBe(`${BIND}.io`);
    expect(one(turned, `${BASE}.published`)).toMatchObject({
      baselineId: `${BASE}.published`,
      isBaseline: true,
    });
  });

  it('compares each driver with its own baseline, and says which one', () => {
    const scenarios = TWO.flatMap((place) =>
      (['node', 'sysbench'] as const).map((driver) => ({ ...place, driver })),
    );
    const outcomes = {
      [`${BASE}.node`]: [500, 501, 499],
      [`${BIND}.node`]: [500, 500, 500],
      [`${BASE}.sysbench`]: [900, 904, 896],
      [`${BIND}.sysbench`]: [600, 606, 594],
    };
    const state = makeState({ scenarios, noiseFloor: false, rounds: 3, outcomes });
    const both = analyse(state);
    expect(one(both, `${BIND}.sysbench`)).toMatchObject({
      baselineId: `${BASE}.sysbench`,
      verdict: 'slower',
    });
    expect(headlineText(both, t)).toMatch(
      /^With the driver sysbench, bind mount × published port is 1\.5\d?× slower than named volume × published port$/,
    );
    const turned = analyse(state, { baselineId: `${BIND}.node` });
    expect(one(turned, `${BASE}.sysbench`).baselineId).toBe(`${BIND}.sysbench`);
  });

  it('takes the worst of the A/A pairs', () => {
    expect(analysis.noiseFloor).toMatchObject({ outcome: 'untied' });
    expect(analysis.noiseFloor?.ratio).toEqual(one(analysis, `${BASE}.published~again`).ratio);
    expect(noiseFloorText(analysis, t)).toContain(
      'Noise check failed: the worst of 2 baselines against itself',
    );
    const quiet = analyse(
      regimes({ outcomes: { ...OUTCOMES, [`${BASE}.published~again`]: [801, 819, 781] } }),
    );
    expect(quiet.noiseFloor?.outcome).toBe('tied');
  });

  it('says in which regime, once', () => {
    expect(headlineText(analysis, t)).toBe(
      'In the regime “In memory”, bind mount × published port is 2.00× slower than named volume × published port',
    );
    expect(verdictText(one(analysis, `${BIND}.published`), analysis, t)).toMatch(
      /^Bind mount × published port, in the regime “In memory”: 2\.0\d?× slower than named volume × published port, 95 % interval /,
    );
    expect(verdictText(one(analysis, `${BASE}.io`), analysis, t)).toBe(
      'Named volume × published port, in the regime “I/O-bound”: the baseline, 100 transactions per second (3 rounds)',
    );
    const same = analyse(regimes({ outcomes: { ...OUTCOMES, [`${BIND}.published`]: [800, 821, 780] } }));
    expect(headlineDetail(same, t)).toBe('Every 95 % interval lies within ±5 % of its baseline');
    const only = analyse(
      regimes({ outcomes: { ...OUTCOMES, [`${BIND}.io`]: [], [`${BIND}.published`]: [] } }),
    );
    expect(headlineText(only, t)).toBe('Only the baselines were measured');
  });
});

describe('comparisons', () => {
  it('are one without regimes, whatever the baseline is called', () => {
    const plain = analyse(makeState({ scenarios: TWO, rounds: 1 }), { baselineId: BIND });
    expect(comparisonsOf(plain)).toEqual([
      { baselineId: BIND, regime: null, driver: null, connections: null, scenarios: plain.scenarios },
    ]);
  });

  it('are called after regimes and drivers, never after what names happen to end with', () => {
    const scenarios = TWO.map((place, index) => ({ ...place, name: `Disk ${index + 1}, on ext4` }));
    const plain = analyse(makeState({ scenarios, ramp: [1, 4], rounds: 1 }));
    expect(comparisonsOf(plain).map(({ regime, driver }) => [regime, driver])).toEqual([
      [null, null],
      [null, null],
    ]);
    const [one] = comparisonsOf(plain);
    expect(one?.scenarios.map(({ label }) => labelText(label, t, one))).toEqual([
      'Disk 1, on ext4',
      'Disk 2, on ext4',
    ]);
    const inRegimes = comparisonsOf(analyse(makeState({ scenarios, regimes: REGIMES, rounds: 1 })));
    expect(inRegimes.map(({ regime }) => regime)).toEqual(['I/O-bound', 'In memory']);
  });

  it('know their regime’s name, commas included', () => {
    const odd = {
      cold: { name: 'Big, cold', bufferPoolMiB: 5 },
      warm: { name: 'Small, warm', bufferPoolMiB: 9 },
    };
    const analysis = analyse(
      makeState({
        scenarios: [
          { storage: 'named-volume', path: 'published-port', driver: 'node' },
          { storage: 'named-volume', path: 'published-port', driver: 'sysbench' },
          { storage: 'bind-mount', path: 'published-port', driver: 'node' },
          { storage: 'bind-mount', path: 'published-port', driver: 'sysbench' },
        ],
        regimes: odd,
        rounds: 1,
      }),
    );
    const found = comparisonsOf(analysis);
    expect(found.map(({ regime, driver }) => [regime, driver])).toEqual([
      ['Big, cold', 'node'],
      ['Big, cold', 'sysbench'],
      ['Small, warm', 'node'],
      ['Small, warm', 'sysbench'],
    ]);
    const [cold, coldSysbench] = found;
    expect(cold?.scenarios.map(({ label }) => labelText(label, t, cold))).toEqual([
      'named volume × published port',
      'named volume × published port (again)',
      'bind mount × published port',
    ]);
    expect(coldSysbench && whereText(coldSysbench, t)).toBe(
      'in the regime “Big, cold” with the driver sysbench',
    );
  });
});

describe('analyse: published numbers', () => {
  const cell = (scenarioId: string, tps: number, ratio: number) => ({
    scenarioId,
    label: `published ${scenarioId}`,
    tps,
    ratio,
  });
  const reference = (cells: NonNullable<Plan['reference']>['cells']): NonNullable<Plan['reference']> => ({
    id: 'x',
    title: 'A study',
    source: 'Somebody',
    url: null,
    date: '2016',
    hardware: 'a machine',
    software: 'MySQL',
    workload: 'oltp',
    cells,
  });
  // The experiment compared both with something third, at 2000.
  const both = reference([cell(BASE, 1000, 0.5), cell(BIND, 300, 0.15)]);

  it('are taken to the published number of the same baseline', () => {
    const state = makeState({ scenarios: TWO, rounds: 1, reference: both });
    const analysis = analyse(state);
    expect(one(analysis, BIND).reference).toEqual({ label: `published ${BIND}`, tps: 300, ratio: 0.3 });
    expect(one(analysis, BASE).reference?.ratio).toBe(1);
    const turned = analyse(state, { baselineId: BIND });
    expect(one(turned, BASE).reference?.ratio).toBeCloseTo(1000 / 300, 10);
  });

  it('keep the experiment’s own ratio where that baseline was not published', () => {
    const analysis = analyse(
      makeState({ scenarios: TWO, rounds: 1, reference: reference([cell(BIND, 300, 0.15)]) }),
    );
    expect(one(analysis, BIND).reference).toMatchObject({ tps: 300, ratio: 0.15 });
    expect(one(analysis, BASE).reference).toBeNull();
  });

  it('stay within their regime', () => {
    const cells = [
      cell(`${BASE}.io`, 10, 1),
      cell(`${BIND}.io`, 9, 0.9),
      cell(`${BASE}.published`, 1000, 1),
      cell(`${BIND}.published`, 500, 0.5),
    ];
    const analysis = analyse(regimes({ reference: reference(cells) }));
    expect(one(analysis, `${BIND}.io`).reference?.ratio).toBe(0.9);
    expect(one(analysis, `${BIND}.published`).reference?.ratio).toBe(0.5);
    expect(one(analysis, `${BASE}.io~again`).reference).toBeNull();
  });
});
