import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import type { PlanReference } from '../../../../src/shared/model/reference.ts';
import { createTranslator, ENGLISH } from '../../../../src/shared/words/i18n.ts';
import {
  claimSentences,
  publishedNotes,
  publishedRows,
} from '../../../../src/shared/words/published-wording.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeState } from '../../builders.ts';
import { BASE, BIND, one, TWO } from './analysis-helpers.ts';

const ABOUT = {
  id: 'x',
  title: 'A study',
  source: 'Somebody',
  url: null,
  date: '2017',
  hardware: 'a machine',
  software: 'MySQL',
  workload: 'oltp',
};

function cell(scenarioId: string, tps: number, p95Ms: number, deadlocksPerMinute: number) {
  const figures = [
    { measure: 'p95Ms' as const, value: p95Ms, ratio: 9 },
    { measure: 'deadlocksPerMinute' as const, value: deadlocksPerMinute, ratio: 9 },
  ];
  return { scenarioId, label: scenarioId, otherPath: null, tps, ratio: 9, figures };
}

const PUBLISHED: PlanReference = {
  ...ABOUT,
  cells: [cell(BASE, 348, 77, 5), cell(BIND, 433, 55, 10)],
  claims: [],
};

function analyzed(reference: PlanReference) {
  const outcomes = { [BASE]: [400, 400], [BIND]: [600, 600] };
  return analyze(makeState({ scenarios: TWO, rounds: 2, outcomes, errors: { 1213: 3 }, reference }));
}

describe('published figures', () => {
  it('are next to the same figures of the run, each relative to the same baseline', () => {
    const { reference, latency } = one(analyzed(PUBLISHED), BIND);
    const figures = new Map(reference?.figures.map((figure) => [figure.measure, figure]));
    expect(figures.get('tps')?.published).toEqual({ value: 433, ratio: 433 / 348 });
    expect(figures.get('tps')?.measured?.ratio).toBeCloseTo(1.5, 2);
    expect(figures.get('p95Ms')?.published.ratio).toBeCloseTo(55 / 77, 10);
    expect(figures.get('p95Ms')?.measured?.value).toBe((latency?.p95Us ?? 0) / 1000);
    expect(figures.get('deadlocksPerMinute')?.published.ratio).toBe(2);
    expect(figures.get('deadlocksPerMinute')?.measured?.ratio).toBeCloseTo(1, 10);
  });

  it('keep the experiment’s own ratio where the baseline was not published', () => {
    const analysis = analyzed({ ...PUBLISHED, cells: [cell(BIND, 433, 55, 10)] });
    expect(one(analysis, BIND).reference).toMatchObject({ tps: 433, ratio: 9 });
    expect(one(analysis, BASE).reference).toBeNull();
  });

  it('follow another baseline, and stay within their buffer-pool size', () => {
    const bufferPools = { io: { name: 'I/O', bufferPoolMiB: 16 }, all: { name: 'All', bufferPoolMiB: 512 } };
    const cells = ['io', 'all'].flatMap((pool, index) => [
      cell(`${BASE}.${pool}`, 100, 1, 1),
      cell(`${BIND}.${pool}`, index === 0 ? 90 : 50, 1, 1),
    ]);
    const state = makeState({ scenarios: TWO, bufferPools, rounds: 1, reference: { ...PUBLISHED, cells } });
    expect(one(analyze(state), `${BIND}.io`).reference?.ratio).toBe(0.9);
    expect(one(analyze(state), `${BIND}.all`).reference?.ratio).toBe(0.5);
    const turned = analyze(state, { baselineId: `${BIND}.io` });
    expect(one(turned, `${BASE}.all`).reference?.ratio).toBe(2);
  });

  it('are a row each in app and reports; with throughput alone there is no table', () => {
    const rows = publishedRows(analyzed(PUBLISHED), ENGLISH);
    expect(rows).toHaveLength(1 + 2 * 3);
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([6]));
    const cells = PUBLISHED.cells.map((one) => ({ ...one, figures: [] }));
    expect(publishedRows(analyzed({ ...PUBLISHED, cells }), ENGLISH)).toEqual([]);
  });

  it('count TPC-C’s rollbacks among the errors that sysbench ignores', () => {
    const cells = PUBLISHED.cells.map((one) => ({
      ...one,
      figures: [{ measure: 'ignoredErrorsPerSecond' as const, value: 1, ratio: 1 }],
    }));
    const outcomes = { [BASE]: [400, 400], [BIND]: [600, 600] };
    const state = makeState({
      scenarios: TWO,
      rounds: 2,
      outcomes,
      errors: { 1213: 3 },
      reference: { ...PUBLISHED, cells },
    });
    const perSecond = (rollbacks: number): number => {
      const trials = state.trials.map((trial) =>
        trial.totals === null ? trial : { ...trial, totals: { ...trial.totals, rollbacks } },
      );
      const figures = one(analyze({ ...state, trials }), BIND).reference?.figures ?? [];
      return figures.find(({ measure }) => measure === 'ignoredErrorsPerSecond')?.measured?.value ?? NaN;
    };
    expect(perSecond(3)).toBeCloseTo(2 * perSecond(0), 10);
  });

  it('name the path of the experiment where it is another', () => {
    const [first, ...others] = PUBLISHED.cells;
    if (first === undefined) throw new Error('no cell');
    const elsewhere = { ...PUBLISHED, cells: [{ ...first, otherPath: 'ingress' as const }, ...others] };
    expect(publishedNotes(analyzed(elsewhere), ENGLISH)).toEqual([expect.stringContaining('routing mesh')]);
    expect(publishedNotes(analyzed(PUBLISHED), ENGLISH)).toEqual([]);
  });
});

