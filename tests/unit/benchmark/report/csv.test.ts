import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summaryCsv as csvOf, perSecondCsv } from '../../../../src/benchmark/report/csv.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Analysis } from '../../../../src/shared/analysis/analysis.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState, sampleState, withHost } from '../../builders.ts';
import { parseCsv } from './csv-rows.ts';
import { BASE, BIND, TWO } from '../../shared/analysis/analysis-helpers.ts';

const summaryCsv = (state: RunState, analysis: Analysis): string =>
  csvOf({ state, sharing: { included: ['host'], leftOut: { path: 2, secret: 1 } } }, analysis);

it('per-second.csv has a row for each window: of a whole trial, without transactions, and of a slice', async () => {
  const shape = { scenarios: TWO, aaCheck: false, rounds: 1, durationSeconds: 3, warmupSeconds: 1 };
  const image = { used: 'mysql:8.0', substituted: true };
  const busy = withHost(makeState({ ...shape, image, outcomes: { [BIND]: [0] } }), {
    [`r1.${BASE}`]: [
      { kind: 'steal', windows: [1, 2], value: 0.1, name: null },
      { kind: 'swapping', windows: [2], value: 900, name: null },
      { kind: 'container-busy', windows: null, value: 0.9, name: 'web' },
      { kind: 'container-busy', windows: null, value: 0.2, name: 'cache' },
    ],
  });
  const slices = makeState({ ...shape, sliceSeconds: 1.5 });
  const tables = [busy, slices, { ...slices, trials: [] }].map((state) => perSecondCsv(state));
  const file = join(process.cwd(), 'tests/fixtures/documents/per-second.txt');
  await expect(tables.join('\n')).toMatchFileSnapshot(file);
  const rows = parseCsv(tables[0] ?? '').filter((row) => row.includes(BASE) && row.includes('measure'));
  const column = parseCsv(tables[0] ?? '')[0]?.indexOf('transactions') ?? -1;
  const trial = busy.trials.find(({ id }) => id === `r1.${BASE}`);
  expect(rows.reduce((sum, row) => sum + Number(row[column]), 0)).toBe(trial?.totals?.transactions);
});

describe('docs/reference/exports.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/reference/exports.md'), 'utf8');
  const explained = (heading: string): string[] => {
    const [, section = ''] = page.split(`## ${heading}\n`);
    const [table = ''] = section.split('\n## ');
    const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
    return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, column = '']) => column));
  };
  const state = sampleState();
  const columnsOf = (csv: string): string[] => parseCsv(csv)[0] ?? [];

  it('explains every column of summary.csv, and no other', () => {
    const ratios = columnsOf(summaryCsv(state, analyze(state))).filter(
      // The page explains those of published figures in words.
      (column) => !/^reference_\w+_ratio$/.test(column),
    );
    expect(explained('summary.csv').sort()).toEqual(ratios.sort());
  });

  it('explains every column of per-second.csv that summary.csv doesn’t have', () => {
    const shared = new Set(columnsOf(summaryCsv(state, analyze(state))));
    const own = explained('per-second.csv').filter((column) => !shared.has(column));
    expect(own.sort()).toEqual(
      columnsOf(perSecondCsv(state))
        .filter((column) => !shared.has(column))
        .sort(),
    );
  });
});
