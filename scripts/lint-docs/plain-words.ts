import type { Problem, Repository } from './problem.ts';

interface Avoided {
  /** The words as the style page lists them. */
  words: string;
  pattern: RegExp;
  instead: string;
}

export const AVOIDED: readonly Avoided[] = [
  {
    words: 'go on, goes on, went on',
    pattern: /\b(?:goes|went|gone|going) on\b|\bgo on\b/i,
    instead: 'continue, resume, or run',
  },
  {
    words: 'stands, stand with, stand for',
    pattern: /\b(?:stands?|stood) (?:beside|under|with|for|in|next)\b|\bstands\b/i,
    instead: 'is, is shown, or is listed',
  },
  {
    words: 'is said, is told',
    pattern: /\b(?:is|are|was|were) (?:said|told)\b/i,
    instead: 'is reported or is shown',
  },
  { words: 'beside, besides', pattern: /\bbesides?\b/i, instead: 'next to or in addition to' },
  {
    words: 'nobody, somebody, whoever',
    pattern: /\b(?:nobody|somebody|whoever)\b/i,
    instead: 'the actor',
  },
  { words: 'our, ours', pattern: /\b(?:our|ours)\b/i, instead: 'Whalemark’s' },
  {
    words: 'of yours, of its own',
    pattern: /\bof (?:yours|your own|its own|their own|one['’]s own)\b/i,
    instead: 'your, its, or their own',
  },
  { words: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { words: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { words: 'settled, unsettled', pattern: /\b(?:un)?settled\b/i, instead: 'conclusive or inconclusive' },
  { words: 'tied, untied', pattern: /\b(?:un)?tied\b/i, instead: 'passed or failed' },
  { words: 'in the place of', pattern: /\bin the place of\b/i, instead: 'instead of' },
  {
    words: 'it is no file',
    pattern: /\b(?:it|this|that|which) (?:is|was) no (?:[a-z]+)\b(?<! no longer| no more| no later)/i,
    instead: 'isn’t a …',
  },
  {
    words: 'at the most, at the least',
    pattern: /\bat the (?:most|least)\b/i,
    instead: 'at most or at least',
  },
  { words: 'dead', pattern: /\bdead\b/i, instead: 'interrupted, crashed, or ended' },
  { words: 'all the same', pattern: /\ball the same\b/i, instead: 'anyway or still' },
  { words: '95 %', pattern: /\d %/, instead: 'the number and % without a space' },
];

/** Words of the longest sentence. */
const MOST_WORDS = { hint: 20, page: 25 };

const STYLE_GUIDE = 'docs/dev/style.md';
const SCHEMA = 'presets/preset.schema.json';
const LOCALES = 'src/shared/locales/en/';
const SOURCE = /^(?:bench|packaging|scripts|src|tests(?!\/fixtures))\/.*\.(?:mjs|svelte|ts)$/;
const COMMENT = /\/\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+|(?<=\S[ \t]+)\/\/ .*$|<!--[^]*?-->/gm;
/** Beginnings without the noun that a comment is about. */
const HEADLESS = /^[/*\s<!-]*(Of|What|Which|In place of)\b/;
const CODE = /```[^]*?```|`[^`\n]*`|https?:\S+/g;

export function wordProblems(repository: Repository): Problem[] {
  return [...repository.files].sort().flatMap((file) => {
    if (file.startsWith(LOCALES)) return textProblems(file, repository.read(file));
    if (file === SCHEMA) return schemaWordProblems(file, repository.read(file));
    if (isPage(file)) return pageWordProblems(file, repository.read(file));
    return SOURCE.test(file) ? commentProblems(file, repository.read(file)) : [];
  });
}

function isPage(file: string): boolean {
  return /^(?:docs\/.*|[A-Z_]+)\.md$/.test(file) && !/zh-CN/.test(file) && file !== STYLE_GUIDE;
}

function textProblems(file: string, json: string): Problem[] {
  const inside = (value: unknown, key: string): Problem[] =>
    typeof value === 'string'
      ? [...avoidedIn(value), ...(/hint$/i.test(key) ? longSentences(value, MOST_WORDS.hint) : [])].map(
          (problem) => ({ file, problem: `${key}: ${problem}` }),
        )
      : Object.entries(value as object).flatMap(([name, inner]) =>
          inside(inner, key === '' ? name : `${key}.${name}`),
        );
  return inside(JSON.parse(json), '');
}

export function schemaWordProblems(file: string, json: string): Problem[] {
  return [...json.matchAll(/^ *"description": (".*"),?$/gm)].flatMap(([, quoted = '""']) => {
    const text = (JSON.parse(quoted) as string).replaceAll(CODE, 'code');
    return [...avoidedIn(text), ...longSentences(text, MOST_WORDS.page)].map((problem) => ({
      file,
      problem,
    }));
  });
}

/** Code, tables, and alternative texts are not sentences; they keep their lines. */
export function pageWordProblems(file: string, markdown: string): Problem[] {
  const text = markdown.replaceAll(CODE, (code) => code.replaceAll(/[^\n]+/g, 'code'));
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...avoidedIn(line), ...(/^\s*[|<]|^!\[/.test(line) ? [] : longSentences(line, MOST_WORDS.page))].map(
        (problem) => ({ file, line: index + 1, problem }),
      ),
    );
}

export function commentProblems(file: string, source: string): Problem[] {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const [, beginning] = HEADLESS.exec(comment) ?? [];
    return [
      ...avoidedIn(comment.replaceAll(CODE, '')),
      ...(beginning === undefined
        ? []
        : [`a comment begins with “${beginning}”: write a sentence or a noun`]),
    ].map((problem) => ({ file, line: source.slice(0, index).split('\n').length, problem }));
  });
}

function avoidedIn(text: string): string[] {
  return AVOIDED.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [`“${found[0]}”: write ${instead}`];
  });
}

function longSentences(text: string, most: number): string[] {
  const sentences = text.replaceAll(/\]\([^)]*\)/g, ']').split(/(?<=[.!?])\s+|:\s*$/);
  return sentences.flatMap((sentence) => {
    const words = sentence.match(/[\p{L}\p{N}][\p{L}\p{N}’'.,{}-]*/gu)?.length ?? 0;
    return words > most
      ? [`a sentence of ${words} words, more than ${most}: “${sentence.slice(0, 60)}…”`]
      : [];
  });
}
