import { parse } from 'yaml';
import { messageOf } from '../../src/shared/errors.ts';
import { OWN_TASKS } from '../../src/shared/preset/task-preset.ts';
import { DATABASE_WORDS } from '../../src/shared/compose/database-preset.ts';
import { METHOD_ANCHORS } from '../../src/shared/words/method.ts';
import { methodHtml } from '../build/method.mjs';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

/** Texts by key; the forms of a plural are distinguished. */
type Texts = Map<string, string>;

const FOLDER = 'src/shared/locales';
const NAMESPACES = ['ui', 'report', 'errors', 'messages'] as const;
const HAN = /\p{Script=Han}/u;
/** Names, units, and options are the same in Chinese. */
const LOOSE_PUNCTUATION = /[，。：；、？！（）”] | [，。：；、？！（）“]/;
const ENGLISH_WORDS = /(?<![-\w{@])[a-z]{2,} [a-z]{2,}/;

function textsOf({ read }: Repository, language: string, namespace: string): Texts {
  const texts: Texts = new Map();
  const collect = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') texts.set(path.join('.'), value);
    else for (const [key, inner] of Object.entries(value as object)) collect(inner, [...path, key]);
  };
  collect(JSON.parse(read(`${FOLDER}/${language}/${namespace}.json`)), []);
  return texts;
}

const basesOf = (texts: Texts): string[] =>
  [...new Set([...texts.keys()].map((key) => key.replace(/_(?:one|other)$/, '')))].sort();
const placesOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort();

/** Missing texts or values of one language, and Chinese texts in English. */
export function parityProblems(repository: Repository, namespace: string): string[] {
  const english = textsOf(repository, 'en', namespace);
  const chinese = textsOf(repository, 'zh-CN', namespace);
  const endingIn = (texts: Texts, ending: string): string[] =>
    [...texts.keys()].filter((key) => key.endsWith(ending)).map((key) => key.slice(0, -ending.length));
  return [
    ...differences(basesOf(english), basesOf(chinese), ['only English has', 'only Chinese has']),
    ...differences(endingIn(english, '_one'), endingIn(english, '_other'), [
      'English has no _other of',
      'English has no _one of',
    ]),
    ...endingIn(chinese, '_one').map((key) => `Chinese has one form, not ${key}_one`),
    ...[...chinese].flatMap(([key, text]) => {
      const [one, other] = [placesOf(english.get(key) ?? ''), placesOf(text)];
      return english.has(key) && String(one) !== String(other)
        ? [`${key} has other values: ${one.join(', ')} in English, ${other.join(', ')} in Chinese`]
        : [];
    }),
    ...[...chinese]
      // Headings of figures may be abbreviations, such as p99.
      .filter(([key, text]) => !key.startsWith('figures.') || text !== english.get(key))
      .filter(([, text]) => !HAN.test(text) && ENGLISH_WORDS.test(text))
      .map(([key]) => `${key} is not Chinese`),
    ...[...chinese]
      .filter(([, text]) => LOOSE_PUNCTUATION.test(text))
      .map(([key]) => `${key} has a space next to full-width punctuation`),
  ];
}

/** Texts that no source uses; types find missing keys. */
function keyProblems(repository: Repository): string[] {
  const source = [...repository.files]
    .filter((file) => /^src\/.*\.(?:ts|svelte)$/.test(file))
    .map(repository.read)
    .join('\n');
  const quoted = new Set([...source.matchAll(/(['"`])([\w:.-]+)\1/g)].map(([, , text = '']) => text));
  // A field of the wizard also has a key with `Hint`.
  for (const [, key = ''] of source.matchAll(/\bwords(?:=|: )["']([\w.]+)["']/g)) quoted.add(`${key}Hint`);
  // `live.step.${kind}`, `plan.${mode}Hint`: computed keys, as patterns.
  const computed = [
    ...source.matchAll(/`((?:ui:|report:|messages:)?[\w-]+\.(?:[\w-]+\.)*)\$\{[^}`]*\}([\w.-]*)`/g),
  ].map(([, prefix = '', end = '']) => ({ prefix: prefix.replace(/^(?:ui|messages):/, ''), end }));
  // The value is a quoted word, the key of an entry, or computed, too.
  const entries = new Set([...source.matchAll(/\b(\w+)(?=:)/g)].map(([word]) => word));
  const isComputed = (key: string): boolean =>
    computed.some(({ prefix, end }) => {
      if (!key.startsWith(prefix) || !key.endsWith(end)) return false;
      const rest = key.slice(prefix.length, key.length - end.length);
      return quoted.has(rest) || entries.has(rest) || isComputed(rest);
    });
  const unused = (['ui', 'report', 'messages'] as const).flatMap((namespace) =>
    basesOf(textsOf(repository, 'en', namespace))
      .map((key) => (namespace === 'report' ? `report:${key}` : key))
      .filter((key) => !quoted.has(key) && !quoted.has(`${namespace}:${key}`) && !isComputed(key)),
  );
  const codes = [...textsOf(repository, 'en', 'errors').keys()].map((key) => key.split('.')[0] ?? '');
  return [
    ...unused.map((key) => `nothing uses ${key}`),
    ...[...new Set(codes)]
      .filter((code) => !quoted.has(code))
      .map((code) => `nothing makes the error ${code}`),
  ];
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): string[] =>
    typeof inner === 'string' ? (key === 'name' || key === 'question' ? [inner] : []) : namesIn(inner),
  );
}

function presetWords({ files, read }: Repository): string[] {
  const known = Object.keys(JSON.parse(read(`${FOLDER}/zh-CN/presets.json`)) as object);
  const products = /^(?:MySQL|MariaDB|Percona Server) \d+\.\d+$|^NFS$/;
  const words = [...files]
    .filter((file) => /^presets\/.*\.yaml$/.test(file))
    .flatMap((file) => namesIn(parse(read(file))))
    .concat(Object.values(DATABASE_WORDS), namesIn(OWN_TASKS))
    .filter((word) => !products.test(word));
  return differences([...new Set(words)], known, ['not translated', 'no preset says']);
}

function methodParagraphs(page: string, { read }: Repository): string[] {
  let html: string;
  try {
    html = methodHtml(read(page), read('docs/explanation/method.md'));
  } catch (error) {
    return [messageOf(error)];
  }
  return Object.entries(METHOD_ANCHORS).flatMap(([figure, anchor]) => {
    const parts = html.split(`id="method-${anchor}"`);
    const [paragraph = ''] = (parts[1] ?? '').replace(/^.*?<\/h[34]>/, '').split(/<h[34]/);
    return parts.length === 2 && paragraph.trim().startsWith('<p>') ? [] : [`no paragraph for ${figure}`];
  });
}

export function localeProblems(repository: Repository): Problem[] {
  return [
    ...NAMESPACES.flatMap((namespace) =>
      problemsOf(`${FOLDER}/zh-CN/${namespace}.json`, parityProblems(repository, namespace)),
    ),
    ...problemsOf(`${FOLDER}/en`, keyProblems(repository)),
    ...problemsOf(`${FOLDER}/zh-CN/presets.json`, presetWords(repository)),
    ...['docs/explanation/method.md', 'docs/explanation/method.zh-CN.md'].flatMap((page) =>
      problemsOf(page, methodParagraphs(page, repository)),
    ),
  ];
}
