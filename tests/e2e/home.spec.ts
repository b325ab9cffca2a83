import { engineVersion } from './support/docker.ts';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, test } from './support/app.ts';
import { wordsAboveTheFold } from './support/text-checks.ts';
import { unfold } from './support/visit.ts';

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

test('one click leads from home to a comparison that runs', async ({ openFake }) => {
  const { page } = await openFake({ pace: 100 });
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByRole('button', { name: t('live.stop'), exact: true })).toBeVisible();
});

test('home shows the passport of the engine in use, with its facts', { tag: ENGINE }, async ({ launch }) => {
  const { page } = await launch();
  await page.setViewportSize({ width: 1280, height: 820 });
  await expect(page.locator('#start-essentials')).toContainText('GiB');
  const words = await wordsAboveTheFold(page);
  expect(words.length, words.join(' ')).toBeLessThanOrEqual(120);

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
    await expect(await unfold(page, t('result.numbers'))).toContainText('named volume via published port');
    await page.getByRole('button', { name: t('app.home'), exact: true }).click();
    await expect(page.getByRole('region', { name: t('recent.title') })).toContainText(t('recent.none'));
  },
);
