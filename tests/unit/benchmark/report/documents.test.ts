import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summaryCsv } from '../../../../src/benchmark/report/csv.ts';
import { htmlReport } from '../../../../src/benchmark/report/html.ts';
import { markdownReport } from '../../../../src/benchmark/report/markdown.ts';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { runSummary } from '../../../../src/cli/text/run-summary.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { Sharing } from '../../../../src/shared/model/sharing.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { cardTexts } from '../../shared/pictures/card-parts.ts';
import { createTranslator, ENGLISH as t } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES } from '../../../../src/shared/model/settings.ts';
import { parsePage } from './html-tokens.ts';
import { STATES } from './states.ts';

const SHARING: Sharing = { included: ['host'], leftOut: { path: 3, secret: 1 } };
const SHOWN = [
  'a good run',
  'two buffer-pool sizes, published numbers',
  'a sweep',
  'two loadGenerators',
  'marked scenarios',
  'a text in every place',
  'TPC-C on three servers',
  'no baseline',
];

/** Texts between the tags of a page, a line each. */
const textsOf = (markup: string): string =>
  markup
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

/** The object for scripts, with a line for each thing in a list. */
function summaryOf(state: RunState): string {
  const fields = Object.entries(runSummary(state, analyze(state), 'result.json')).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.map((one) => `${name}: ${JSON.stringify(one)}`)
      : `${name}: ${JSON.stringify(value)}`,
  );
  return fields.join('\n');
}

describe('what a run is written as: text, Markdown, CSV, page, picture, and object for scripts', () => {
  it.each(SHOWN)('%s', async (name) => {
    const state = STATES[name]?.();
    if (state === undefined) throw new Error(`no state ${name}`);
    const [shared, analysis] = [{ state, sharing: SHARING }, analyze(state)];
    const documents = [
      renderText(state, analysis),
      markdownReport(shared, analysis, t),
      summaryCsv(shared, analysis),
      textsOf(htmlReport(shared, analysis, t)),
      cardTexts(shareCard(state, analysis, t)).join('\n'),
      summaryOf(state),
    ];
    const file = `${name.replace(/\W+/g, '-').toLowerCase()}.txt`;
    const text = `${documents.map((one) => one.trim()).join(`\n\n${'='.repeat(40)}\n\n`)}\n`;
    await expect(text).toMatchFileSnapshot(join(process.cwd(), 'tests/fixtures/documents', file));
  });
});

/** Cells of a table's row; an escaped pipe is no border. */
const cells = (row: string): string[] => row.split(/(?<!\\)\|/).slice(1, -1);

/** The numbers of cells in the rows of each table. */
function widthsOf(markdown: string): number[][] {
  const tables = markdown.split('\n\n').filter((part) => part.startsWith('|'));
  return tables.map((table) => [...new Set(table.split('\n').map((row) => cells(row).length))]);
}

describe('any run, in both languages', () => {
  it.each(Object.entries(STATES))('is whole in every document, without gaps: %s', (_, make) => {
    const state = make();
    const analysis = analyze(state);
    for (const language of LANGUAGES) {
      const own = createTranslator(language);
      const markdown = markdownReport({ state, sharing: SHARING }, analysis, own);
      const page = parsePage(htmlReport({ state, sharing: SHARING }, analysis, own));
      const texts = [markdown, page.text, ...(language === 'en' ? [renderText(state, analysis)] : [])];
      for (const text of texts) expect(text).not.toMatch(/undefined|NaN|null|Infinity|\{\{|report:|ui:/);
      expect(widthsOf(markdown).filter((widths) => widths.length !== 1)).toEqual([]);
      expect(page.attributes['html lang']).toEqual([language]);
      expect(page.tags.filter((tag) => tag.startsWith('h1'))).toHaveLength(1);
    }
  });
});
