import { describe, expect, it } from 'vitest';
import { escapeMarkdown, markdownReport } from '../../../../src/benchmark/report/markdown.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { machineText, methodText } from '../../../../src/shared/words/provenance.ts';
import { headlineLines, sharingText } from '../../../../src/shared/words/wording.ts';
import { LANGUAGES, type Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { sampleState } from '../../builders.ts';
import { sweepState, bufferPoolsState, STATES } from './states.ts';

function report(state: RunState, language: Language = 'en'): string {
  const sharing = { included: [], leftOut: { path: 2 } };
  const analysis = analyze(state);
  return markdownReport({ state, sharing }, analysis, createTranslator(language));
}

const lines = (text: string): string[] => text.split('\n');
/** Cells of a table's row; an escaped pipe is no border. */
const cells = (row: string): string[] => row.split(/(?<!\\)\|/).slice(1, -1);

describe('Markdown report', () => {
  it('has headline, table, conditions and method', () => {
    const [state, t] = [sampleState(), createTranslator('en')];
    const analysis = analyze(state);
    const text = report(state);
    const findings = headlineLines(analysis, t);
    expect(lines(text)[0]).toBe(`**${findings[0]?.text ?? ''}**`);
    expect(text).toContain(`**${findings[1]?.text ?? ''}**`);
    expect(text).toContain(
      `> ${t('report:text.notice', { message: escapeMarkdown(analysis.notices[0]?.message.text ?? '') })}`,
    );
    expect(text).toContain(
      '| Container layer via published port | 419 | 18.6 ms | 31.1 ms | 0.54 | 0.53–0.56 | 5 | slower |',
    );
    expect(text).toContain(t('report:text.machine', { line: machineText(state, t) }));
    expect(text).toContain(t('report:text.method', { line: escapeMarkdown(methodText(state, analysis, t)) }));
    expect(text).toContain('Whalemark 0.1.0, run 20260601-093000-a1b2');
    expect(text).toContain(sharingText({ included: [], leftOut: { path: 2 } }, t));
    expect(text).not.toMatch(/https?:|\]\(/);
  });

  it.each(Object.entries(STATES))('has whole tables in both languages: %s', (_, make) => {
    for (const language of LANGUAGES) {
      const text = report(make(), language);
      expect(text).not.toMatch(/undefined|NaN|Infinity|\{\{|report:|ui:/);
      let columns = 0;
      for (const line of lines(text)) {
        if (!line.startsWith('|')) columns = 0;
        else if (columns === 0) columns = cells(line).length;
        else expect(cells(line)).toHaveLength(columns);
      }
    }
  });

  it('has a table for each sweep, for each baseline, for durability, and for steadiness', () => {
    const tables = (text: string): number => lines(text).filter((line) => /^\| :--/.test(line)).length;
    expect(tables(report(sweepState()))).toBe(1 + 2 + 7 + 1 + 1);
    expect(tables(report(bufferPoolsState()))).toBe(1 + 2 + 1 + 1);
  });

  it('escapes what means something, and nothing else', () => {
    expect(escapeMarkdown('a|b `c` <d> *e* _f_ [g](h) ~i~ $j$ & \\ #k')).toBe(
      'a\\|b \\`c\\` \\<d\\> \\*e\\* \\_f\\_ \\[g\\](h) \\~i\\~ \\$j\\$ \\& \\\\ \\#k',
    );
    expect(escapeMarkdown('oltp_read_write, 10.1 ms; 4 × 25,000')).toBe(
      'oltp_read_write, 10.1 ms; 4 × 25,000',
    );
    expect(escapeMarkdown('1. first\n- second')).toBe('1\\. first - second');
    expect(escapeMarkdown('- x')).toBe('\\- x');
    expect(escapeMarkdown('see https://a.b and @octocat')).toBe('see https:\u2060//a.b and @\u2060octocat');
  });
});
