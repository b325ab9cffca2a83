import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

const CORE_LOST = createTranslator('en')('errors:CORE_LOST.message');
const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: t('diagnostics.title') });

/** The log's lines, as soon as they are written. */
function logOf(home: string): { process: string; message: string; [field: string]: unknown }[] {
  const file = join(home, 'logs', 'whalemark.log');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { process: string; message: string });
}
const messagesOf = (home: string, process: string): string[] =>
  logOf(home).flatMap((line) => (line.process === process ? line.message : []));

test('a core that dies is in the log, and its error leads to the diagnostics', async ({ openFake }) => {
  const { app, page, home } = await openFake({ story: 'dies', pace: 1 });
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect.poll(() => messagesOf(home, 'main')).toContain('core died');
  const panel = page.getByRole('alert').or(page.getByRole('group')).filter({ hasText: CORE_LOST });
  await panel
    .getByRole('button', { name: t('menu.diagnostics') })
    .first()
    .click();
  await expect(dialogOf(page).locator('pre')).toContainText('core died');
  await page.keyboard.press('Escape');

  // A refused request of the page is logged, too.
  await page.evaluate(() => {
    const { whalemark } = globalThis as unknown as {
      whalemark: { request: (name: string, params: unknown) => Promise<unknown> };
    };
    return whalemark.request('presets:text', { id: 'nowhere' });
  });
  await expect
    .poll(() => logOf(home).find(({ request }) => request === 'presets:text'))
    .toMatchObject({ process: 'main', level: 'warn', error: { code: 'PRESET_UNKNOWN' } });
  await app.evaluate(() => void Promise.reject(new Error('a rejection that nobody handles')));
  await expect.poll(() => messagesOf(home, 'main')).toContain('unhandled rejection');
});
