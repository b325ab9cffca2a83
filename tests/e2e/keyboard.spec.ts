import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { unfold } from './support/visit.ts';

test('headline, start, and what to decide on are seen in the smallest window', async ({ openFake }) => {
  const { page } = await openFake({ story: 'troubled' });
  await page.setViewportSize({ width: 1024, height: 640 });
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: t('home.review') })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('#start-reasons')).toBeInViewport({ ratio: 1 });
});

test('everything can be done with the keyboard, and a new screen takes the focus to its title', async ({
  openFake,
}) => {
  const { page } = await openFake({ pace: 1 });
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  const press = async (name: string): Promise<void> => {
    const target = page.getByRole('button', { name, exact: true });
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element.matches(':focus-visible'))) {
        await page.keyboard.press('Enter');
        return;
      }
    }
    throw new Error(`“${name}” can't be reached with the Tab key`);
  };
  const title = page.getByRole('heading', { level: 1 });

  await press(t('home.options'));
  await expect(title).toHaveText('Docker storage and network');
  await expect(title).toBeFocused();
  // The plan comes after its screen.
  await expect(page.getByRole('button', { name: t('plan.start'), exact: true })).toBeEnabled();
  const limit = page.getByText(t('plan.untilConclusiveHint'));
  await expect(limit).toBeHidden();
  const options = page.locator('summary', { hasText: t('home.options') });
  for (let tabs = 0; tabs < 30; tabs++) {
    await page.keyboard.press('Tab');
    if (await options.evaluate((element) => element.matches(':focus-visible'))) break;
  }
  await page.keyboard.press('Enter');
  await expect(limit).toBeVisible();
  await press(t('plan.start'));
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  await expect(title).toBeFocused();

  await unfold(page, t('result.numbers'));
  const line = page
    .getByRole('list', { name: t('charts.legend') })
    .getByRole('button')
    .first();
  await line.focus();
  await page.keyboard.press('Space');
  await expect(line).toHaveAttribute('aria-pressed', 'false');
});
