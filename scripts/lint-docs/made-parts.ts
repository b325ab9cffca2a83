import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { reportOf } from '../../bench/faults/report.ts';
import { readResults } from '../../bench/faults/results.ts';
import { makeProgram } from '../../src/cli/program.ts';
import { perSecondCsv, summaryCsv } from '../../src/benchmark/report/csv.ts';
import { parseResult } from '../../src/benchmark/store/result-file.ts';
import { analyze } from '../../src/shared/analysis/analyze.ts';
import { CONTAINER_PATHS, PLAIN_STORAGES } from '../../src/shared/model/cells.ts';
import messages from '../../src/shared/locales/en/messages.json' with { type: 'json' };
import chinese from '../../src/shared/locales/zh-CN/messages.json' with { type: 'json' };
import { PUBLISHED_MEASURES, referenceFileSchema } from '../../src/shared/model/reference.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import { asSentence } from '../../src/shared/words/effect-wording.ts';
import { FIGURE_KEYS, figureOf, figureTitle } from '../../src/shared/words/figures.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { FUSES } from '../build/fuses.mjs';
import { testedEngines } from './compatibility.ts';
import { pagesOfCodes } from './error-pages.ts';
import { AVOIDED } from './plain-words.ts';
import { fieldRows } from './preset-fields.ts';
import { problemsOf, type Problem, type Repository } from './problem.ts';

/** Parts of pages that are made from code, between `<!-- made: NAME -->` and `<!-- /made -->`. */
const PARTS: Record<string, (repository: Repository) => string> = {
  'CLI commands': () => table(['command', 'what it does'], commandRows()),
  'CLI options': () => table(['option', 'of', 'meaning'], optionRows()),
  'preset fields': ({ read }) =>
    table(
      ['field', 'meaning', 'default; limits'],
      fieldRows(JSON.parse(read('presets/preset.schema.json')) as object),
    ),
  'built-in presets': (repository) => table(['id', 'question'], presetRows(repository)),
  'storage types': () => table(['name', 'what it is', 'in a preset'], kindRows('storage', PLAIN_STORAGES)),
  'network paths': () => table(['name', 'what it is', 'in a preset'], kindRows('path', CONTAINER_PATHS)),
  'every storage type': () => table(['storage type', 'where the data is'], namedRows('storage', messages)),
  'every network path': () =>
    table(['network path', 'how the client reaches it'], namedRows('path', messages)),
  存储类型: () => table(['存储类型', '数据在哪里'], namedRows('storage', chinese)),
  网络路径: () => table(['网络路径', '客户端如何到达服务器'], namedRows('path', chinese)),
  figures: () => table(['column', 'figure'], figureRows()),
  'other columns': (repository) => columnTable(summaryColumns(repository)),
  'columns of seconds': (repository) => columnTable(columnsOf(perSecondCsv(sampleOf(repository)))),
  errors: (repository) => table(['page', 'codes'], errorRows(repository)),
  engines: (repository) =>
    table(['engine', 'versions that ran', 'recorded', 'constructed'], testedEngines(repository)),
  fuses: () =>
    table(
      ['fuse', '', 'why'],
      Object.entries(FUSES).map(([name, { value, why }]) => [code(name), value ? 'on' : 'off', why]),
    ),
  'fault results': () => reportOf(readResults()),
  'words to avoid': () =>
    table(
      ['instead of', 'write'],
      AVOIDED.map(({ words, instead }) => [words, instead]),
    ),
};

/** The part of an experiment's results is `published ID`. */
const PUBLISHED = 'published ';

const MADE = /<!-- made: ([^>]+) -->\n.*?<!-- \/made -->/gs;

export function madeProblems(repository: Repository): Problem[] {
  return madePages(repository).flatMap(({ page, text, made }) =>
    problemsOf(page, text === made ? [] : ['its tables differ from the code: npm run docs writes them']),
  );
}

export function writeMadeParts(root: string, repository: Repository): void {
  for (const { page, text, made } of madePages(repository)) {
    if (made !== text) writeFileSync(join(root, page), made);
  }
}

function madePages(repository: Repository): { page: string; text: string; made: string }[] {
  const pages = [...repository.files].filter((file) => file.endsWith('.md')).sort();
  return pages.map((page) => {
    const text = repository.read(page);
    const made = text.replace(MADE, (_, name: string) => {
      return `<!-- made: ${name} -->\n\n${partOf(name, repository)}\n<!-- /made -->`;
    });
    return { page, text, made };
  });
}

function partOf(name: string, repository: Repository): string {
  if (name.startsWith(PUBLISHED)) return publishedPart(name.slice(PUBLISHED.length), repository);
  const part = PARTS[name];
  if (part === undefined) throw new Error(`no part of a page is called ${name}`);
  return part(repository);
}

