import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { engineVersion } from './support/docker.ts';
import { ENGINE, expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

test(
  'home shows the passport of the engine in use and why the other places are not usable',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page } = await launch();
    await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();

    const passport = page.getByRole('region', { name: 'Passport of this setup' });
    await expect(passport).toContainText(engineVersion());
    for (const fact of ['CPUs', 'Memory', 'Storage driver', 'File sharing']) {
      await expect(passport.getByText(fact, { exact: true })).toBeVisible();
    }
    await expect(passport).toContainText(/native|virtual machine/);

    const runtimes = page.getByRole('region', { name: 'Runtimes' });
    await expect(runtimes.getByText('in use')).toHaveCount(1);
    await runtimes.getByText(/more places? (was|were) tried/).click();
    const unusable = runtimes.getByRole('listitem').filter({ hasText: 'not usable' }).first();
    await expect(unusable).toContainText('does not exist');
  },
);

test(
  'without a usable runtime home says what was tried, and finds one that comes up later',
  { tag: ENGINE },
  async ({ launch }) => {
    const folder = newFolder('socket');
    const socket = join(folder, 'docker.sock');
    const { page } = await launch({ env: { DOCKER_HOST: `unix://${socket}` } });
    const compare = page.getByRole('button', { name: 'Compare my setup', exact: true });
    // This machine's engine runs, but another one is asked for: that one is not silently replaced.
    await expect(
      page.getByRole('heading', { name: 'The runtime that was asked for is not usable' }),
    ).toBeVisible();
    await expect(compare).toBeDisabled();
    const runtimes = page.getByRole('region', { name: 'Runtimes' });
    await expect(runtimes).toContainText(`Nothing is there: unix://${socket} does not exist.`);

    await expect(page.getByRole('button', { name: 'Use default' })).toHaveCount(2);

    // Nobody has to look again: the guide does, every few seconds.
    symlinkSync('/var/run/docker.sock', socket);
    await expect(compare).toBeEnabled();
    await expect(page.getByRole('region', { name: 'Passport of this setup' })).toContainText(engineVersion());
  },
);

test('a machine without any runtime is told what to do', async ({ launch, fakeApp }) => {
  const { page } = await launch({
    folder: fakeApp,
    env: { WHALEMARK_FAKE: 'no-runtime', WHALEMARK_FAKE_LOOKS: '1000' },
  });
  await expect(page.getByRole('heading', { name: 'Docker isn’t installed on this machine' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Runtimes' })).toContainText('does not exist');
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeDisabled();
});

test('home tells what one click comes to, and what each run came to', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp });
  const compare = page.getByRole('button', { name: 'Compare my setup', exact: true });
  await expect(page.getByText(/^about \d+ min, 9 scenarios · .* of disk while it runs$/i)).toBeVisible();
  await expect(compare).toHaveAccessibleDescription(/about \d+ min, 9 scenarios/i);

  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('slower than named volume × published port');
  await recent.getByRole('button', { name: /slower than named volume × published port/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('slower than named volume');
  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await recent.getByRole('button', { name: 'All runs' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
});

test('presets stand in groups, each with the question it answers', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp });
  const storage = page.getByRole('region', { name: 'Storage', exact: true });
  await expect(storage.getByText('Can I keep MySQL')).toBeVisible();
  for (const group of ['Start here', 'Network', 'Published experiments']) {
    await expect(page.getByRole('region', { name: group, exact: true })).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Yours', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'More for Buffer pool sizes' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of the preset' })).toBeVisible();
  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Yours', exact: true }).getByRole('listitem')).toHaveCount(1);
});

test(
  'the example that comes with the app is a real run, and in no list',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page } = await launch();
    await page.getByRole('button', { name: 'See an example result' }).first().click();
    await expect(page.getByRole('complementary', { name: 'An example result' })).toContainText(
      'not on your machine',
    );
    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toContainText(
      'named volume × published port',
    );
    await page.getByRole('button', { name: 'Home', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Recent results' })).toContainText('Nothing yet');
  },
);

test('another usable runtime can be chosen', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'two-runtimes' } });
  const passport = page.getByRole('region', { name: 'Passport of this setup' });
  await expect(passport).toContainText('Docker Engine 28.1.1');
  await page.getByRole('button', { name: 'Use colima' }).click();
  await expect(passport).toContainText('Colima 0.9');
});

test(
  'a result file that is none is refused in words, and home stays usable',
  { tag: ENGINE },
  async ({ launch }) => {
    const { app, page } = await launch();
    await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
    await app.evaluate(({ dialog }) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['package.json'] });
    });
    await page.getByRole('button', { name: 'Open a result file…' }).click();
    await expect(page.getByRole('alert')).toContainText('package.json is not a readable result file');
    await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  },
);
