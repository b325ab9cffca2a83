import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { kneeText, sweepSentence } from '../../../../src/shared/words/wording.ts';
import type { Sweep } from '../../../../src/shared/analysis/analysis.ts';
import { power } from '../../../../src/shared/analysis/sweep.ts';
import { labelText } from '../../../../src/shared/words/labels.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeState, type StateShape, type TrialOutcome } from '../../builders.ts';
import { BASE, BIND, TWO, one } from './analysis-helpers.ts';

const t = createTranslator('en');

/** A sweep of one scenario; `rates` of each level, one value a round. */
function sweepOf(rates: Record<number, TrialOutcome[]>, shape: StateShape = {}): Sweep {
  const state = makeState({
    scenarios: TWO.slice(0, 1),
    sweep: Object.keys(rates).map(Number),
    aaCheck: false,
    rounds: Object.values(rates)[0]?.length ?? 0,
    outcomes: Object.fromEntries(
      Object.entries(rates).map(([level, outcomes]) => [`${BASE}.c${level}`, outcomes]),
    ),
    ...shape,
  });
  const [sweep, ...others] = analyze(state).sweeps;
  if (sweep === undefined || others.length > 0) throw new Error('not one sweep');
  return sweep;
}

describe('power', () => {
  it('is throughput by mean latency, which in a closed loop is connections by throughput', () => {
    // 8 connections, 400 transactions a second: each takes 20 ms.
    expect(power(400, 8)).toBe(400 / (8 / 400));
  });
});

describe('the knee', () => {
  it('is the level of the highest power', () => {
    // Powers 10,000, 18,050, 22,500, 12,800.
    const { knee } = sweepOf({ 1: [100, 100], 2: [190, 190], 4: [300, 300], 8: [320, 320] });
    expect(knee).toEqual({ connections: 4, agreeing: 2, rounds: 2, end: null });
  });

  it('is the one that most rounds name, not the one of the mean', () => {
    // The third round alone would lift level 8 over all: 4 wins two of three.
    const { knee } = sweepOf({
      2: [100, 100, 100],
      4: [200, 200, 200],
      8: [210, 210, 600],
      16: [210, 210, 610],
    });
    expect(knee).toEqual({ connections: 4, agreeing: 2, rounds: 3, end: null });
  });

  it('is of two named equally often the one with the higher power over all rounds', () => {
    const { knee } = sweepOf({ 1: [100, 100], 2: [200, 100], 4: [210, 310], 8: [210, 310] });
    // Round 1: 20,000 at 2; round 2: 24,025 at 4. Together 150²/2 = 11,250 against 260²/4 = 16,900.
    expect(knee).toEqual({ connections: 4, agreeing: 1, rounds: 2, end: null });
  });

  it('of equal powers is the one with fewer connections', () => {
    expect(sweepOf({ 1: [100], 4: [200], 16: [400], 64: [400] }).knee?.connections).toBe(1);
  });

  it('at an end of the sweep may lie beyond it', () => {
    expect(sweepOf({ 1: [100], 2: [200], 4: [400] }).knee).toMatchObject({ connections: 4, end: 'highest' });
    expect(sweepOf({ 4: [100], 8: [101], 16: [102] }).knee).toMatchObject({ connections: 4, end: 'lowest' });
  });

  it('needs three levels, and a round that has them all', () => {
    expect(sweepOf({ 1: [100], 4: [200] }).knee).toBeNull();
    const lost = 'canceled';
    // The level that never ran is no level; of the rest two are left.
    expect(sweepOf({ 1: [100], 2: [200], 4: [lost] }).knee).toBeNull();
    expect(sweepOf({ 1: [100, lost], 2: [lost, 190], 4: [300, 300] }).knee).toBeNull();
    const partly = sweepOf({ 1: [100, 100], 2: [190, lost], 4: [200, 900], 8: [lost, lost] });
    expect(partly.knee).toEqual({ connections: 2, agreeing: 1, rounds: 1, end: null });
    expect(partly.levels.map(({ tps }) => tps === null)).toEqual([false, false, false, true]);
  });
});

