import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summaryCsv as csvOf, perSecondCsv } from '../../../../src/benchmark/report/csv.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Analysis } from '../../../../src/shared/analysis/analysis.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { GRID, makeState, sampleState, withHost } from '../../builders.ts';
import { parseCsv } from './csv-rows.ts';
import { BASE, BIND } from '../../shared/analysis/analysis-helpers.ts';
import { STATES } from './states.ts';

function parse(csv: string): Record<string, string>[] {
  const [header = [], ...body] = parseCsv(csv);
  return body.map((cells) => {
    expect(cells).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}

const summaryCsv = (state: RunState, analysis: Analysis): string =>
  csvOf({ state, sharing: { included: ['host'], leftOut: { path: 2, secret: 1 } } }, analysis);

describe('summary CSV', () => {
  it('counts errors in all and by code', () => {
    const failing = makeState({ rounds: 2, aaCheck: false, errors: { '1213': 3, '1205': 1 } });
    expect(parse(summaryCsv(failing, analyze(failing)))[0]).toMatchObject({
      errors: '8',
      error_codes: '1205:2 1213:6',
    });
  });
});

describe('windows CSV', () => {
  const state = sampleState();
  const rows = parse(perSecondCsv(state));

  it('begins with the columns that say which window it is', () => {
    expect(perSecondCsv(state).split('\n')[0]).toMatch(
      /^run,round,scenario,phase,index,start_ms,duration_ms,transactions,tps,reads,writes,other,errors,p50_us,p95_us,p99_us,max_us,/,
    );
  });

  it('has every window, and those of a trial add up to its totals', () => {
    expect(rows).toHaveLength(state.trials.reduce((sum, { windows }) => sum + windows.length, 0));
    const trial = state.trials.find(({ id }) => id === `r2.${BIND}`);
    const own = rows.filter(
      ({ round, scenario, phase }) => round === '2' && scenario === BIND && phase === 'measure',
    );
    expect(own.map(({ index, start_ms }) => [index, start_ms])).toEqual([
      ['0', '0'],
      ['1', '1000'],
      ['2', '2000'],
      ['3', '3000'],
      ['4', '4000'],
    ]);
    const sum = own.reduce((all, { transactions }) => all + Number(transactions), 0);
    expect(sum).toBe(trial?.totals?.transactions);
    expect(own[0]?.['tps']).toBe(own[0]?.['transactions']);
    expect(own[0]).toMatchObject({ trial_status: 'measured', image_used: 'mysql:8.0', substituted: 'true' });
  });

  it('tells the pass and the position of a slice, and that other windows have none', () => {
    const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 1, durationSeconds: 2 };
    const slices = parse(perSecondCsv(makeState({ ...shape, sliceSeconds: 1 })));
    expect(slices.map((row) => `${row['pass']}.${row['position']}`).sort()).toEqual([
      '1.1',
      '1.2',
      '2.1',
      '2.2',
    ]);
    expect(rows[0]).toMatchObject({ pass: '', position: '' });
  });

  it('leaves latencies empty in a window without transactions', () => {
    const stalled = STATES['no transactions']?.() ?? state;
    const row = parse(perSecondCsv(stalled)).find(({ scenario }) => scenario === BIND);
    expect(row).toMatchObject({ transactions: '0', tps: '0', p50_us: '', max_us: '' });
  });

  it('names what else went on in a window, and in its whole trial', () => {
    const busy = withHost(state, {
      [`r2.${BIND}`]: [
        { kind: 'steal', windows: [1, 2], value: 0.1, name: null },
        { kind: 'swapping', windows: [2], value: 900, name: null },
        { kind: 'container-busy', windows: null, value: 0.9, name: 'web' },
        { kind: 'container-busy', windows: null, value: 0.2, name: 'cache' },
      ],
    });
    const hosts = (round: string, phase: string): (string | undefined)[] =>
      parse(perSecondCsv(busy))
        .filter((row) => row['round'] === round && row['scenario'] === BIND && row['phase'] === phase)
        .map((row) => row['host']);
    expect(hosts('2', 'measure')).toEqual([
      'container-busy',
      'steal;container-busy',
      'steal;swapping;container-busy',
      'container-busy',
      'container-busy',
    ]);
    expect(new Set(hosts('2', 'warmup'))).toEqual(new Set(['container-busy']));
    expect(new Set(hosts('1', 'measure'))).toEqual(new Set(['']));
  });

  it('keeps its header without a single window', () => {
    const nothing = makeState({ rounds: 1, outcomes: {}, outcome: 'stopped' });
    const empty = { ...nothing, trials: nothing.trials.map((trial) => ({ ...trial, windows: [] })) };
    expect(perSecondCsv(empty).trim().split('\n')).toEqual([perSecondCsv(state).split('\n')[0]]);
    expect(perSecondCsv(state)).toContain(BASE);
  });
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
