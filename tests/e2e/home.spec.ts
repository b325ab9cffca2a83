import type { Page } from '@playwright/test';
import { engineVersion } from './support/docker.ts';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, test } from './support/app.ts';

/** Words that the first look at a screen shows: of texts that are visible and begin above the fold. */
const wordsAboveTheFold = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const words: string[] = [];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (texts.nextNode()) {
      const { data = '', parentElement: element } = texts.currentNode as Text;
      for (const { 0: word, index } of data.matchAll(/[^\s·]*[\p{L}\p{N}][^\s·]*/gu)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const { top, width, height } = range.getBoundingClientRect();
        const isHidden = element?.closest('.visually-hidden') !== null;
        if (!isHidden && width > 1 && height > 1 && top < innerHeight) words.push(word);
      }
    }
    return words;
  });

for (const story of ['plain', 'databases', 'two-runtimes', 'troubled']) {
  test(`home says what it does in at most 120 words (${story})`, async ({ openFake }) => {
    const { page } = await openFake({ story });
    await page.setViewportSize({ width: 1280, height: 820 });
    const start = page.locator('#start-essentials').filter({ hasText: 'GiB' });
    await expect(start).toBeVisible();
    await expect(page.locator('#own-title')).toBeInViewport();
    const words = await wordsAboveTheFold(page);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(120);
    expect(words.length).toBeGreaterThan(40);
  });
}

test('one click leads from home to a comparison that runs', async ({ openFake }) => {
  const { page } = await openFake({ pace: 100 });
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByRole('button', { name: t('live.stop'), exact: true })).toBeVisible();
});

test('home shows the passport of the engine in use, with its facts', { tag: ENGINE }, async ({ launch }) => {
  const { page } = await launch();
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();

  const passport = page.getByRole('region', { name: t('passport.title') });
  await expect(passport).toContainText(engineVersion());
  await passport.getByText(t('passport.details'), { exact: true }).click();
  for (const fact of ['CPUs', 'Memory', 'Storage driver', 'File sharing']) {
    await expect(passport.getByText(fact, { exact: true })).toBeVisible();
  }
  await expect(passport).toContainText(/no VM|virtual machine/);
});

test(
  'the example that comes with the app is a real run, and in no list',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page } = await launch();
    await page
      .getByRole('button', { name: t('example.open') })
      .first()
      .click();
    await expect(page.getByRole('complementary', { name: t('example.title') })).toContainText(
      'not on your machine',
    );
    await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toContainText(
      'named volume × published port',
    );
    await page.getByRole('button', { name: t('app.home'), exact: true }).click();
    await expect(page.getByRole('region', { name: t('recent.title') })).toContainText(t('recent.none'));
  },
);