describe('what was published', () => {
  const SAYS = { en: 'The host directory was 25% faster.', 'zh-CN': '宿主机目录快 25%。' };
  const PAIRS = [{ scenarioId: BIND, referenceId: BASE }];

  /** Verdict on a claim after three rounds in which the bind mount is about 1.25 times as fast. */
  function claimed(low: number | null, high: number | null, { pairs = PAIRS, spread = 0.01 } = {}) {
    const reference = { ...PUBLISHED, claims: [{ says: SAYS, low, high, pairs }] };
    const bind = [-spread, 0, spread].map((one) => Math.round(500 * Math.exp(one)));
    const outcomes = { [BASE]: [400, 400, 400], [`${BASE}~again`]: [400, 400, 400], [BIND]: bind };
    const analysis = analyze(makeState({ scenarios: TWO, rounds: 3, outcomes, reference }));
    const [claim] = analysis.claims;
    if (claim === undefined) throw new Error('no claim');
    const sentences = LANGUAGES.flatMap((one) => claimSentences(analysis, createTranslator(one)));
    return { claim, sentences };
  }

  it.each([
    [1.12, 1.55, 'confirmed'],
    [1, null, 'confirmed'],
    [null, 1.55, 'confirmed'],
    // Certain to be faster, but not by as much.
    [1.5, 2, 'contradicted'],
    [null, 0.33, 'contradicted'],
    [1.24, 1.3, 'inconclusive'],
  ] as const)('holds from %d to %d: %s, by the interval that is shown', (low, high, verdict) => {
    const { claim } = claimed(low, high);
    expect(claim.verdict).toBe(verdict);
    expect(claim.ratio?.value).toBeCloseTo(1.25, 3);
    const [from, to] = [low ?? 0, high ?? Infinity];
    const { low: least, high: most } = claim.ratio ?? {};
    if (verdict === 'confirmed') expect([(least ?? 0) > from, (most ?? Infinity) < to]).toEqual([true, true]);
    if (verdict === 'contradicted') expect((least ?? 0) > to || (most ?? 0) < from).toBe(true);
  });

  it('is said with what this run says of it, and what it would take where it stays open', async () => {
    await expectShown('published-claims', {
      confirmed: claimed(1.12, 1.55).sentences,
      'contradicted: it would be slower': claimed(null, 0.33).sentences,
      'contradicted: it would be twice as fast': claimed(2, null).sentences,
      open: claimed(1.12, 1.55, { spread: 0.2 }).sentences,
      'open for very long': claimed(1.25, 1.55, { spread: 0.2 }).sentences,
      'not measured, without its scenarios': claimed(1.12, 1.55, { pairs: [] }).sentences,
    });
    expect(claimed(1.12, 1.55, { spread: 0.2 }).claim.minutes).toBeGreaterThan(0);
    expect(claimed(1.12, 1.55).claim.minutes).toBeNull();
  });
});
