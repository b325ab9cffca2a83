import { join } from 'node:path';
import { Marked, type Token } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { summaryCsv, perSecondCsv } from '../../../../src/benchmark/report/csv.ts';
import { htmlReport } from '../../../../src/benchmark/report/html.ts';
import { markdownReport } from '../../../../src/benchmark/report/markdown.ts';
import { shareCard } from '../../../../src/shared/pictures/card.ts';
import { cardPictures } from '../../shared/pictures/card-parts.ts';
import { renderText } from '../../../../src/benchmark/report/text.ts';
import { readResultHere } from '../../../../src/benchmark/store/stored-result.ts';
import { visible } from '../../../../src/cli/text/terminal.ts';
import { sampled } from '../../../helpers/tier.ts';
import { analyze } from '../../../../src/shared/analysis/analyze.ts';
import { createTranslator } from '../../../../src/shared/words/i18n.ts';
import { LANGUAGES, type Language } from '../../../../src/shared/model/settings.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { runIn } from '../../../../src/shared/words/plan-in-words.ts';
import { parseCsv } from './csv-rows.ts';
import { FORMULAS, withTexts } from './hostile.ts';
import { parsePage } from './html-tokens.ts';
import { loadGeneratorsState, sweepState, talkativeState } from './states.ts';

/** An attack that ends an attribute, an element, a style sheet, a comment or a script before it begins its own. */
const PAYLOAD =
  '"><script>globalThis.ran=1</script><img src=x onerror="globalThis.ran=2"></style></title></svg>--><!--]]>\'><svg/onload=ran=3>';
const ESCAPES = '\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\r\n';
/** Begins as the attacks do, so that names are sorted alike. */
const HARMLESS = '"zz';
/** Attacks are put behind a text, and before it. */
const PLACES = [
  ['behind', (value: string, text: string) => value + text],
  ['before', (value: string, text: string) => text + value],
] as const;

/** Escaping doesn't depend on the language, so only the full run reads another one. */
const IN_LANGUAGES = sampled(LANGUAGES, LANGUAGES.length);
const SHARING = { included: [], leftOut: { path: 2 } };
const example = join(import.meta.dirname, '../../../../assets/example/result.json.gz');
const states = new Map<string, RunState>([
  ['with published numbers', loadGeneratorsState()],
  ['a text in every place', talkativeState()],
  ['a sweep', sweepState({ rounds: 1, sweep: [1, 4, 16], outcomes: {} })],
]);
beforeAll(async () => {
  const { trials, ...rest } = await readResultHere(example, 'example');
  // A real run; two rounds of it, with a window each, say as much as all of them.
  const short = trials
    .filter(({ round }) => round <= 2)
    .map((trial) => ({ ...trial, windows: trial.windows.slice(0, 1) }));
  states.set('a real run', { ...rest, trials: short });
});

/** Exports of the real run and of others, once with harmless texts and once with `text`, in both places. */
function each<T>(
  text: string,
  write: (said: ReturnType<typeof inLanguage>) => T,
  check: (hostile: T, plain: T, about: string) => void,
  languages: readonly Language[] = IN_LANGUAGES,
): void {
  expect(states.size).toBe(4);
  for (const [name, state] of states) {
    for (const [place, put] of PLACES) {
      const hostile = withTexts(state, text, put);
      expect(JSON.stringify(hostile).split(JSON.stringify(text).slice(1, -1)).length).toBeGreaterThan(50);
      const plain = withTexts(state, HARMLESS, put);
      for (const language of languages) {
        const [found, other] = [hostile, plain].map((one) => write(inLanguage(one, language))) as [T, T];
        check(found, other, `${name}, ${place}, ${language}`);
      }
    }
  }
}

function inLanguage(run: RunState, language: Language) {
  const state = runIn(run, language);
  return { shared: { state, sharing: SHARING }, analysis: analyze(state), t: createTranslator(language) };
}

