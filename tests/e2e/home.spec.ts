import { expect, test } from './support/app.ts';
import { wordsAboveTheFold } from './support/text-checks.ts';

for (const [story, most] of Object.entries({
  plain: 90,
  databases: 105,
  'two-runtimes': 105,
  troubled: 105,
})) {
  test(`home says what it does in at most ${most} words (${story})`, async ({ openFake }) => {
    const { page } = await openFake({ story });
    await page.setViewportSize({ width: 1280, height: 820 });
    const start = page.locator('#start-essentials').filter({ hasText: 'GiB' });
    await expect(start).toBeVisible();
    await expect(page.locator('#own-title')).toBeInViewport();
    await expect(page.locator('li.preset').first()).toBeAttached();
    const words = await wordsAboveTheFold(page);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(most);
    expect(words.length).toBeGreaterThan(40);
  });
}
