import type { Problem, Repository } from './problem.ts';

/** Words to avoid, with what to write instead; docs/dev/style.md lists them for people. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:goes|went|gone|going) on\b|\bgo on\b/i, 'continue, resume, or run'],
  [/\b(?:stands?|stood) (?:beside|under|with|for|in|next)\b|\bstands\b/i, 'is, is shown, or is listed'],
  [/\b(?:is|are|was|were) (?:said|told)\b/i, 'is reported or is shown'],
  [/\bbesides?\b/i, 'next to or in addition to'],
  [/\b(?:nobody|somebody|whoever)\b/i, 'the actor'],
  [/\b(?:our|ours)\b/i, 'Whalemark’s'],
  [/\bof (?:yours|your own|its own|their own|one['’]s own)\b/i, 'your, its, or their own'],
  [/\banew\b/i, 'again'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:un)?settled\b/i, 'conclusive or inconclusive'],
  [/\b(?:un)?tied\b/i, 'passed or failed'],
  [/\bin the place of\b/i, 'instead of'],
  [/\b(?:it|this|that|which) (?:is|was) no (?:[a-z]+)\b(?<! no longer| no more| no later)/i, 'isn’t a …'],
  [/\bat the (?:most|least)\b/i, 'at most or at least'],
  [/\bdead\b/i, 'interrupted, crashed, or ended'],
  [/\ball the same\b/i, 'anyway or still'],
  [/\d %/, 'the number and % without a space'],
];

/** Words of the longest sentence. */
const MOST_WORDS = { hint: 20, page: 25 };

const STYLE_GUIDE = 'docs/dev/style.md';
const SCHEMA = 'presets/preset.schema.json';
const LOCALES = 'src/shared/locales/en/';
const COMMENT = /\/\*[^]*?\*\/|^\s*\/\/.*$|<!--[^]*?-->/gm;
const CODE = /```[^]*?```|`[^`\n]*`|https?:\S+/g;

/** Words to avoid and sentences that are too long, in the English of the app, its pages, presets, and comments. */
export function wordProblems(repository: Repository): Problem[] {
  return [...repository.files].sort().flatMap((file) => {
    if (file.startsWith(LOCALES)) return textProblems(file, repository.read(file));
    if (file === SCHEMA) return schemaWordProblems(file, repository.read(file));
    if (isPage(file)) return pageWordProblems(file, repository.read(file));
    return /^src\/.*\.(?:ts|svelte)$/.test(file) ? commentProblems(file, repository.read(file)) : [];
  });
}

function isPage(file: string): boolean {
  return (
    /^(?:docs\/.*|[A-Z_]+)\.md$/.test(file) &&
    !/zh-CN/.test(file) &&
    ![STYLE_GUIDE, 'CODE_OF_CONDUCT.md'].includes(file)
  );
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

/** Editors show a description next to its field. */
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
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) =>
    avoidedIn(comment.replaceAll(CODE, '')).map((problem) => ({
      file,
      line: source.slice(0, index).split('\n').length,
      problem,
    })),
  );
}

function avoidedIn(text: string): string[] {
  return AVOIDED.flatMap(([pattern, instead]) => {
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
