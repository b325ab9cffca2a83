import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { _electron } from '@playwright/test';
import { repository } from '../setup/repository.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/** @param {string} path */
export const read = (path) => readFileSync(join(repository, path), 'utf8');

/** @param {string} home @param {Record<string, string>} [more] environment */
export async function launch(home, more = {}) {
  const env = { ...process.env, WHALEMARK_HOME: home, WHALEMARK_DATASETS: 'off', ...more };
  const app = await _electron.launch({
    cwd: repository,
    args: ['.', '--disable-gpu'],
    env: /** @type {Record<string, string>} */ (env),
  });
  const page = await app.firstWindow();
  // The app has its own themes; without null, Playwright's hides them.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: null });
  return { app, page };
}

const TEXTS = JSON.parse(read('src/shared/locales/en/ui.json'));

/** @param {string} key @returns {string} */
export function t(key) {
  /** @type {unknown} */
  const text = key.split('.').reduce((node, part) => node?.[part], TEXTS);
  if (typeof text !== 'string') throw new Error(`there is no text ${key}`);
  return text;
}

/** @param {Page} page */
export const screenOf = (page) => ({
  /** @param {string} key */
  button: (key) => page.getByRole('button', { name: t(key), exact: true }),
  /** @param {string} key */
  heading: (key) => page.getByRole('heading', { name: t(key), exact: true }),
});

/**
 * The lines of text that can be seen without scrolling.
 * @param {Page} page @returns {Promise<string[]>}
 */
export const linesIn = (page) =>
  page.locator('body').evaluate((body) => {
    const document = body.ownerDocument;
    const range = document.createRange();
    const texts = document.createTreeWalker(body, 4);
    /** @type {string[]} */
    const lines = [];
    while (texts.nextNode() !== null) {
      const { parentElement: element } = texts.currentNode;
      range.selectNodeContents(texts.currentNode);
      const { top, bottom } = range.getBoundingClientRect();
      const isInside = bottom > 0 && top < document.documentElement.clientHeight;
      const isHidden = element?.checkVisibility() === false || element?.closest('.visually-hidden') !== null;
      if (isInside && !isHidden)
        lines.push(String(texts.currentNode.textContent).trim().replace(/\s+/g, ' '));
    }
    return lines;
  });