describe('a result whose every text is an attack', () => {
  it('is the same HTML and the same drawing as one whose texts are harmless', () => {
    each(
      PAYLOAD,
      ({ shared, analysis, t }) => ({
        ...parsePage(htmlReport(shared, analysis, t)),
        drawn: cardPictures(shareCard(shared.state, analysis, t)),
      }),
      (page, other, about) => {
        expect([page.tags, page.drawn], about).toEqual([other.tags, other.drawn]);
        expect(page.text, about).toContain('<script>globalThis.ran=1</script>');
      },
    );
  });

  it('is Markdown without markup, links, pictures or mentions, and its tables stay whole', () => {
    const attack = `${PAYLOAD}|[x](javascript:alert(1))![y](https://example.com/y.png)<https://example.com> https://example.com www.example.com a@example.com @octocat \`x\`\n\n---\n# h\n| a | b |`;
    each(
      attack,
      ({ shared, analysis, t }) =>
        shapeOf(new Marked({ gfm: true }).lexer(markdownReport(shared, analysis, t))),
      (found, other, about) => {
        expect(found, about).toEqual(other);
        for (const kind of ['html', 'link', 'image', 'codespan', 'heading', 'hr']) {
          expect(found, about).not.toContain(kind);
        }
      },
    );
  });

  it('has no cell that a spreadsheet takes for a formula', () => {
    const inFront = (value: string): string => `${FORMULAS[value.length % FORMULAS.length] ?? ''}${value}`;
    for (const [name, state] of states) {
      const tables = (one: RunState): string[][][] => [
        parseCsv(summaryCsv({ state: one, sharing: SHARING }, analyze(one))),
        parseCsv(perSecondCsv(one)),
      ];
      const found = tables(withTexts(state, '', inFront));
      const widths = (all: string[][][]): number[] => all.flat().map((row) => row.length);
      expect(widths(found), name).toEqual(widths(tables(state)));
      const cells = found.flat(2);
      expect(cells.filter((cell) => cell.includes("cmd|' /C calc'")).length, name).toBeGreaterThan(20);
      const formulas = cells.filter(
        (cell) => /^[\s\0]*[=+\-@＝＋－＠]/.test(cell) && !/^-?[\d.]+$/.test(cell),
      );
      expect(formulas, name).toEqual([]);
    }
  });

  it('has no formula in a CSV that is split at semicolons or tabs, whatever the quotes', () => {
    // Some spreadsheets ignore quotes where cells end elsewhere.
    const attacks = [';', '\t', '\n'].map((between) => FORMULAS.map((one) => between + one).join(''));
    const [state = loadGeneratorsState()] = states.values();
    for (const attack of attacks) {
      const hostile = withTexts(state, attack);
      const csv = `${summaryCsv({ state: hostile, sharing: SHARING }, analyze(hostile))}${perSecondCsv(hostile)}`;
      const lines = csv.split(/\r?\n|\r/);
      const cells = [';', '\t'].flatMap((separator) => lines.flatMap((line) => line.split(separator)));
      const formulas = cells.filter(
        (cell) => /^["\s\0]*[=+\-@＝＋－＠]/.test(cell) && !/^"?-?[\d.]+"?$/.test(cell),
      );
      expect(formulas, attack).toEqual([]);
    }
  });

  it('has as many lines in a terminal as any, and none of them does anything', () => {
    each(
      `${ESCAPES}verdict: faster`,
      ({ shared, analysis }) => visible(renderText(shared.state, analysis)),
      (text, other, about) => {
        expect(text.split('\n').length, about).toBe(other.split('\n').length);
        expect(text, about).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u);
        expect(text, about).toContain('␛');
      },
      ['en'],
    );
  });
});

/** Kinds of all tokens, texts aside, with how many cells a row has. */
function shapeOf(tokens: Token[]): string[] {
  return tokens.flatMap((token): string[] => {
    if (token.type === 'text' || token.type === 'escape') return [];
    const below = 'tokens' in token ? shapeOf(token.tokens ?? []) : [];
    if (token.type === 'list') return [token.type, ...shapeOf(token['items'] as Token[])];
    if (token.type !== 'table') return [token.type, ...below];
    const rows = [token['header'], ...(token['rows'] as unknown[])] as { tokens: Token[] }[][];
    return [
      token.type,
      ...rows.flatMap((row) => [`${row.length} cells`, ...row.flatMap((cell) => shapeOf(cell.tokens))]),
    ];
  });
}
