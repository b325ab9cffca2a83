import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

/** Texts by key; the forms of a plural are told apart. */
type Texts = Map<string, string>;

const ROOT = join(import.meta.dirname, '../../../..');
const NAMESPACES = ['ui', 'report', 'errors'] as const;

/** Texts that read the same in Chinese: names, units, figures and options that nobody translates. */
const SAME_IN_CHINESE = new Set([
  'ui:app.name',
  'ui:passport.cpus',
  'ui:passport.cpusNative',
  'ui:passport.memoryNative',
  'ui:passport.engineValue',
  'ui:passport.kernelValue',
  'ui:passport.fileSharingValue',
  'ui:passport.hostValue',
  'ui:passport.rootless',
  'ui:passport.selinux',
  'ui:platform.linux',
  'ui:platform.darwin',
  'ui:platform.win32',
  'ui:runtimes.source.context',
  'ui:runtimes.source.socket',
  'ui:plan.imageVersion',
  'ui:plan.setting.flush',
  'ui:plan.setting.syncBinlog',
  'ui:plan.dataValue',
  'ui:plan.driverName.node',
  'ui:plan.driverName.sysbench',
  'ui:plan.roundsAtMost',
  'ui:ramp.tps',
  'ui:ramp.p50',
  'ui:ramp.p95',
  'ui:ramp.p99',
  'ui:result.tps',
  'ui:result.qps',
  'ui:result.p50',
  'ui:result.p95',
  'ui:result.p99',
  'ui:result.trialsOf',
  'ui:imports.tps',
  'ui:imports.qps',
  'ui:imports.version',
  'ui:imports.percentileValue',
  'ui:common.noticeAbout',
  'ui:live.nowRunning',
  'ui:common.labelAbout',
  'ui:compare.field.app',
  'ui:compare.tps',
  'ui:compare.p95',
  'ui:compare.valueInterval',
  'ui:focus.percentiles',
  'ui:focus.perSecond',
  'ui:focus.line.p50Ms',
  'ui:focus.line.p95Ms',
  'ui:focus.line.p99Ms',
  'ui:charts.conditionJoin',
  'ui:settings.imageOfServer',
  'report:list.parts',
  'report:list.items',
  'report:list.clauses',
  'report:list.sentences',
  'report:mark.note',
  'report:where.withConnections',
  'report:where.name',
  'report:hostWhere.named',
  'report:provenance.image',
  'report:provenance.roundsTimes',
  'report:provenance.published',
  'report:ramp.sentence',
  'report:table.tps',
  'report:table.p50',
  'report:table.p95',
  'report:table.p99',
  'report:table.roundsPartly',
  'report:card.tps',
  'report:card.version',
  'report:why.kinds.begin',
  'report:why.kinds.commit',
  'report:why.sentence',
  'report:why.columns.commitP95',
  'errors:USAGE.message',
  'errors:USAGE.hint',
]);

describe.each(NAMESPACES)('the texts of %s', (namespace) => {
  const english = textsOf('en', namespace);
  const chinese = textsOf('zh-CN', namespace);

  it('are the same in both languages', () => {
    expect(basesOf(chinese)).toEqual(basesOf(english));
  });

  it('have the forms that each language counts with', () => {
    const forms = (texts: Texts, ending: string): string[] =>
      [...texts.keys()].filter((key) => key.endsWith(ending)).map((key) => key.slice(0, -ending.length));
    expect(forms(english, '_one')).toEqual(forms(english, '_other'));
    expect(forms(chinese, '_one'), 'Chinese has one form').toEqual([]);
    expect(forms(chinese, '_other').sort()).toEqual(forms(english, '_other').sort());
  });

  it('have the same places for values', () => {
    const differing = [...chinese]
      .map(([key, text]) => ({ key, chinese: placesOf(text), english: placesOf(english.get(key) ?? '') }))
      .filter((one) => String(one.chinese) !== String(one.english));
    expect(differing).toEqual([]);
  });

  it('are Chinese in Chinese', () => {
    const latin = [...chinese].filter(([, text]) => !/\p{Script=Han}/u.test(text)).map(([key]) => key);
    expect(latin.map((key) => `${namespace}:${key}`).filter((key) => !SAME_IN_CHINESE.has(key))).toEqual([]);
  });
});

