import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator, ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { groupedNotices } from '../../../../src/shared/words/grouped-notices.ts';
import {
  flagNotes,
  headlineLines,
  aaCheckText,
  sweepSentence,
} from '../../../../src/shared/words/wording.ts';
import {
  machineText,
  methodText,
  publishedBaselineText,
  publishedText,
  serversText,
} from '../../../../src/shared/words/provenance.ts';
import { makeState, sampleState } from '../../builders.ts';
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

const t = createTranslator('en');
const rendered = (state = sampleState()): string => renderText(state, analyze(state));

describe('text report', () => {
  it('begins with question and headline, then has what to know before the table', () => {
    const state = sampleState();
    const analysis = analyze(state);
    const text = rendered(state);
    const notices = groupedNotices(analysis.notices, ENGLISH).filter(
      ({ scenarioIds }) => scenarioIds.length === 0,
    );
    expect(notices).toHaveLength(2);
    const failed = state.trials.find(({ error }) => error?.code === 'PATH_NO_TRAFFIC')?.error;
    const order = [
      state.plan.preset.question,
      ...headlineLines(analysis, t).flatMap(({ text: finding, detail }) => [finding, detail]),
      t('report:advice.title'),
      t('report:effects.title'),
      t('report:advice.sure'),
      aaCheckText(analysis, t) ?? 'none',
      ...notices.map(({ message }) => t('report:text.notice', { message })),
      'Scenario ',
      t('report:text.failed', {
        trial: 'bind mount via host network',
        message: `${failed?.message ?? ''} [PATH_NO_TRAFFIC]`,
      }),
      t('report:text.machine', { line: `${machineText(state, t)} · ${serversText(state.plan, t)}` }),
      t('report:text.method', { line: methodText(state, analysis, t) }),
    ].map((part) => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBe(0);
  });

  it('aligns its columns', () => {
    const lines = rendered().split('\n');
    const head = lines.findIndex((line) => line.startsWith('Scenario '));
    const table = lines.slice(head, head + 10);
    const verdictAt = table[0]?.indexOf('Verdict') ?? -1;
    for (const line of table.slice(1)) {
      expect(line.slice(verdictAt - 2, verdictAt)).toBe('  ');
      expect(line.charAt(verdictAt)).not.toBe(' ');
    }
    expect(table.find((line) => line.startsWith('Bind mount via host network'))).toMatch(
      / 4 of 5 {2}faster$/,
    );
    expect(table.find((line) => line.startsWith('Named volume via published port  '))).toMatch(
      / – +5 {2}baseline$/,
    );
  });

  it('keeps columns in line with wide characters', () => {
    const state = makeState({
      rounds: 2,
      scenarios: [
        { storage: 'named-volume', path: 'published-port', name: '命名卷' },
        { storage: 'bind-mount', path: 'published-port', name: 'abcdef' },
      ],
      aaCheck: false,
    });
    const lines = rendered(state).split('\n');
    const wide = lines.find((line) => line.startsWith('命名卷 ')) ?? '';
    const narrow = lines.find((line) => line.startsWith('Abcdef ')) ?? '';
    expect(wide.indexOf('500') + 3).toBe(narrow.indexOf('500'));
  });

  it('names what was left out, and why', () => {
    const reason = 'Host networking is off.';
    const state = makeState({
      rounds: 1,
      excluded: [{ storage: 'named-volume', path: 'host-network', reason }],
    });
    expect(rendered(state)).toContain(
      t('report:text.excluded', { name: 'named volume via host network', reason }),
    );
  });

  it('says of which scenario a remark is', () => {
    const state = makeState({
      scenarios: [
        { storage: 'named-volume', path: 'published-port' },
        { storage: 'bind-mount', path: 'published-port' },
        { storage: 'tmpfs', path: 'published-port' },
      ],
      rounds: 3,
      outcomes: {
        [BASE]: [800, 800, 800],
        [BIND]: [400, 'LOAD_FAILED', 402],
        'tmpfs.published-port': [800, 801, 802],
      },
    });
    expect(rendered(state)).toContain('Note about bind mount via published port: Only 2 rounds');
  });

  it('compares within each buffer-pool size, in columns that line up', () => {
    const lines = rendered(bufferPoolsState()).split('\n');
    const bufferPools = lines.flatMap((line, index) =>
      line.startsWith('With buffer-pool size “') ? [index] : [],
    );
    expect(bufferPools.map((index) => lines[index])).toEqual([
      'With buffer-pool size “I/O-bound”, compared with native server (no Docker):',
      'With buffer-pool size “In memory”, compared with native server (no Docker):',
    ]);
    const [first = 0, second = 0] = bufferPools;
    expect(lines[first + 1]).toBe(lines[second + 1]);
    expect(lines[second + 2]).toMatch(/^Native server \(no Docker\) .*baseline$/);
  });

  it('has a table for each scenario of a sweep, with the knee marked, before the comparisons by level', () => {
    const lines = rendered(sweepState()).split('\n');
    const { sweeps } = analyze(sweepState());
    expect(sweeps.map(({ knee }) => knee?.connections)).toEqual([8, 4]);
    const [first = 0, second = 0] = sweeps.map((sweep) => lines.indexOf(`${sweepSentence(sweep, t)}.`));
    expect(first).toBeGreaterThan(0);
    expect(lines[first + 1]).toMatch(/^Connections +TPS +TPS per round +p50 +p95 +p99$/);
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
    const state = loadGeneratorsState();
    const text = rendered(state);
    expect(text).toMatch(/95% CI {2}Published {2}Rounds/);
    expect(text).toContain(
      '\nWith load generator builtin, compared with native server (no Docker):\nScenario ',
    );
    expect(text).toContain(
      '\nWith load generator sysbench, compared with native server (no Docker):\nScenario ',
    );
    expect(text.match(/^Named volume via published port .* 0\.31 +3 {2}/gm)).toHaveLength(2);
    const { reference } = state.plan;
    if (reference === null) throw new Error('nothing was published');
    expect(text).toContain(
      t('report:text.published', {
        line: publishedText(reference, t),
        normalized: publishedBaselineText(analyze(state), t),
        url: ` ${reference.url ?? 'none'}`,
      }),
    );
    expect(rendered()).not.toMatch(/published number|Published {2}|Published:/);
  });

  it('says when published numbers have another baseline than the measured ones', () => {
    const whole = loadGeneratorsState();
    const cells = whole.plan.reference?.cells.filter(({ scenarioId }) => !scenarioId.startsWith('native'));
    const reference = whole.plan.reference && { ...whole.plan.reference, cells: cells ?? [] };
    expect(rendered({ ...whole, plan: { ...whole.plan, reference } })).toContain(
      t('report:published.ownBaseline'),
    );
  });

  it('gives TPC-C-like rates per minute, intentional rollbacks apart, every server named', () => {
    const state = tpccState({ errors: { '1213': 2 } });
    const text = rendered(state);
    expect(text).toMatch(/TPS {2}New orders\/min {2}Transactions\/min {2}/);
    expect(text).toMatch(/: named volume via published port \d+; MariaDB 11\.8: named/);
    expect(text).toContain(serversText(state.plan, t));
    expect(text).toContain(methodText(state, analyze(state), t));
    expect(text).not.toMatch(/tpmC/i);
    expect(rendered()).not.toMatch(/Transactions\/min|: named volume via published port \d+/);
  });

  it('puts signs behind the verdicts of marked scenarios, and says below the table what they mean', () => {
    const lines = rendered(markedState()).split('\n');
    expect(lines.find((line) => line.startsWith('Bind mount via published port  '))).toMatch(/ faster †‡$/);
    expect(lines.find((line) => line.startsWith('Named volume via published port  '))).toMatch(/baseline ‡$/);
    const notes = lines.filter((line) => /^[†‡] /.test(line));
    const [inCache, clientLimited] = flagNotes(analyze(markedState()), t);
    expect(notes).toEqual([`† ${inCache?.text ?? ''}`, `‡ ${clientLimited?.text ?? ''}`]);
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
