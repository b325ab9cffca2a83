import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

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
  await expect(title).toHaveText('Compare my setup');
  await expect(title).toBeFocused();
  // The plan comes after its screen.
  await expect(page.getByRole('button', { name: t('plan.start'), exact: true })).toBeEnabled();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await press(t('plan.start'));
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  await expect(title).toBeFocused();

  const line = page
    .getByRole('list', { name: t('charts.legend') })
    .getByRole('button')
    .first();
  await line.focus();
  await page.keyboard.press('Space');
  await expect(line).toHaveAttribute('aria-pressed', 'false');
});