it('no exception is left of a text that has gone or is translated', () => {
  const untranslated = NAMESPACES.flatMap((namespace) =>
    [...textsOf('zh-CN', namespace)]
      .filter(([, text]) => !/\p{Script=Han}/u.test(text))
      .map(([key]) => `${namespace}:${key}`),
  );
  expect([...SAME_IN_CHINESE].filter((key) => !untranslated.includes(key))).toEqual([]);
});

/** Where two words for one thing, or two ways to speak to the reader, were mixed: the one that is not used, and the one that is. */
const ONE_WORD: [notThis: string, butThis: string][] = [
  ['您', '你'],
  ['线程阶梯', '线程递增'],
];

it.each(ONE_WORD)('Chinese texts and pages say %s nowhere, but %s', (notThis, butThis) => {
  const locales = 'src/shared/words/locales/zh-CN';
  const files = [
    ...readdirSync(join(ROOT, locales)).map((name) => join(locales, name)),
    ...readdirSync(join(ROOT, 'docs'))
      .filter((name) => name.endsWith('.zh-CN.md'))
      .map((name) => join('docs', name)),
    'README.zh-CN.md',
  ];
  const texts = files.map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
  expect(texts.some(({ text }) => text.includes(butThis))).toBe(true);
  expect(texts.filter(({ text }) => text.includes(notThis)).map(({ file }) => file)).toEqual([]);
});