describe('a sweep', () => {
  const LEVELS = [1, 4, 16];
  const rates: Record<string, number[]> = {
    [`${BASE}.c1`]: [100, 110, 90],
    [`${BASE}.c4`]: [350, 355, 345],
    [`${BASE}.c4~again`]: [351, 354, 345],
    [`${BASE}.c16`]: [400, 410, 390],
    [`${BIND}.c1`]: [100, 111, 90],
    [`${BIND}.c4`]: [340, 355, 345],
    [`${BIND}.c16`]: [200, 206, 194],
  };
  const state = makeState({ scenarios: TWO, sweep: LEVELS, rounds: 3, outcomes: rates });
  const analysis = analyze(state);

  it('is each scenario over its levels, with the spread of its rounds; A/A pairs are none', () => {
    expect(analysis.sweeps.map(({ id, label, isBaseline }) => [id, labelText(label, t), isBaseline])).toEqual(
      [
        [BASE, 'named volume via published port', true],
        [BIND, 'bind mount via published port', false],
      ],
    );
    const [first] = analysis.sweeps;
    expect(first?.levels.map(({ scenarioId, connections }) => [scenarioId, connections])).toEqual(
      LEVELS.map((level) => [`${BASE}.c${level}`, level]),
    );
    expect(first?.levels[0]).toMatchObject({ tps: 100, lowTps: 90, highTps: 110 });
    const latency = one(analysis, `${BASE}.c1`).latency;
    expect(first?.levels[0]).toMatchObject({
      p50Us: latency?.p50Us,
      p95Us: latency?.p95Us,
      p99Us: latency?.p99Us,
    });
    const once = sweepOf({ 1: [100], 4: [200] });
    expect(once.levels[0]).toMatchObject({ lowTps: null, highTps: null });
  });

  it('is none where all run with as many connections', () => {
    expect(analyze(makeState({ scenarios: TWO, rounds: 1 })).sweeps).toEqual([]);
  });

  it('stays apart for each buffer-pool size and load generator', () => {
    const bufferPools = { io: { name: 'I/O', bufferPoolMiB: 16 }, all: { name: 'All', bufferPoolMiB: 512 } };
    const loadGenerator = ['builtin' as const, 'sysbench' as const];
    const all = analyze(makeState({ scenarios: TWO, bufferPools, loadGenerator, sweep: LEVELS, rounds: 1 }));
    expect(all.sweeps.map(({ id, levels }) => [id, levels.length])).toEqual(
      ['io', 'all'].flatMap((pool) =>
        [BASE, BIND].flatMap((id) => loadGenerator.map((one) => [`${id}.${one}.${pool}`, LEVELS.length])),
      ),
    );
  });

  it('is compared level by level, with another baseline, too', () => {
    for (const level of LEVELS) {
      expect(one(analysis, `${BIND}.c${level}`).baselineId).toBe(`${BASE}.c${level}`);
    }
    expect(one(analysis, `${BIND}.c16`)).toMatchObject({ verdict: 'slower' });
    expect(one(analysis, `${BIND}.c16`).ratio?.value).toBeCloseTo(0.5, 2);
    const turned = analyze(state, { baselineId: `${BIND}.c4` });
    for (const level of LEVELS) {
      expect(one(turned, `${BASE}.c${level}`).baselineId).toBe(`${BIND}.c${level}`);
    }
    // A baseline chosen at another level gives the same result.
    expect(analyze(state, { baselineId: `${BIND}.c1` }).scenarios).toEqual(turned.scenarios);
  });
});

it('a knee is said with how many rounds say so, and what was not seen', async () => {
  const knee = { connections: 8, agreeing: 2, rounds: 3, end: null };
  const said = (one: Sweep['knee']): string[] =>
    LANGUAGES.map((language) => kneeText(one, createTranslator(language)));
  await expectShown('knees', {
    'inside the sweep': said(knee),
    'at its highest level': said({ ...knee, end: 'highest' }),
    'at its lowest level': said({ ...knee, end: 'lowest' }),
    'at one connection, the fewest there are': said({
      connections: 1,
      agreeing: 1,
      rounds: 1,
      end: 'lowest',
    }),
    none: said(null),
    'of a scenario': [sweepSentence(sweepOf({ 1: [100], 2: [190], 4: [200] }), t)],
  });
});
