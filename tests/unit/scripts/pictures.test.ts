import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { screenProblems } from '../../../scripts/lint-docs/pictures.ts';
import { MOST_BYTES, shownTexts } from '../../../scripts/screenshots/texts.mjs';

const ui = readFileSync('src/shared/locales/en/ui.json', 'utf8');

/** The repository with a picture that shows these texts. */
function problemsWith(texts: object, bytes = 1): string[] {
  const read = (path: string): string =>
    path.endsWith('texts.json') ? JSON.stringify(texts) : path.endsWith('ui.json') ? ui : '{}';
  const files = new Set(['docs/screenshots/home.png', 'docs/screenshots/texts.json']);
  return screenProblems({ files, read, bytes: () => bytes }).map(({ problem }) => problem);
}

describe('the texts of a picture', () => {
  it('are those of the app among what is seen, also with values in them', () => {
    const texts = ['Start', 'Stop', 'Turn {{pass}} of at most {{passes}}', '{{name}}: {{value}}'];
    expect(shownTexts(['Start', 'Turn 5 of at most 15', 'named volume: 7'], texts)).toEqual([
      texts[0],
      texts[2],
    ]);
    expect(shownTexts(['Start here'], texts)).toEqual([]);
  });

  it('must still be texts of the app', () => {
    expect(problemsWith({ 'home.png': ['Home', 'Settings'] })).toEqual([]);
    expect(problemsWith({ 'home.png': ['Home', 'A text of last year'] })).toEqual([
      expect.stringContaining('shows “A text of last year”'),
    ]);
  });

  it('must be known', () => {
    expect(problemsWith({})).toEqual([expect.stringContaining('has no texts of this picture')]);
  });

  it('are in a picture that can be loaded', () => {
    expect(problemsWith({ 'home.png': [] }, MOST_BYTES + 1)).toHaveLength(1);
  });
});
