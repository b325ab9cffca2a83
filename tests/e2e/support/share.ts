import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

/** The dialog in which the result that is shown is given away. */
export async function openShareDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Share…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this result' });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Saves one format from the dialog; the save dialog must answer with files of `folder`. */
export async function savedAs(dialog: Locator, format: string, folder: string): Promise<Buffer> {
  await dialog.getByRole('radio', { name: format }).check();
  await dialog.getByRole('button', { name: 'Save…' }).click();
  const saved = dialog.getByText(/^Saved as /);
  await expect(saved).toBeVisible();
  const name = /^Saved as (.+)\.$/.exec(((await saved.textContent()) ?? '').trim())?.[1] ?? '';
  return readFileSync(join(folder, name));
}
