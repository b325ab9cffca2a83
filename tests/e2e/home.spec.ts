import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineVersion } from './support/docker.ts';
import { expect, test } from './support/app.ts';

test('home shows the passport of the engine in use and why the other places are not usable', async ({
  launch,
}) => {
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
  const unusable = runtimes.getByRole('listitem').filter({ hasText: 'not usable' }).first();
  await expect(unusable).toContainText('does not exist');
});

test('without a usable runtime home says what was tried, and finds one that comes up later', async ({
  launch,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'whalemark-socket-'));
  const socket = join(folder, 'docker.sock');
  try {
    const { page } = await launch({ env: { DOCKER_HOST: `unix://${socket}` } });
    const compare = page.getByRole('button', { name: 'Compare my setup', exact: true });
    // This machine's engine runs, but another one is asked for: that one is not silently replaced.
    await expect(
      page.getByRole('heading', { name: 'The runtime that was asked for is not usable' }),
    ).toBeVisible();
    await expect(compare).toBeDisabled();
    const runtimes = page.getByRole('region', { name: 'Runtimes' });
    await expect(runtimes).toContainText(`Nothing is there: unix://${socket} does not exist.`);

    symlinkSync('/var/run/docker.sock', socket);
    await page.getByRole('button', { name: 'Look again' }).click();
    await expect(compare).toBeEnabled();
    await expect(page.getByRole('region', { name: 'Passport of this setup' })).toContainText(engineVersion());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a machine without any runtime is told what to do', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'no-runtime' } });
  await expect(page.getByRole('heading', { name: 'No usable Docker runtime was found' })).toBeVisible();
  await expect(page.getByText('start it and wait until it says that it is running')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Runtimes' })).toContainText(
    'exists, but nothing answers there',
  );
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeDisabled();

  // The second look of this story finds one; no restart is needed.
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
});

test('another usable runtime can be chosen', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'two-runtimes' } });
  const passport = page.getByRole('region', { name: 'Passport of this setup' });
  await expect(passport).toContainText('Docker Engine 28.1.1');
  await page.getByRole('button', { name: 'Use colima' }).click();
  await expect(passport).toContainText('Colima 0.9');
});

test('a result file that is none is refused in words, and home stays usable', async ({ launch }) => {
  const { app, page } = await launch();
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['package.json'] });
  });
  await page.getByRole('button', { name: 'Open a result file…' }).click();
  await expect(page.getByRole('alert')).toContainText('package.json is not a readable result file');
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
});
