import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pattern, t } from '../../helpers/words.ts';
import { expect, type Locator, type Page } from '@playwright/test';

/** Opens the share dialog of the shown result. */
export async function openShareDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: t('share.button') }).click();
  const dialog = page.getByRole('dialog', { name: t('share.title') });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Saves one format from the dialog; the save dialog must answer with files of `folder`. */
export async function savedAs(dialog: Locator, format: string, folder: string): Promise<Buffer> {
  await dialog.getByRole('radio', { name: format }).check();
  await dialog.getByRole('button', { name: t('share.save') }).click();
  const saved = dialog.getByText(pattern('presets.saved'));
  await expect(saved).toBeVisible();
  const [before = '', after = ''] = t('presets.saved', { name: '|' }).split('|');
  const name = ((await saved.textContent()) ?? '').trim().slice(before.length, -after.length);
  return readFileSync(join(folder, name));
}
