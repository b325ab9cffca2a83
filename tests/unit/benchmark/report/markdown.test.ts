import { describe, expect, it } from 'vitest';
import { escapeMarkdown, markdownReport } from '../../../../src/benchmark/report/markdown.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES, type Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { STATES } from './states.ts';

function report(state: RunState, language: Language = 'en'): string {
  const sharing = { included: [], leftOut: { path: 2 } };
  const analysis = analyze(state);
  return markdownReport({ state, sharing }, analysis, createTranslator(language));
}

const lines = (text: string): string[] => text.split('\n');
/** Cells of a table's row; an escaped pipe is no border. */
const cells = (row: string): string[] => row.split(/(?<!\\)\|/).slice(1, -1);

describe('Markdown report', () => {
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
