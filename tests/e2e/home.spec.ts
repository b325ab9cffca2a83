import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { wordsAboveTheFold } from './support/text-checks.ts';

for (const story of ['plain', 'databases', 'two-runtimes', 'troubled']) {
  test(`home says what it does in at most 120 words (${story})`, async ({ openFake }) => {
    const { page } = await openFake({ story });
    await page.setViewportSize({ width: 1280, height: 820 });
    const start = page.locator('#start-essentials').filter({ hasText: 'GiB' });
    await expect(start).toBeVisible();
    await expect(page.locator('#own-title')).toBeInViewport();
    await expect(page.getByText(t('presets.loading'))).toBeHidden();
    const words = await wordsAboveTheFold(page);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(120);
    expect(words.length).toBeGreaterThan(40);
  });
}
