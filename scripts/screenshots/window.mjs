// The window that pictures are taken of.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { _electron } from '@playwright/test';
import { setup } from '../setup.mjs';

export const SIZE = { width: 1240, height: 820 };
const SMALL = { width: 1024, height: 640 };
const { values } = parseArgs({ options: { only: { type: 'string' }, engines: { type: 'string' } } });
/** Result file of a run on two engines. */
export const enginesResult = values.engines;
export const only = values.only?.split(',');
/** @param {string} name */
export const isWanted = (name) => only?.includes(name) ?? true;
const { env } = await setup({ needs: ['modules', 'engine', 'images', 'compose', 'electron', 'display'] });
Object.assign(process.env, env);
// A project is read by this Compose where the machine has none.
process.env['PATH'] = [dirname(env['WHALEMARK_TEST_COMPOSE'] ?? '/'), process.env['PATH']].join(delimiter);
export const root = join(import.meta.dirname, '..', '..');
/** Not tracked. `docs/screenshots` has those that a page shows. */
export const folder = join(root, 'pictures');
export const home = mkdtempSync(join(tmpdir(), 'whalemark-screenshots-'));
mkdirSync(folder, { recursive: true });
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

/**
 * The words of a language, by key.
 *
 * @param {string} language
 * @returns {(key: string, params?: Record<string, string>) => string}
 */
function wordsOf(language) {
  const texts = JSON.parse(readFileSync(join(root, 'src/shared/locales', language, 'ui.json'), 'utf8'));
  return (key, params = {}) => {
    /** @type {unknown} */
    let text = texts;
    for (const part of key.split('.')) text = /** @type {Record<string, unknown>} */ (text)[part];
    if (typeof text !== 'string') throw new Error(`there is no text ${key}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => params[name] ?? '');
  };
}

/** @param {Record<string, string>} more */
export const launch = async (more) => {
  const app = await _electron.launch({
    cwd: root,
    args: ['.', '--disable-gpu'],
    env: /** @type {Record<string, string>} */ ({
      ...process.env,
      WHALEMARK_HOME: home,
      WHALEMARK_DATASETS: 'off',
      ...more,
    }),
  });
  const page = await app.firstWindow();
  // Themes are the app's own here; without null the page is shown the same one always.
  await page.emulateMedia({ reducedMotion: 'reduce', colorScheme: null });
  return { app, page };
};

/** @typedef {ReturnType<typeof wordsOf>} Words */
export const ENGLISH = wordsOf('en');
export const CHINESE = wordsOf('zh-CN');

/**
 * Takes what is shown: in English light, dark and small, in Chinese once.
 *
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 * @param {Words} t of the language that the window speaks
 * @param {import('@playwright/test').Locator} [top] what is at the top of the window; else as it is
 */
export async function shoot(page, name, t, top) {
  if (!isWanted(name)) return;
  /** @type {[string, string, { width: number, height: number }][]} */
  const looks =
    t === CHINESE
      ? [['zh', 'light', SIZE]]
      : [
          ['dark', 'dark', SIZE],
          ['small', 'light', SMALL],
          ['light', 'light', SIZE],
        ];
  for (const [look, theme, size] of looks) {
    // Main applies a theme at once; nothing in the window is touched for it.
    await page.evaluate(
      (change) => Reflect.get(globalThis, 'whalemark').request('settings:change', { change }),
      { theme },
    );
    await page.setViewportSize(size);
    await page.waitForFunction(
      (dark) => Reflect.get(globalThis, 'matchMedia')('(prefers-color-scheme: dark)').matches === dark,
      theme === 'dark',
    );
    await top?.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
  }
  await page.setViewportSize(SIZE);
  console.log(`took ${name}${t === CHINESE ? ' in Chinese' : ''}`);
}

/** @param {import('@playwright/test').Page} page */
export const screenOf = (page) => ({
  /** @param {string} name */
  button: (name) => page.getByRole('button', { name, exact: true }),
  /** @param {string} name */
  heading: (name) => page.getByRole('heading', { name, exact: true }),
});
