import { commandsOf } from './page-commands.ts';
import { differences, problemsOf, type Problem, type Repository } from './problem.ts';

/** Pages that exist in both languages. */
const PAIRS = [
  ['README.md', 'README.zh-CN.md'],
  ['docs/explanation/method.md', 'docs/explanation/method.zh-CN.md'],
] as const;

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;
/** A page without its blocks of code: a remark of a shell looks like a heading. */
const prose = (page: string): string => page.replace(FENCED, '');
const all = (page: string, pattern: RegExp): string[] =>
  [...page.matchAll(pattern)].map(([whole, part]) => part ?? whole);

/** What must be the same in every language, by its name. */
const SHAPES: Record<string, (page: string) => string[]> = {
  'levels of headings': (page) => all(prose(page), /^(#+) \S/gm),
  code: (page) => [...new Set(all(prose(page), /`([^`\n]+)`/g))].sort(),
  commands: (page) => [...new Set(commandsOf(page).map(({ command }) => command))],
  pictures: (page) => all(page, /!\[[^\]]+\]\(([^)]+)\)/g),
  'tables (columns of each row)': (page) =>
    all(page, /(?:^\|.*\|\n)+/gm).map((table) =>
      table
        .trimEnd()
        .split('\n')
        .map((row) => row.split('|').length - 2)
        .join(' '),
    ),
  'list items': (page) => [String(all(page, /^- /gm).length)],
  'figures in tables': (page) =>
    page.split('\n').flatMap((line) => (line.startsWith('| ') ? (line.match(/\d[\d.]*/g) ?? []) : [])),
};

/** Words that Chinese texts use for one thing: not this, but that. */
const ONE_WORD: [notThis: string, butThat: string][] = [
  ['您', '你'],
  ['线程递增', '并发梯度'],
];

/** Where a page and its translation do not have the same parts in the same order, and mixed words. */
export function translationProblems({ files, read }: Repository): Problem[] {
  const shapes = PAIRS.flatMap(([english, chinese]) =>
    Object.entries(SHAPES).flatMap(([name, shape]) => {
      const [one, other] = [shape(read(english)), shape(read(chinese))];
      if (String(one) === String(other)) return [];
      const found = differences(one, other, [`only ${english} has`, `only ${chinese} has`]);
      return problemsOf(chinese, [
        `${name} differ: ${found.slice(0, 5).join('; ') || 'another order or number'}`,
      ]);
    }),
  );
  const inChinese = [...files].filter((file) => /\.zh-CN\.md$|locales\/zh-CN\//.test(file));
  const words = inChinese.flatMap((file) =>
    problemsOf(
      file,
      ONE_WORD.filter(([notThis]) => read(file).includes(notThis)).map(
        ([notThis, butThat]) => `says ${notThis}; the word is ${butThat}`,
      ),
    ),
  );
  return [...shapes, ...words];
}
