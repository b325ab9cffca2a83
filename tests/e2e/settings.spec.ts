import type { ElectronApplication, Page } from '@playwright/test';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('app.settings'), exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('app.settings'));
}

test('language and theme hold at once, in window and menu, and at the next start, where the window was', async ({
  launch,
  fakeApp,
}) => {
  const { app, page, home } = await launch({ folder: fakeApp });
  // The system's color scheme holds, not Playwright's.
  await page.emulateMedia({ colorScheme: null });
  const menu = (): Promise<string[]> =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  const backdrop = (): Promise<string> =>
    page.locator('body').evaluate((body) => {
      const inPage = globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } };
      return inPage.getComputedStyle(body).backgroundColor;
    });
  await openSettings(page);

  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(backdrop).toBe('rgb(14, 21, 24)');
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBackgroundColor()),
  ).toMatch(/#0e1518/i);
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(backdrop).toBe('rgb(244, 247, 248)');

  expect(await menu()).toContain('File');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('设置');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect.poll(menu).toEqual(expect.arrayContaining(['编辑', '帮助']));

  const place = { x: 120, y: 90, width: 1000, height: 700 };
  await app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    place,
  );
  const boundsOf = (of: ElectronApplication): Promise<unknown> =>
    of.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await expect.poll(() => boundsOf(app)).toEqual(place);

  await app.close();
  const second = await launch({ folder: fakeApp, home });
  expect(await boundsOf(second.app)).toEqual(place);
  await expect(second.page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await second.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light');
});
