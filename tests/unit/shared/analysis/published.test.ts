import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { PlanReference } from '../../../../src/shared/model/reference.ts';
import { createTranslator, ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { publishedNotes, publishedRows } from '../../../../src/shared/words/published-wording.ts';
import { verdictText } from '../../../../src/shared/words/wording.ts';
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

const PUBLISHED: PlanReference = { ...ABOUT, cells: [cell(BASE, 348, 77, 5), cell(BIND, 433, 55, 10)] };

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
    const analysis = analyzed({ ...ABOUT, cells: [cell(BIND, 433, 55, 10)] });
    expect(one(analysis, BIND).reference).toMatchObject({ tps: 433, ratio: 9 });
    expect(one(analysis, BASE).reference).toBeNull();
  });

  it('follow another baseline, and stay within their buffer-pool size', () => {
    const bufferPools = { io: { name: 'I/O', bufferPoolMiB: 16 }, all: { name: 'All', bufferPoolMiB: 512 } };
    const cells = ['io', 'all'].flatMap((pool, index) => [
      cell(`${BASE}.${pool}`, 100, 1, 1),
      cell(`${BIND}.${pool}`, index === 0 ? 90 : 50, 1, 1),
    ]);
    const state = makeState({ scenarios: TWO, bufferPools, rounds: 1, reference: { ...ABOUT, cells } });
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

  it('have each conclusion once, next to what this run says of its scenarios', () => {
    const conclusion = { en: 'the host directory was faster.', 'zh-CN': '宿主机目录更快。' };
    const cells = PUBLISHED.cells.map((one) => ({ ...one, conclusion }));
    const analysis = analyzed({ ...PUBLISHED, cells });
    const [note, ...others] = publishedNotes(analysis, ENGLISH);
    expect(others).toEqual([]);
    expect(note).toContain(conclusion.en);
    expect(note).toContain(verdictText(one(analysis, BIND), analysis, ENGLISH));
    // What was published about the baseline has nothing here to be compared with.
    const name = 'Named volume via published port';
    expect(note).toContain(ENGLISH('report:published.nothingToCompare', { name }));
    expect(publishedNotes(analysis, createTranslator('zh-CN'))[0]).toContain(conclusion['zh-CN']);
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
