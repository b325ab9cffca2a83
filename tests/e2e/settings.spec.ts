import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ownOwner } from '../../src/benchmark/machine/owner.ts';
import { DatasetRecords, homeId } from '../../src/benchmark/dataset/dataset-records.ts';
import {
  DATASET_HOME_LABEL,
  DATASET_LABEL,
  DATASET_LOADER_LABEL,
  OWNER_LABEL,
  RUN_LABEL,
} from '../../src/benchmark/runtime/labels.ts';
import { ENGINE, expect, test } from './support/app.ts';
import type { InPage } from './support/in-page.ts';
import { axeViolations as violations } from './support/axe.ts';
import { newFolder } from './support/folders.ts';

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
}

const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8' }).trim();

test('language and theme hold at once, in the window and in the menu, and at the next start', async ({
  launch,
  fakeApp,
}) => {
  const { app, page, home } = await launch({ folder: fakeApp });
  // As the user's system would have it, not as Playwright would.
  await page.emulateMedia({ colorScheme: null });
  const menu = (): Promise<string[]> =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  const backdrop = (): Promise<string> =>
    page.locator('body').evaluate((body) => {
      const inPage = globalThis as unknown as { getComputedStyle(of: unknown): { backgroundColor: string } };
      return inPage.getComputedStyle(body).backgroundColor;
    });
  await openSettings(page);

  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(backdrop).toBe('rgb(14, 21, 24)');
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBackgroundColor()),
  ).toMatch(/#0e1518/i);
  await page.getByRole('radio', { name: 'Light' }).check();
  await expect.poll(backdrop).toBe('rgb(244, 247, 248)');

  expect(await menu()).toContain('File');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('简体中文');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('设置');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect.poll(menu).toEqual(expect.arrayContaining(['编辑', '帮助']));

  await app.close();
  const second = await launch({ folder: fakeApp, home });
  await expect(second.page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  expect(await second.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light');
});

test('a settings file that can’t be read is kept aside and told once', async ({ launch, fakeApp }) => {
  const home = newFolder('e2e');
  writeFileSync(join(home, 'settings.json'), '{"theme": "dark"');
  const { app, page } = await launch({ folder: fakeApp, home });
  const note = page.getByRole('alert').filter({ hasText: 'settings.json' });
  await expect(note).toContainText('kept as settings.json.broken');
  expect(readFileSync(join(home, 'settings.json.broken'), 'utf8')).toBe('{"theme": "dark"');
  await note.getByRole('button', { name: 'Open settings' }).click();
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await expect(note).toBeHidden();
  await app.close();

  writeFileSync(join(home, 'settings.json'), '{"theme": "blue"}');
  const second = await launch({ folder: fakeApp, home });
  await expect(second.page.getByRole('alert').filter({ hasText: 'theme' })).toContainText('"blue"');
});

test('settings that can’t be saved say so, and stay as they were', async ({ launch, fakeApp }) => {
  const { page, home } = await launch({ folder: fakeApp });
  // No file can take a folder's place.
  mkdirSync(join(home, 'settings.json'));
  await openSettings(page);
  await page.getByRole('checkbox', { name: 'Keep datasets between runs' }).click();
  await expect(page.getByRole('alert')).toContainText('settings could not be saved');
  expect(readdirSync(home).filter((name) => name.startsWith('settings.json'))).toEqual(['settings.json']);
  expect(readdirSync(join(home, 'settings.json'))).toEqual([]);
});

test('a default runtime is kept and used at once', async ({ launch, fakeApp }) => {
  const { page, home } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'two-runtimes' } });
  await openSettings(page);
  const runtimes = page.getByRole('region', { name: 'Docker runtime' });
  await expect(runtimes.getByRole('radio', { name: /^As Docker does/ })).toBeChecked();
  await expect(runtimes.getByText('does not exist')).toBeVisible();
  await runtimes.getByRole('radio', { name: /^colima/ }).check();
  await expect(runtimes.locator('label').filter({ hasText: 'colima' })).toContainText('in use');
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toMatchObject({
    runtimeId: 'context:colima',
  });

  await runtimes.getByRole('radio', { name: /^Docker Desktop socket/ }).check();
  await expect(runtimes.getByRole('status')).toContainText('Docker Desktop socket is not usable now');
});

test('a plan begins as thorough as the settings say', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp });
  await openSettings(page);
  await page.getByRole('radio', { name: 'Short', exact: true }).check();
  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Short', exact: true })).toBeChecked();
});

