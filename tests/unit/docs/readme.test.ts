import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const english = read('README.md');
const chinese = read('README.zh-CN.md');

/** What stands between fences, and the page without it: a shell's remark looks like a heading. */
const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;
const prose = (page: string): string => page.replace(FENCED, '');

/** The levels of all headings, in their order. */
const levels = (page: string): number[] =>
  [...prose(page).matchAll(/^(#+) \S/gm)].map(([, marks = '']) => marks.length);

/** The commands of each block; the remark behind one is in the page's language. */
const commands = (page: string): string[][] =>
  [...page.matchAll(FENCED)].map(([, language = '', text = '']) => [
    language,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '')),
  ]);

const images = (page: string): string[] =>
  [...page.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, file = '']) => file);

/** What stands in backquotes is the same in every language. */
const code = (page: string): string[] =>
  [...prose(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);

/** Files of the repository that a page links to. */
const links = (page: string): string[] =>
  [...prose(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, file = '']) => file);

/** Rows and columns of each table. */
const tables = (page: string): string[] =>
  [...page.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .map((row) => row.split('|').length - 2)
      .join(' '),
  );

describe('README.md and README.zh-CN.md', () => {
  it('have the same headings, by number and level', () => {
    expect(levels(english).length).toBeGreaterThan(8);
    expect(levels(chinese)).toEqual(levels(english));
  });

  it('have the same commands in their blocks', () => {
    expect(commands(english).flat().length).toBeGreaterThan(15);
    expect(commands(chinese)).toEqual(commands(english));
  });

  it('show the same pictures, each of which is there', () => {
    expect(images(english).length).toBeGreaterThan(6);
    expect(images(chinese)).toEqual(images(english));
    expect(images(english).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('have tables of the same rows and columns, and as many points', () => {
    expect(tables(english).length).toBeGreaterThan(2);
    expect(tables(chinese)).toEqual(tables(english));
    const points = (page: string): number => page.match(/^- /gm)?.length ?? 0;
    expect(points(chinese)).toBe(points(english));
  });

  it('name the same commands, fields and folders', () => {
    expect([...new Set(code(chinese))].sort()).toEqual([...new Set(code(english))].sort());
  });

  it('begin with a link to each other, and every file that they link to is there', () => {
    expect(english.split('\n')[2]).toContain('](README.zh-CN.md)');
    expect(chinese.split('\n')[2]).toContain('](README.md)');
    expect([...links(english), ...links(chinese)].filter((file) => !existsSync(join(root, file)))).toEqual(
      [],
    );
  });
});
