import { describe, expect, it } from 'vitest';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { PlanReference } from '../../../../src/shared/model/reference.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { otherPathNotes, publishedRows } from '../../../../src/shared/words/published-wording.ts';
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

  it('are a row each in app and reports; with throughput alone there is no table', () => {
    const rows = publishedRows(analyzed(PUBLISHED), ENGLISH);
    expect(rows).toHaveLength(1 + 2 * 3);
    expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([6]));
    const cells = PUBLISHED.cells.map((one) => ({ ...one, figures: [] }));
    expect(publishedRows(analyzed({ ...PUBLISHED, cells }), ENGLISH)).toEqual([]);
  });

  it('name the path of the experiment where it is another', () => {
    const [first, ...others] = PUBLISHED.cells;
    if (first === undefined) throw new Error('no cell');
    const elsewhere = { ...PUBLISHED, cells: [{ ...first, otherPath: 'ingress' as const }, ...others] };
    expect(otherPathNotes(analyzed(elsewhere), ENGLISH)).toEqual([expect.stringContaining('routing mesh')]);
    expect(otherPathNotes(analyzed(PUBLISHED), ENGLISH)).toEqual([]);
  });
});
