import { describe, expect, it } from 'vitest';
import { anchorsOf, externalLinks, pageProblems } from '../../../../scripts/lint-docs/page-links.ts';

/** A repository of a few files; the page that is looked at is docs/page.md. */
function problemsOf(page: string, others: Record<string, string> = {}): string[] {
  const texts: Record<string, string> = {
    'docs/page.md': page,
    'docs/other.md': '# Other\n\n## Can’t `x_y` be?\n\n## Twice\n\n## Twice\n\n<a id="own"></a>\n',
    'docs/pictures/one.png': '',
    'src/benchmark/plan/plan.ts': '',
    'src/shared/words/locales/en/ui.json': '',
    'tests/unit/some.test.ts': '',
    ...others,
  };
  const read = (path: string): string => texts[path] ?? '';
  return pageProblems('docs/page.md', { files: new Set(Object.keys(texts)), read }).map(
    ({ line, problem }) => `${line}: ${problem}`,
  );
}

describe('a page', () => {
  it.each([
    ['a path from the root', 'See `src/benchmark/plan/plan.ts`, src/benchmark and `src/shared/`.'],
    ['the end of a path', '`plan/plan.ts` and `plan.ts` make it.'],
    ['any of several', '`src/<room>/plan/*.ts`, `src/shared/words/locales/{en,en}/ui.json`'],
    ['a line of a file', '`src/benchmark/plan/plan.ts:120`'],
    ['paths of the user’s machine', '`~/.local/share/x`, `/etc/machine-id`, `runs/<id>/`, `logs/a.log`'],
    ['other people’s code', '`pkg/api/info.go`, https://example.com/docs/nowhere.md'],
    ['a command with a path', '```sh\nnpx vitest run tests/unit/some.test.ts\n```'],
    ['links', '[a](other.md), [b](../src), [c](#here), [d](/docs/other.md)\n\n# Here\n'],
    ['anchors', '[a](other.md#cant-x_y-be) [b](other.md#twice-1) [c](other.md#own)'],
    ['pictures', '![The window](pictures/one.png) <img src="pictures/one.png" alt="The window">'],
  ])('may name %s', (_, page) => {
    expect(problemsOf(page)).toEqual([]);
  });

  it.each([
    ['a path that is gone', 'x\n\n`src/benchmark/run/gone.ts`', '3: there is no src/benchmark/run/gone.ts'],
    ['a folder that is gone', 'in src/nowhere/ and so on', '1: there is no src/nowhere/'],
    ['a path with another case', '`src/Benchmark/run/plan.ts`', '1: there is no src/Benchmark/run/plan.ts'],
    ['the end of no path', '`walk/plan.ts`', '1: no file’s path ends with walk/plan.ts'],
    ['only a part of a name', '`lan.ts`', '1: no file’s path ends with lan.ts'],
    [
      'one of several',
      '`src/shared/words/locales/{en,fr}/ui.json`',
      '1: there is no src/shared/words/locales/{en,fr}/ui.json',
    ],
    ['a name for nothing', '`src/<room>/walk/plan.ts`', '1: there is no src/<room>/walk/plan.ts'],
    [
      'a test in a command',
      '```sh\nnpx vitest run tests/unit/gone.test.ts\n```',
      '2: there is no tests/unit/gone.test.ts',
    ],
    [
      'a link in a table',
      '| a |\n|---|\n| [x](gone.md) |',
      '3: the link gone.md leads to docs/gone.md, which is not there',
    ],
    [
      'a link out of the repository',
      '[x](../../y.md)',
      '1: the link ../../y.md leads to ../y.md, which is not there',
    ],
    [
      'a heading that is gone',
      '[x](other.md#gone)',
      '1: the link other.md#gone leads to a heading that docs/other.md has not',
    ],
    [
      'a heading of its own that is gone',
      '[x](#gone)',
      '1: the link #gone leads to a heading that docs/page.md has not',
    ],
    [
      'a third heading of two',
      '[x](other.md#twice-2)',
      '1: the link other.md#twice-2 leads to a heading that docs/other.md has not',
    ],
    [
      'a picture that is gone',
      '![The window](gone.png)',
      '1: the link gone.png leads to docs/gone.png, which is not there',
    ],
    [
      'a picture without words',
      '![](pictures/one.png)',
      '1: the image pictures/one.png has no alternative text',
    ],
    [
      'a picture without words in markup',
      '<img src="pictures/one.png">',
      '1: the image pictures/one.png has no alternative text',
    ],
    [
      'an address of no web',
      '[x](javascript:alert)',
      '1: the link javascript:alert is no address of the web',
    ],
  ])('may not name %s', (_, page, problem) => {
    expect(problemsOf(page)).toEqual([problem]);
  });

  it('has the anchors that GitHub makes', () => {
    const page =
      '# A & B\n\n## 1. `code` – [a link](x.md)!\n\n## 往返 RTT\n\nSetext_one\n---\n\n```\n# none\n```\n';
    expect([...anchorsOf(page)]).toEqual(['a--b', '1-code--a-link', '往返-rtt', 'setext_one']);
  });

  it('leads to these addresses outside', () => {
    expect(
      externalLinks('[a](https://a.example/x) <https://b.example> [c](c.md) https://a.example/x'),
    ).toEqual(['https://a.example/x', 'https://b.example']);
  });
});