test('what is kept is listed, and goes when it is told to', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp });
  await openSettings(page);
  const datasets = page.getByRole('region', { name: 'Kept datasets' });
  await expect(datasets.getByRole('row')).toHaveCount(4);
  await expect(datasets).toContainText('4 × 25,000 rows');
  await datasets.getByRole('button', { name: 'Empty…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove all kept datasets?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(datasets.getByRole('row')).toHaveCount(4);
  await datasets.getByRole('button', { name: 'Empty…' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(datasets.getByRole('status')).toHaveText('Removed 2 datasets.');
  await expect(datasets.getByText('None are kept')).toBeVisible();

  const images = page.getByRole('region', { name: 'Images on the engine' });
  await expect(images).toContainText('MySQL 8.4.5');
  await images.getByRole('button', { name: 'Remove the client image…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(images.getByRole('status')).toHaveText('Removed 1 image.');
  await expect(images.getByText('Whalemark’s client', { exact: true })).toBeHidden();

  const leftovers = page.getByRole('region', { name: 'Leftovers' });
  await leftovers.getByRole('button', { name: 'Remove 3 things' }).click();
  await expect(leftovers.getByRole('status')).toHaveText('Removed 3 things.');
  await expect(leftovers.getByText('Nothing was left behind.')).toBeVisible();
});

test('the data folder is opened, and no other can be', async ({ launch, fakeApp }) => {
  const { app, page, home } = await launch({ folder: fakeApp });
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openPath = (path: string) => {
      opened.push(path);
      return Promise.resolve(opened.length === 1 ? '' : 'no file manager');
    };
  });
  await openSettings(page);
  const folder = page.getByRole('region', { name: 'Data folder' });
  await expect(folder).toContainText(home);
  await folder.getByRole('button', { name: 'Open in the file manager' }).click();
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual([home]);
  await folder.getByRole('button', { name: 'Open in the file manager' }).click();
  await expect(folder.getByRole('alert')).toContainText('no file manager');

  const refused = await page.evaluate(() => {
    const ask = (globalThis as unknown as InPage).whalemark.request as (
      name: string,
      params: unknown,
    ) => Promise<unknown>;
    return ask('housekeeping:open-data-folder', { path: '/etc' });
  });
  expect(refused).toMatchObject({ ok: false, error: { code: 'INTERNAL' } });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in the settings, ${colorScheme}`, async ({ launch, fakeApp }) => {
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'two-runtimes' } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openSettings(page);
    await expect(page.getByRole('button', { name: 'Remove 3 things' })).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Versions and licence…' }).click();
    await expect(page.getByRole('dialog')).toContainText('Chromium');
    expect(await violations(page)).toEqual([]);
  });
}

test('at twice the size in a small window the settings are not cut off sideways', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '60' } });
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText(/^\d+ of \d+ trials/)).toBeVisible();
  await page.setViewportSize({ width: 512, height: 320 });
  await openSettings(page);
  await expect(page.getByRole('button', { name: 'Remove 3 things' })).toBeAttached();
  const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
  expect(overflow).toBe(0);
  // All places and the way back to the run are on the screen.
  for (const name of [
    'Whalemark',
    'Home',
    'New comparison',
    'History',
    'Settings',
    /^Measuring, \d+ % done/,
  ]) {
    await expect(page.getByRole('navigation').getByRole('button', { name, exact: true })).toBeInViewport({
      ratio: 1,
    });
  }
  const bar = await page.getByRole('navigation').boundingBox();
  expect(bar?.height).toBeLessThan(90);
});

test('kept datasets of the real engine are listed and removed', { tag: ENGINE }, async ({ launch }) => {
  const home = newFolder('e2e');
  const directory = join(home, 'datasets');
  const volume = `whalemark-dataset-e2e-${process.pid}`;
  const labels = {
    [DATASET_LABEL]: 'e2e',
    [DATASET_HOME_LABEL]: homeId(directory),
    [DATASET_LOADER_LABEL]: ownOwner(),
  };
  docker(
    'volume',
    'create',
    ...Object.entries(labels).flatMap((label) => ['--label', label.join('=')]),
    volume,
  );
  try {
    await new DatasetRecords(directory).write({
      format: 'whalemark-dataset',
      version: 1,
      volume,
      key: 'e2e',
      runtimeId: 'context:default',
      datadir: '/var/lib/mysql',
      fingerprint: '-',
      bytes: 3 * 2 ** 20,
      about: 'mysql:8.4, a few rows',
      account: { user: 'whalemark', password: 'never-shown', database: 'sbtest' },
      lastUsedAt: Date.now(),
    });
    const { page } = await launch({ home, env: { WHALEMARK_DATASETS: '' } });
    await openSettings(page);
    const datasets = page.getByRole('region', { name: 'Kept datasets' });
    await expect(datasets.getByRole('row').filter({ hasText: volume })).toContainText('3 MiB');
    await datasets.getByRole('button', { name: 'Empty…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(datasets.getByRole('status')).toHaveText('Removed 1 dataset.');
    expect(docker('volume', 'ls', '--quiet', '--filter', `name=${volume}`)).toBe('');
  } finally {
    docker('volume', 'rm', '--force', volume);
  }
});

test(
  'leftovers of a dead process are found on the real engine and removed, a living one’s stay',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page } = await launch();
    // Starting sweeps, too: what is left must be left after that.
    await expect(page.getByRole('region', { name: 'Passport of this setup' })).toContainText('CPUs');
    const [machine, , start] = ownOwner().split('.');
    const dead = `${machine}.${spawnSync('true').pid}.${start}`;
    const run = `e2e-left-${process.pid}`;
    const labelled = (owner: string): string[] => [
      '--label',
      `${OWNER_LABEL}=${owner}`,
      '--label',
      `${RUN_LABEL}=${run}`,
    ];
    try {
      docker('volume', 'create', ...labelled(dead), `${run}-volume`);
      docker('network', 'create', ...labelled(dead), `${run}-network`);
      docker('volume', 'create', ...labelled(ownOwner()), `${run}-living`);
      await openSettings(page);
      const leftovers = page.getByRole('region', { name: 'Leftovers' });
      await expect(leftovers.getByRole('row').filter({ hasText: `${run}-volume` })).toContainText('Volume');
      await expect(leftovers.getByRole('row').filter({ hasText: `${run}-network` })).toContainText('Network');
      await expect(leftovers).not.toContainText(`${run}-living`);
      await leftovers.getByRole('button', { name: /^Remove \d+ things?$/ }).click();
      await expect(leftovers.getByRole('status')).toContainText(/^Removed \d+ things?\./);
      await expect(leftovers).not.toContainText(run);
      expect(docker('volume', 'ls', '--quiet', '--filter', `name=${run}`)).toBe(`${run}-living`);
      expect(docker('network', 'ls', '--quiet', '--filter', `name=${run}`)).toBe('');
    } finally {
      docker('volume', 'rm', '--force', `${run}-volume`, `${run}-living`);
      spawnSync('docker', ['network', 'rm', `${run}-network`]);
    }
  },
);
