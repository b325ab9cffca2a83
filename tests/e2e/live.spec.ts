import type { Page } from '@playwright/test';
import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

/** Slow enough for a trial to be looked at, paused after and skipped. */
const SLOW = { story: 'troubled', pace: 60 };

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByText(doneOf45).first()).not.toHaveText(/^0/);
}
const doneOf45 = pattern('live.trialsDone', { all: 45 });

test('a run can be paused after a trial and goes on; a trial can be skipped; the system shows it', async ({
  openFake,
}) => {
  const { app, page } = await openFake(SLOW);
  const bar = await app.evaluateHandle(({ BrowserWindow }) => {
    const shown: string[] = [];
    const window = BrowserWindow.getAllWindows()[0];
    if (window !== undefined) {
      window.setProgressBar = (progress, options) => void shown.push(`${progress} ${options?.mode}`);
    }
    return shown;
  });
  const blocks = (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) =>
      Array.from({ length: 50 }, (_, id) => id).some((id) => powerSaveBlocker.isStarted(id)),
    );
  await begin(page);
  await page.getByText(t('live.trials'), { exact: true }).click();
  expect(await blocks()).toBe(true);
  expect(await bar.evaluate((shown) => shown[0])).toBe('2 indeterminate');

  await page.getByRole('button', { name: t('live.pause'), exact: true }).click();
  const paused = page.getByText(t('live.pausedHint'));
  // The trial may end at this moment.
  await expect(page.getByText(t('live.pausing'), { exact: true }).or(paused)).toBeVisible();
  await expect(paused).toBeVisible();
  await expect(page.getByRole('button', { name: t('live.skip') })).toBeDisabled();
  await expect(page.locator('td.running')).toHaveCount(0);
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toMatch(/ paused$/);

  await page.getByRole('button', { name: t('app.home'), exact: true }).click();
  await page.getByRole('button', { name: pattern('app.runPaused') }).click();
  await page.getByRole('button', { name: t('live.resume') }).click();
  await page.getByText(t('live.trials'), { exact: true }).click();
  await expect(page.locator('td.running')).toBeVisible();
  expect(await blocks()).toBe(true);

  await page.getByRole('button', { name: t('live.skip') }).click();
  await expect(
    page.getByRole('group', { name: t('live.trials') }).getByText(t('live.status.skipped')),
  ).toBeVisible();
  await page.getByRole('button', { name: t('live.stop') }).click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toBe('-1 none');
});

test('the charts of slices move from the first one on, under a head of one height', async ({ openFake }) => {
  const { page, become } = await openFake({ story: 'side-by-side', pace: 0, holdAfter: 60 });
  await page.setViewportSize({ width: 900, height: 650 });
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  const now = page.getByRole('region', { name: t('live.now') });
  const charts = now.getByRole('img');
  await expect(charts).toHaveCount(2);
  await expect(charts.first()).toHaveAttribute('aria-label', pattern('charts.summaryLine'));
  const pictures = new Set<string>();
  const heights = new Set<number>();
  const texts = new Set<string>();
  for (let looks = 1; looks <= 9; looks++) {
    await become({ holdAfter: 60 + looks });
    await expect
      .poll(async () => {
        pictures.add((await charts.first().screenshot()).toString('base64'));
        texts.add((await now.locator('.value').first().textContent()) ?? '');
        return Math.min(pictures.size, texts.size);
      })
      .toBeGreaterThanOrEqual(looks);
    heights.add((await page.locator('header').boundingBox())?.height ?? 0);
  }
  expect(heights.size).toBe(1);
  const answer = page.getByRole('region', { name: t('live.answer') });
  await expect(answer.locator('tr.bar').nth(1)).toBeInViewport({ ratio: 1 });
});
