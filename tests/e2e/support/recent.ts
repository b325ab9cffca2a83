import type { Page } from '@playwright/test';
import { pattern, t } from '../../helpers/words.ts';
import { expect } from './app.ts';

/** Opens the newest result, once home moves no more: until the plan is there, it shifts what is below it. */
export async function openRecent(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  await page
    .getByRole('button', { name: pattern('recent.open') })
    .first()
    .click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
}