function publishedPart(id: string, { read }: Repository): string {
  const { title, url, source, date, hardware, software, workload, cells, claims, paths } =
    referenceFileSchema.parse(JSON.parse(read(`assets/reference/${id}.json`)));
  const measures = PUBLISHED_MEASURES.filter((one) => one !== 'deadlocksPerMinute').filter((one) =>
    cells.some((cell) => cell[one] !== undefined),
  );
  const quotes = paths.flatMap(({ path, quotes }) => quotes.map((quote) => `- ${code(path)}: “${quote}”\n`));
  return [
    `${url === null ? title : `[${title}](${url})`}, ${source}, ${date}.\n\n`,
    table(['machine', 'software', 'workload'], [[hardware, software, workload]]),
    '\n',
    table(
      [
        'published',
        'path',
        ...measures.map(
          (one) => `${ENGLISH(`report:published.measures.${one}`)}${one.endsWith('Ms') ? ', ms' : ''}`,
        ),
      ],
      cells.map((cell) => [cell.label, code(cell.path), ...measures.map((one) => String(cell[one] ?? ''))]),
    ),
    '\n',
    table(
      ['what it says', 'holds for a ratio of'],
      claims.map(({ says, low, high }) => [
        says.en,
        low === null ? `at most ${high}` : high === null ? `at least ${low}` : `${low} to ${high}`,
      ]),
    ),
    ...(quotes.length === 0 ? [] : ['\nIts words for the paths:\n\n', ...quotes]),
  ].join('');
}

function commandRows(): string[][] {
  return makeProgram()
    .commands.flatMap((command) => [
      { name: command.name(), command },
      ...command.commands.map((one) => ({ name: `${command.name()} ${one.name()}`, command: one })),
    ])
    .map(({ name, command }) => [
      code([name, ...command.registeredArguments.map((one) => argumentText(one))].join(' ')),
      command.description(),
    ]);
}

function argumentText(one: { name(): string; variadic: boolean; required: boolean }): string {
  const name = `${one.name().toUpperCase()}${one.variadic ? '…' : ''}`;
  return one.required ? name : `[${name}]`;
}

/** One row for an option that means the same in several commands. */
function optionRows(): string[][] {
  const rows = new Map<string, string[]>();
  for (const command of makeProgram().commands) {
    for (const { flags, description, argChoices } of command.options) {
      const meaning = argChoices === undefined ? description : [description, argChoices.join(', ')].join(' ');
      const key = `${flags} ${meaning}`;
      const [, of = '', text = meaning.trim()] = rows.get(key) ?? [];
      rows.set(key, [code(flags), [of, command.name()].filter(Boolean).join(', '), text]);
    }
  }
  return [...rows.values()].sort(([one = ''], [other = '']) =>
    one.replace(/.*--/, '').localeCompare(other.replace(/.*--/, '')),
  );
}

function presetRows({ files, read }: Repository): string[][] {
  return [...files]
    .filter((file) => /^presets\/[^/]+\.yaml$/.test(file))
    .sort()
    .map((file) => parse(read(file)) as { id: string; question: string })
    .map(({ id, question }) => [code(id), question]);
}

function kindRows(part: 'storage' | 'path', kinds: readonly string[]): string[][] {
  const [names, texts]: Record<string, string>[] = [messages[part], messages.choice[part]];
  return kinds.map((kind) => [
    `**${asSentence(names?.[kind] ?? '', ENGLISH)}**`,
    texts?.[kind] ?? '',
    code(kind),
  ]);
}

function namedRows(
  part: 'storage' | 'path',
  words: Pick<typeof messages, 'storage' | 'path' | 'choice'>,
): string[][] {
  const [names, texts]: [Record<string, string>, Record<string, string>] = [words[part], words.choice[part]];
  return Object.entries(texts).map(([kind, text]) => [names[kind] ?? '', text]);
}

function figureRows(): string[][] {
  return FIGURE_KEYS.map((key) => {
    const { csv, anchor } = figureOf(key);
    return [code(csv), `[${figureTitle(key, ENGLISH)}](../explanation/method.md#${anchor})`];
  });
}

const columnTable = (columns: readonly string[]): string =>
  table(['column'], [[columns.map(code).join(', ')]]);

const columnsOf = (csv: string): string[] => (csv.split('\n', 1)[0] ?? '').trim().split(',');

const sampleOf = ({ read }: Repository): RunState =>
  parseResult(read('tests/fixtures/results/sample-result.json'), 'sample-result.json');

/** Columns except ratios of published results, which the page explains. */
function summaryColumns(repository: Repository): string[] {
  const state = sampleOf(repository);
  const figures = FIGURE_KEYS.map((key) => figureOf(key).csv);
  return columnsOf(summaryCsv({ state, sharing: { included: [], leftOut: {} } }, analyze(state))).filter(
    (column) => !figures.includes(column) && !/^reference_\w+_ratio$/.test(column),
  );
}

function errorRows(repository: Repository): string[][] {
  return pagesOfCodes(repository).map(({ page, title, codes }) => [
    `[${title}](${page})`,
    codes.map((one) => `[${one}](${page}#${one.toLowerCase()})`).join(', '),
  ]);
}

const code = (text: string): string => `\`${text}\``;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`;
  return [
    line(heads).replaceAll('|  |', '| |'),
    `|${heads.map(() => '---').join('|')}|\n`,
    ...rows.map((cells) => line(cells).replaceAll(/\|  (?=\|)/g, '| ')),
  ].join('');
}
