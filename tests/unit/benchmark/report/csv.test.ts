import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summaryCsv as csvOf, perSecondCsv } from '../../../../src/benchmark/report/csv.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { Analysis } from '../../../../src/shared/model/analysis.ts';
import type { Totals } from '../../../../src/shared/model/measurements.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { METHOD } from '../../../../src/shared/statistics/paired-ratio.ts';
import { GRID, makeState, sampleState, withHost } from '../../builders.ts';
import { parseCsv } from './csv-rows.ts';
import {
  BASE,
  BIND,
  loadGeneratorsState,
  markedState,
  sweepState,
  bufferPoolsState,
  STATES,
  tpccState,
} from './states.ts';

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
  const state = sampleState();
  const analysis = analyze(state);
  const rows = parse(summaryCsv(state, analysis));

  it('has one row per scenario with the figures of the analysis', () => {
    expect(rows.map(({ scenario }) => scenario)).toEqual(analysis.scenarios.map(({ id }) => id));
    expect(rows).toHaveLength(9);
    const row = rows.find(({ scenario }) => scenario === 'bind-mount.host-network');
    const one = analysis.scenarios.find(({ id }) => id === 'bind-mount.host-network');
    expect(row).toMatchObject({
      run: state.runId,
      name: 'bind mount via host network',
      storage: 'bind-mount',
      path: 'host-network',
      baseline: 'false',
      trials_measured: '4',
      trials_failed: '1',
      paired_rounds: '4',
      verdict: 'faster',
      confidence: '0.95',
    });
    expect(Number(row?.['tps'])).toBeCloseTo(one?.tps ?? 0, 3);
    expect(Number(row?.['ratio_low'])).toBeCloseTo(one?.ratio?.low ?? 0, 5);
    expect(Number(row?.['p95_us'])).toBe(one?.latency?.p95Us);
  });

  it('names in every row where the numbers come from, the stand-in image above all', () => {
    for (const row of rows) {
      expect(row).toMatchObject({
        preset: 'docker-options',
        runtime: 'Docker Engine 28.1.1',
        engine_version: '28.1.1',
        image_requested: 'mysql:8.4',
        image_used: 'mysql:8.0',
        server_version: '8.0.42',
        substituted: 'true',
        app_version: '0.1.0',
        method: METHOD,
      });
    }
  });

  it('names each row’s own server, buffer-pool size, load generator and baseline', () => {
    const tpcc = tpccState();
    const own = parse(summaryCsv(tpcc, analyze(tpcc)));
    expect(
      own.map(({ server_config, image_requested, image_used, server_version, substituted }) => [
        server_config,
        image_requested,
        image_used,
        server_version,
        substituted,
      ]),
    ).toEqual([
      ['default', 'mysql:8.4', 'mysql:8.4', '8.4.5', 'false'],
      ['mariadb', 'mariadb:11.8', 'mariadb:11.8', '11.8.6', 'false'],
      ['percona', 'percona/percona-server:8.4', 'percona/percona-server:8.0', '8.0.42-33', 'true'],
    ]);
    const bufferPools = bufferPoolsState();
    const [native, volume] = parse(summaryCsv(bufferPools, analyze(bufferPools))).slice(7);
    expect(native).toMatchObject({
      buffer_pool: 'in-memory',
      load_generator: 'builtin',
      server_config: 'default_in-memory',
      baseline: 'true',
      image_used: '',
      server_flavor: 'mysql',
      server_version: '8.4.5',
    });
    expect(volume).toMatchObject({
      baseline: 'false',
      baseline_scenario: 'native.loopback.in-memory',
      image_used: 'mysql:8.4',
    });
  });

  it('names the flags of a scenario', () => {
    const marked = markedState();
    expect(parse(summaryCsv(marked, analyze(marked))).map(({ flags }) => flags)).toEqual([
      'client-limited',
      'not-durable client-limited',
    ]);
    expect(rows.map(({ flags }) => flags)).toEqual(rows.map(() => ''));
  });

  it('says with how many connections, in both tables', () => {
    const sweep = sweepState();
    for (const rows of [parse(summaryCsv(sweep, analyze(sweep))), parse(perSecondCsv(sweep))]) {
      for (const { scenario, connections } of rows)
        expect(scenario).toMatch(new RegExp(`\\.c${connections}(~again)?$`));
      expect(new Set(rows.map(({ connections }) => connections)).size).toBe(7);
    }
  });

  it('puts published numbers into columns of their own', () => {
    const state = loadGeneratorsState();
    const [row] = parse(summaryCsv(state, analyze(state)));
    expect(row).toMatchObject({
      reference_label: 'Host client to published port',
      reference_tps: '2200',
      reference_ratio: '0.309859',
      reference_source:
        'Measuring Percona Server Docker CPU/network overhead. Vadim Tkachenko, Percona blog, 2016-02-05 https://www.percona.com/blog/2016/02/05/measuring-docker-cpu-network-overhead/',
    });
    expect(rows[0]).toMatchObject({ reference_label: '', reference_source: '' });
  });

  it('counts intentional rollbacks apart from errors, and rates per minute', () => {
    const state = tpccState({ errors: { '1213': 1 }, aaCheck: false });
    const [row] = parse(summaryCsv(state, analyze(state)));
    const trials = state.trials.filter(({ scenarioId }) => scenarioId === BASE);
    const sum = (pick: (totals: Totals) => number): number =>
      trials.reduce((all, { totals }) => all + (totals === null ? 0 : pick(totals)), 0);
    const minutes = sum(({ durationMs }) => durationMs) / 60_000;
    const rollbacks = sum((totals) => totals.rollbacks);
    expect(rollbacks).toBeGreaterThan(0);
    expect(row).toMatchObject({ rollbacks: String(rollbacks), errors: '3' });
    const newOrders = sum(({ mix }) => mix['new_order'] ?? 0);
    expect(Number(row?.['new_orders_per_minute'])).toBeCloseTo((newOrders - rollbacks) / minutes, 2);
    expect(Number(row?.['transactions_per_minute'])).toBeCloseTo(
      sum(({ transactions }) => transactions) / minutes,
      2,
    );
    expect(rows[0]).toMatchObject({ rollbacks: '', new_orders_per_minute: '' });
  });

  it('leaves cells empty that have no value', () => {
    const none = STATES['no baseline']?.() ?? state;
    const [base, bind] = parse(summaryCsv(none, analyze(none)));
    expect(base).toMatchObject({ tps: '', ratio: '', p95_us: '', verdict: '', trials_failed: '2' });
    expect(bind).toMatchObject({ tps: '500', ratio: '', ratio_low: '', verdict: 'inconclusive' });
  });

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
