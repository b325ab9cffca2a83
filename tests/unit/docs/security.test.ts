import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** `tests/x.test.ts`: “title”, “title” … as the page names them; a title may have quotes within. */
const named = [
  ...page.matchAll(/`(tests\/[^`]+\.ts)`:((?:,? “[^“”]*(?:“[^“”]*”[^“”]*)*”(?: \([^()]*\))?)+)/g),
].flatMap(([, file = '', titles = '']) =>
  [...titles.matchAll(/“([^“”]*(?:“[^“”]*”[^“”]*)*)”/g)].map(([, title = '']) => [file, title] as const),
);

describe('docs/security.md', () => {
  it('names every test file together with a test of it', () => {
    const mentioned = new Set([...page.matchAll(/`(tests\/[^`]+\.ts)`/g)].map(([, file]) => file));
    mentioned.delete('tests/unit/docs/security.test.ts');
    expect([...new Set(named.map(([file]) => file))].sort()).toEqual([...mentioned].sort());
    expect(named.length).toBeGreaterThan(40);
  });

  it.each([...new Set(named.map((one) => one.join(' › ')))].map((one) => one.split(' › ')))(
    'names a test that exists: %s, “%s”',
    (file = '', title = '') => {
      expect(existsSync(join(root, file)), file).toBe(true);
      const source = readFileSync(join(root, file), 'utf8');
      // As the title of a test, and not in any other text.
      const titles = [
        ...source.matchAll(/(?:^\s*(?:it|test)\(\s*|\)\(\s*)(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm),
      ];
      expect(titles.map(([, , one]) => one)).toContain(title);
    },
  );

  it('has every item of Electron’s checklist', () => {
    const items = [...page.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(items).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});
