import { rmSync } from 'node:fs';
import { expect, test } from './support/app.ts';
import { axeViolations } from './support/axe.ts';
import { becomeState, reportFile } from './support/docker-states.ts';

const STATES = [
  ['not-installed-linux', 'Docker isn’t installed on this machine', 'sudo usermod -aG docker ada'],
  ['not-installed-win32', 'Docker isn’t installed on this machine', 'winget install'],
  ['stopped-linux-systemd', 'Docker Engine is installed, but not running', 'sudo systemctl start docker'],
  ['stopped-darwin-desktop', 'Docker Desktop is installed, but not running', 'open -a Docker'],
  ['starting-darwin', 'Docker Desktop is starting', 'docker desktop restart'],
  ['forbidden-linux-other-group', 'You may not use Docker’s socket yet', 'sudo usermod -aG containers ada'],
  ['paused-darwin-resource-saver', 'Docker Desktop is paused', 'docker desktop restart'],
  ['windows-containers', 'Docker Desktop runs Windows containers', '-SwitchLinuxEngine'],
  ['wrong-context-linux-variable', 'The runtime that was asked for is not usable', 'unset DOCKER_HOST'],
  ['broken-context-linux', 'The Docker context “gone” can’t be read', 'unset DOCKER_CONTEXT'],
  ['remote-unreachable-linux', 'tcp://10.0.0.7:2375 can’t be reached', 'unset DOCKER_HOST'],
  ['unknown-linux', 'No usable Docker runtime was found', 'docker version'],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`each state of Docker has its way out, without accessibility violations, ${colorScheme}`, async ({
    launch,
    fakeApp,
  }) => {
    test.slow();
    const file = reportFile();
    await becomeState(file, STATES[0][0]);
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_REPORT: file } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [state, title, command] of STATES) {
      await becomeState(file, state);
      await page.getByRole('button', { name: 'Look again' }).first().click();
      const guide = page.getByRole('region', { name: title });
      await expect(guide).toContainText(command);
      await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeDisabled();
      expect(await axeViolations(page)).toEqual([]);
    }
  });
}

test('it looks again by itself, says what changes, and stops when an engine is found', async ({
  launch,
  fakeApp,
}) => {
  const file = reportFile();
  await becomeState(file, 'stopped-linux-systemd');
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_REPORT: file } });
  await expect(page.getByText('Looks again by itself every few seconds')).toBeVisible();

  await becomeState(file, 'starting-linux');
  await expect(page.getByRole('heading', { name: 'Docker Engine is starting' })).toBeVisible();
  await expect(
    page.getByRole('status').filter({ hasText: 'Changed: Docker Engine is starting' }),
  ).toHaveCount(1);

  rmSync(file);
  await expect(page.getByText('Found: Docker Engine 28.1.1. You can measure now.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await expect(page.getByRole('region', { name: 'Passport of this setup' })).toBeVisible();

  // Nobody asks any more: what would be found now stays unseen until somebody looks.
  await becomeState(file, 'stopped-linux-systemd');
  await page.waitForTimeout(5_000);
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
});

test('a command is copied, by keyboard, too', async ({ launch, fakeApp }) => {
  const file = reportFile();
  await becomeState(file, 'forbidden-linux');
  const { app, page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_REPORT: file } });
  const command = 'sudo usermod -aG docker ada';
  await page.getByRole('button', { name: `Copy the command: ${command}` }).press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Command copied.' })).toHaveCount(1);
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(command);
});

test('without Docker there is an example to look around in, named as what it is', async ({
  launch,
  fakeApp,
}) => {
  const file = reportFile();
  await becomeState(file, 'not-installed-darwin');
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_REPORT: file } });
  await page
    .getByRole('region', { name: 'Docker isn’t installed on this machine' })
    .getByRole('button', { name: 'See an example result' })
    .click();
  const banner = page.getByRole('complementary', { name: 'An example result' });
  await expect(banner).toContainText('not on your machine');
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run again', exact: true })).toHaveCount(0);
  expect(await axeViolations(page)).toEqual([]);
});