/** Keys whose last parts are computed in two steps. */
const COMPUTED_TWICE = ['report:why.kindReads.', 'guide.notInstalled.'];
describe('keys in the source', () => {
  const source = sourceText(['ts', 'svelte']);
  const quoted = new Set([...source.matchAll(/(['"`])([\w:.-]+)\1/g)].map(([, , text = '']) => text));
  /** `live.step.${kind}`, `plan.${mode}Hint`: keys that are put together while the app runs, as patterns. */
  const computed = [...source.matchAll(/`((?:ui:|report:)?[\w-]+\.[\w.-]*)\$\{[^}`]*\}([\w.-]*)`/g)].map(
    ([, prefix = '', end = '']) => ({ prefix: prefix.replace(/^ui:/, ''), end }),
  );

  /** Where only the section is fixed, the rest has to stand somewhere as a word of its own. */
  const isComputed = (key: string): boolean =>
    COMPUTED_TWICE.some((prefix) => key.startsWith(prefix)) ||
    computed.some(({ prefix, end }) => {
      if (!key.startsWith(prefix) || !key.endsWith(end)) return false;
      const rest = key.slice(prefix.length, key.length - end.length);
      return quoted.has(rest) || (!rest.includes('.') && prefix.split('.').length > 2);
    });

  it.each(['ui', 'report'] as const)('use every text of %s', (namespace) => {
    const unused = [...basesOf(textsOf('en', namespace))].filter((key) => {
      const full = namespace === 'ui' ? key : `report:${key}`;
      return !quoted.has(full) && !quoted.has(`ui:${key}`) && !isComputed(full);
    });
    expect(unused).toEqual([]);
  });

  it('use every error', () => {
    const codes = new Set([...textsOf('en', 'errors').keys()].map((key) => key.split('.')[0] ?? ''));
    expect([...codes].filter((code) => !quoted.has(code))).toEqual([]);
  });

  it('exist', () => {
    const ui = basesOf(textsOf('en', 'ui'));
    const report = basesOf(textsOf('en', 'report'));
    const inWindow = sourceText(['ts', 'svelte'], ['renderer', 'main']);
    const missing = [
      ...[...inWindow.matchAll(/\bt\(\s*'([\w.-]+)'/g)].filter(([, key = '']) => !ui.has(key)),
      ...[...source.matchAll(/'report:([\w.-]+)'/g)].filter(([, key = '']) => !report.has(key)),
    ].map(([whole]) => whole);
    expect(missing).toEqual([]);
  });
});

describe('the words of built-in presets', () => {
  const known = fileOf('zh-CN', 'presets') as Record<string, string>;
  const words = readdirSync(join(ROOT, 'presets'))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => namesIn(parse(readFileSync(join(ROOT, 'presets', name), 'utf8'))));

  it('are all translated, but for names of products', () => {
    const products = /^(?:MySQL|MariaDB|Percona Server) \d+\.\d+$|^NFS$/;
    expect(words.filter((word) => !products.test(word) && !(word in known))).toEqual([]);
  });

  it('are no longer kept when a preset has none of them', () => {
    expect(Object.keys(known).filter((word) => !words.includes(word))).toEqual([]);
  });
});

/** Where sentences are put together: at values, at plurals, and at what stands there only sometimes. */
const PUT_TOGETHER =
  /\{\{\w+\}\}|Write mysql:|\b(?:nodes?|lines?|connections?), |connections?$|, (?=and the default|so those|nor is)| \((?=here)|; (?=sysbench|the text ends)|takes |, unless| unless|the run\. (?=While)|Also |(?=server “|storage “)|^There is no |^it (?=has the format|is another kind)/;

describe('the sentences of the core', () => {
  const known = fileOf('zh-CN', 'core') as Record<string, string>;
  const source = sourceText(['ts', 'json']).replaceAll("\\'", "'");
  /** Made by zod, which has its own words. */
  const BY_ZOD = /^\{\{field\}\}: (?:Invalid|Too) /;

  it('are still what the source says: a sentence that is changed there has to be changed here', () => {
    const gone = Object.keys(known)
      .filter((english) => !BY_ZOD.test(english))
      .flatMap((english) => english.split(PUT_TOGETHER))
      .map((part) => part.replace(/^\W+|\W+$/g, ''))
      .filter((part) => part.length > 2 && !source.includes(part));
    expect(gone).toEqual([]);
  });

  it('have no value in Chinese that English has not, and are Chinese', () => {
    const wrong = Object.entries(known).filter(
      ([english, chinese]) =>
        placesOf(chinese).some((place) => !placesOf(english).includes(place)) ||
        !/\p{Script=Han}/u.test(chinese),
    );
    expect(wrong).toEqual([]);
  });
});

function fileOf(language: string, name: string): unknown {
  const path = join(ROOT, 'src/shared/words/locales', language, `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

function textsOf(language: string, namespace: string): Texts {
  const texts: Texts = new Map();
  const collect = (value: unknown, path: string[]): void => {
    if (typeof value === 'string') texts.set(path.join('.'), value);
    else for (const [key, inner] of Object.entries(value as object)) collect(inner, [...path, key]);
  };
  collect(fileOf(language, namespace), []);
  return texts;
}

function basesOf(texts: Texts): Set<string> {
  return new Set([...texts.keys()].map((key) => key.replace(/_(?:one|other)$/, '')).sort());
}

function placesOf(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort();
}

/** Every `name` and `question` of a preset: what people read of it. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): string[] =>
    typeof inner === 'string' ? (key === 'name' || key === 'question' ? [inner] : []) : namesIn(inner),
  );
}

function sourceText(endings: string[], rooms: string[] = ['']): string {
  return rooms
    .flatMap((room) => {
      const folder = join(ROOT, 'src', room);
      return readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(({ parentPath }) => !parentPath.endsWith('zh-CN'))
        .filter((file) => file.isFile() && endings.some((ending) => file.name.endsWith(`.${ending}`)))
        .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
    })
    .join('\n');
}
