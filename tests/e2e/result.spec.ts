import type { Page } from '@playwright/test';
import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

async function openResult(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: pattern('recent.open') })
    .first()
    .click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
}

test('the pointer zooms all charts over time together', async ({ openFake }) => {
  const { page } = await openFake({ story: 'disturbed' });
  await openResult(page);
  const group = page.getByRole('group', { name: t('charts.zoomGroup') });
  const toolbar = page.getByRole('toolbar', { name: t('charts.zoom') });
  const shown = toolbar.getByRole('status');
  await expect(shown).toHaveText(t('charts.zoomNone'));
  const charts = group.getByRole('img');
  await expect(charts).toHaveCount(2);
  await charts.last().scrollIntoViewIfNeeded();
  const before = await charts.first().screenshot();
  const box = await charts.last().boundingBox();
  if (box === null) throw new Error('no chart');
  await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await expect(shown).toHaveText(pattern('charts.zoomShown', { end: 25 }));
  // The pointer was over the other chart: they go together.
  expect((await charts.first().screenshot()).equals(before)).toBe(false);
  await charts.last().dblclick();
  await expect(shown).toHaveText(t('charts.zoomNone'));
});
