import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { engineVersion } from './support/docker.ts';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

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
    await expect(passport).toContainText(/native|virtual machine/);

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
  'without a usable runtime home says what was tried, and finds one that comes up later',
  { tag: ENGINE },
  async ({ launch }) => {
    const folder = newFolder('socket');
    const socket = join(folder, 'docker.sock');
    const { page } = await launch({ env: { DOCKER_HOST: `unix://${socket}` } });
    const compare = page.getByRole('button', { name: t('home.options'), exact: true });
    // This machine's engine runs, but another one is asked for: that one is not silently replaced.
    await expect(
      page.getByRole('heading', { name: t('guide.wrongContext.title', { address: `unix://${socket}` }) }),
    ).toBeVisible();
    await expect(compare).toBeDisabled();
    const runtimes = page.getByRole('region', { name: t('runtimes.title') });
    await expect(runtimes).toContainText(
      new BenchmarkError('ENDPOINT_MISSING', { endpoint: `unix://${socket}` }).message,
    );

    await expect(page.getByRole('button', { name: 'Use default' })).toHaveCount(2);

    // Nobody has to look again: the guide does, every few seconds.
    symlinkSync('/var/run/docker.sock', socket);
    await expect(compare).toBeEnabled();
    await expect(page.getByRole('region', { name: t('passport.title') })).toContainText(engineVersion());
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
