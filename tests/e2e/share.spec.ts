import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { parseResult } from '../../src/benchmark/runs/result-file.ts';
import { pattern, t } from '../helpers/words.ts';
import { expect, saveDialogsTo, test } from './support/app.ts';
import { csvRows } from './support/csv.ts';
import { decodePng } from './support/png.ts';
import { openReport } from './support/report-window.ts';
import { openShareDialog, savedAs } from './support/share.ts';
import { newFolder } from './support/folders.ts';

const PRIVATE = { story: 'private' };

async function openRecent(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: pattern('recent.open') })
    .first()
    .click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
}

let folder: string;
test.beforeEach(() => {
  folder = newFolder('share');
});

test('every format is previewed, saved and holds the result', async ({ openFake }) => {
  const { app, page } = await openFake(PRIVATE);
  await openRecent(page);
  await saveDialogsTo(app, folder);
  const dialog = await openShareDialog(page);
  const preview = dialog.getByRole('region', { name: t('share.preview') });

  await expect(preview.getByRole('img', { name: t('share.picture') })).toBeVisible();
  const picture = decodePng(await savedAs(dialog, t('share.formats.png'), folder));
  expect(picture.width).toBeGreaterThanOrEqual(2400);
  expect(picture.colors).toBeGreaterThan(20);

  const html = await savedAs(dialog, t('share.formats.html'), folder);
  await expect(preview).toContainText('All comparisons as text');
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const report = await openReport(app, file);
  expect(report.requested).toEqual([]);
  expect(report.scripts).toBe(0);
  // Four effects and nine scenarios.
  expect(report.bars).toBe(4 + 9);
  expect(report.title).toContain('slower');
  expect(report.text).toContain('Numbers');
  // The policy lets the page's own style sheet through.
  expect(report.heading).toEqual({ size: '28px', color: 'rgb(11, 110, 130)' });

  const markdown = (await savedAs(dialog, t('share.formats.md'), folder)).toString('utf8');
  await expect(preview).toContainText('| Scenario | TPS |');
  expect((await preview.locator('pre').textContent()) ?? '').toBe(markdown);

  expect(csvRows(await savedAs(dialog, t('share.formats.csv'), folder))).toHaveLength(9);
  const windows = csvRows(await savedAs(dialog, t('share.formats.csv-per-second'), folder));
  expect(windows.length).toBeGreaterThan(100);
  await expect(preview).toContainText(t('share.beginning'));
  const json = await savedAs(dialog, t('share.formats.json'), folder);
  await expect(preview).toContainText('whalemark-result');
  expect(parseResult(json.toString('utf8'), 'x').trials).toHaveLength(50);
  for (const bytes of [html, json, Buffer.from(markdown)]) {
    expect(bytes.toString('utf8')).not.toMatch(/anna|10\.4\.5\.6|geheim/);
  }
});

test('picture and Markdown are copied, in the language that was chosen', async ({ openFake }) => {
  const { app, page } = await openFake(PRIVATE);
  await openRecent(page);
  const dialog = await openShareDialog(page);
  await dialog.getByRole('button', { name: t('share.copyPicture') }).click();
  await expect(dialog.getByText(t('share.copied.png'))).toBeVisible();
  // The Electron of the tests has the older clipboard.
  const size = await app.evaluate(({ clipboard }) =>
    (clipboard as unknown as { readImage(): { getSize(): { width: number; height: number } } })
      .readImage()
      .getSize(),
  );
  expect(size).toEqual({ width: 2400, height: 1350 });

  await dialog.getByRole('combobox', { name: t('share.language') }).selectOption('zh-CN');
  await dialog.getByRole('button', { name: t('share.copyMarkdown') }).click();
  await expect(dialog.getByText(t('share.copied.md'))).toBeVisible();
  const text = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(text).toContain('| --: |');
  expect(text).toContain('已移除');
});

test('the dialog works by keyboard, gives the focus back and fits a small window', async ({ openFake }) => {
  const { page } = await openFake(PRIVATE);
  // 1024×640 at 200% is what a page of 512×320 sees.
  await page.setViewportSize({ width: 512, height: 320 });
  await openRecent(page);
  const button = page.getByRole('button', { name: t('share.button') });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('share.title') });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('radio', { name: t('share.formats.png') }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: t('share.formats.html') })).toBeChecked();
  const cut = await dialog.locator('.frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth);
  expect(cut).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});
