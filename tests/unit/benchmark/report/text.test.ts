import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { analyse } from '../../../../src/shared/analysis/analyse.ts';
import { makeState, sampleState } from '../../builders.ts';
import {
  BASE,
  BIND,
  driversState,
  markedState,
  rampState,
  regimesState,
  STATES,
  tpccState,
} from './states.ts';

const rendered = (state = sampleState()): string => renderText(state, analyse(state));

describe('text report', () => {
  it('says the remarks before the headline, and the headline before the table', () => {
    const text = rendered();
    const order = [
      'What does Docker cost my MySQL?',
      'Note: mysql:8.4 could not be fetched',
      'Note: 1 trial failed and does not count: 1 × PATH_NO_TRAFFIC.',
      'Image layer × published port is 1.9× slower than named volume × published port',
      'Scenario ',
      'Noise check passed',
      'Failed: bind-mount.host-network: The path “published port” carries no traffic',
      'Machine: Docker Engine 28.1.1 · native, no VM · 8 CPUs · 16 GiB · MySQL 8.0.42 (local image mysql:8.0 in place of mysql:8.4)',
      'Method: 5 interleaved rounds × 5 s, 8 connections, oltp_read_write, 4 × 25,000 rows, paired ratios, 95 % interval',
      'How each number is made: docs/method.md',
    ].map((part) => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBe(0);
    expect(text.trimEnd().split('\n').at(-1)).toBe('How each number is made: docs/method.md');
  });

  it('aligns its columns', () => {
    const lines = rendered().split('\n');
    const head = lines.findIndex((line) => line.startsWith('Scenario '));
    const table = lines.slice(head, head + 11);
    const verdictAt = table[0]?.indexOf('Verdict') ?? -1;
    for (const line of table.slice(1)) {
      expect(line.slice(verdictAt - 2, verdictAt)).toBe('  ');
      expect(line.charAt(verdictAt)).not.toBe(' ');
    }
    expect(table.find((line) => line.startsWith('Bind mount × host network'))).toMatch(
      / 4 of 5 {2}\d+ % faster$/,
    );
    expect(table.find((line) => line.startsWith('Named volume × published port  '))).toMatch(
      / – +5 {2}baseline$/,
    );
    expect(table.at(-1)).toMatch(/\(again\).*\(noise check\)$/);
  });

  it('keeps columns in line with wide characters', () => {
    const state = makeState({
      rounds: 2,
      scenarios: [
        { storage: 'named-volume', path: 'published-port', name: '命名卷' },
        { storage: 'bind-mount', path: 'published-port', name: 'abcdef' },
      ],
      noiseFloor: false,
    });
    const lines = rendered(state).split('\n');
    const wide = lines.find((line) => line.startsWith('命名卷 ')) ?? '';
    const narrow = lines.find((line) => line.startsWith('Abcdef ')) ?? '';
    expect(wide.indexOf('500') + 3).toBe(narrow.indexOf('500'));
  });

  it('names what was left out, and why', () => {
    const excluded = [{ id: 'x', name: 'named volume × host network', reason: 'Host networking is off.' }];
    expect(rendered(makeState({ rounds: 1, excluded }))).toContain(
      'Left out: named volume × host network. Host networking is off.',
    );
  });

  it('says of which scenario a remark is', () => {
    const state = makeState({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'bind-mount', path: 'published-port' },
      ],
      rounds: 3,
      outcomes: { [BASE]: [800, 800, 800], [BIND]: [400, 'LOAD_FAILED', 402] },
    });
    expect(rendered(state)).toContain('Note on bind mount × published port: Only 2 rounds');
  });

  it('compares within each regime, in columns that line up', () => {
    const lines = rendered(regimesState()).split('\n');
    const regimes = lines.flatMap((line, index) => (line.startsWith('In the regime “') ? [index] : []));
    expect(regimes.map((index) => lines[index])).toEqual([
      expect.stringMatching(
        /^In the regime “In memory”, data container \(--volumes-from\) × published port is \d+ % slower than/,
      ),
      'In the regime “I/O-bound”, compared with native server:',
      'In the regime “In memory”, compared with native server:',
    ]);
    const [, first = 0, second = 0] = regimes;
    expect(lines[first + 1]).toBe(lines[second + 1]);
    expect(lines[second + 3]).toMatch(/^Native server \(again\) .*\(noise check\)$/);
  });

  it('has a table for each scenario of a ramp, with the knee marked, before the comparisons by level', () => {
    const lines = rendered(rampState()).split('\n');
    const first = lines.indexOf('Named volume × container IP: knee at 8 connections (in 3 of 5 rounds).');
    const second = lines.indexOf('Named volume × published port: knee at 4 connections (in 5 of 5 rounds).');
    expect(lines[first + 1]).toMatch(/^Connections +TPS +TPS of rounds +p50 +p95 +p99$/);
    expect(lines[first + 1]).toBe(lines[second + 1]);
    const rows = lines.slice(first + 2, first + 9);
    expect(rows.map((row) => /^\d+/.exec(row)?.[0])).toEqual(['1', '2', '4', '8', '16', '32', '64']);
    expect(rows.map((row) => row.endsWith('← knee'))).toEqual([0, 0, 0, 1, 0, 0, 0].map(Boolean));
    expect(lines.filter((line) => line.endsWith('← knee'))).toHaveLength(2);
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([]);
    const levels = lines.flatMap((line, index) =>
      /^With \d+ connections?, compared/.test(line) ? [index] : [],
    );
    expect(levels).toHaveLength(7);
    expect(levels[0]).toBeGreaterThan(second);
    expect(rendered()).not.toContain('knee');
  });

  it('has a column and a source of published numbers only where there are some', () => {
    const text = rendered(driversState());
    expect(text).toMatch(/95 % interval {2}Published {2}Rounds/);
    expect(text).toContain('\nWith the driver node, compared with native server:\nScenario ');
    expect(text).toContain('\nWith the driver sysbench, compared with native server:\nScenario ');
    expect(text.match(/^Named volume × published port .* 0\.31 +3 {2}/gm)).toHaveLength(2);
    expect(text).toContain(
      'Published: Measuring Percona Server Docker CPU/network overhead. Vadim Tkachenko, Percona blog, 2016-02-05. Xeon E5-2643 v2 at 3.50 GHz (24 hardware threads), 256 GB RAM. Each published number is relative to the published number of the same baseline. https://www.percona.com/',
    );
    expect(rendered()).not.toMatch(/published number|Published/);
  });

  it('says when published numbers have another baseline than the measured ones', () => {
    const whole = driversState();
    const cells = whole.plan.reference?.cells.filter(({ scenarioId }) => !scenarioId.startsWith('native'));
    const reference = whole.plan.reference && { ...whole.plan.reference, cells: cells ?? [] };
    expect(rendered({ ...whole, plan: { ...whole.plan, reference } })).toContain(
      'Published numbers are relative to the baseline of the experiment, since ours was not published.',
    );
  });

  it('gives TPC-C-like rates per minute, intentional rollbacks apart, every server named', () => {
    const text = rendered(tpccState({ errors: { '1213': 2 } }));
    expect(text).toMatch(/TPS {2}Tx\/min {2}New orders\/min/);
    expect(text).toMatch(
      /Rolled back on purpose, .*: named volume × published port \d+; MariaDB 11\.8: named/,
    );
    expect(text).toContain(
      'MySQL 8.4.5 (mysql:8.4) · MariaDB 11.8.6 (mariadb:11.8) · Percona Server 8.0.42-33 (local image',
    );
    expect(text).toContain('tpcc (TPC-C-like, not audited), 2 warehouses');
    expect(text).not.toMatch(/tpmC/i);
    expect(rendered()).not.toMatch(/Tx\/min|on purpose/);
  });

  it('puts signs behind the verdicts of marked scenarios, and says below the table what they mean', () => {
    const lines = rendered(markedState()).split('\n');
    expect(lines.find((line) => line.startsWith('Bind mount × published port  '))).toMatch(/ faster †‡$/);
    expect(lines.find((line) => line.startsWith('Named volume × published port  '))).toMatch(/baseline ‡$/);
    const notes = lines.filter((line) => /^[†‡] /.test(line));
    expect(notes).toEqual([
      expect.stringMatching(/^† flushes stop in a cache: /),
      expect.stringMatching(/^‡ the client was the limit: /),
    ]);
    expect(lines.indexOf(notes[0] ?? '')).toBeGreaterThan(
      lines.findIndex((line) => line.endsWith('baseline ‡')),
    );
    expect(rendered()).not.toMatch(/[†‡]/);
  });

  it.each(Object.entries(STATES))('has no gaps for %s', (_, state) => {
    const text = rendered(state());
    expect(text).not.toMatch(/undefined|NaN|null|Infinity|\{\{|report:/);
    expect(text.endsWith('\n')).toBe(true);
  });
});
