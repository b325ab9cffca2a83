import { pattern, t } from '../helpers/words.ts';
import { expect, FULL, test } from './support/app.ts';
import { wordsAboveTheFold } from './support/text-checks.ts';

// The test compares ten pictures, each a frame later, which takes long.
test(
  'the charts of slices move from the first one on, under a head of one height, in at most 80 words',
  { tag: FULL },
  async ({ openFake }) => {
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
    // The plot's axis takes less than 40 px.
    expect((await charts.first().boundingBox())?.height).toBeGreaterThanOrEqual(160);
    const words = await wordsAboveTheFold(page);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(80);
    const answer = page.getByRole('region', { name: t('live.answer') });
    await expect(answer.locator('tr.bar').nth(1)).toBeInViewport({ ratio: 1 });
  },
);
