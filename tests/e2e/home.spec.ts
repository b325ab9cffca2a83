import { engineVersion } from './support/docker.ts';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, test } from './support/app.ts';

test(
  'home shows the passport of the engine in use and why the other places are not usable',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page } = await launch();
    await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();

    const passport = page.getByRole('region', { name: t('passport.title') });
    await expect(passport).toContainText(engineVersion());
    await passport.getByText(t('passport.details'), { exact: true }).click();
    for (const fact of ['CPUs', 'Memory', 'Storage driver', 'File sharing']) {
      await expect(passport.getByText(fact, { exact: true })).toBeVisible();
    }
    await expect(passport).toContainText(/no VM|virtual machine/);

    const runtimes = page.getByRole('region', { name: t('runtimes.title') });
    await expect(runtimes.getByText(t('runtimes.inUse'))).toHaveCount(1);
    await runtimes.getByText(pattern('runtimes.others')).click();
    const unusable = runtimes
      .getByRole('listitem')
      .filter({ hasText: t('runtimes.unusable') })
      .first();
    await expect(unusable).toContainText('doesn’t exist');
  },
);

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
