import { execFileSync, spawnSync } from 'node:child_process';
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
import { workloadSchema } from '../../src/shared/model/workload.ts';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, test } from './support/app.ts';
import type { InPage } from './support/in-page.ts';
import { newFolder } from './support/folders.ts';

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('app.settings'), exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('settings.title'));
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

test('the data folder is opened, and no other can be', async ({ openFake }) => {
  const { app, page, home } = await openFake();
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openPath = (path: string) => {
      opened.push(path);
      return Promise.resolve(opened.length === 1 ? '' : 'no file manager');
    };
  });
  await openSettings(page);
  const folder = page.getByRole('region', { name: t('settings.folder') });
  await expect(folder).toContainText(home);
  await folder.getByRole('button', { name: t('settings.folderOpen') }).click();
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual([home]);
  await folder.getByRole('button', { name: t('settings.folderOpen') }).click();
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

test('at twice the size in a small window the settings are not cut off sideways', async ({ openFake }) => {
  const { page } = await openFake({ pace: 60 });
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByText(pattern('live.trialsDone'))).toBeVisible();
  await page.setViewportSize({ width: 512, height: 320 });
  await openSettings(page);
  await expect(
    page.getByRole('button', { name: t('settings.removeLeftovers', { count: 3 }) }),
  ).toBeAttached();
  const overflow = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
  expect(overflow).toBe(0);
  // All places and the way back to the run are on the screen.
  for (const name of [
    t('app.home'),
    t('app.newComparison'),
    t('app.history'),
    t('app.settings'),
    pattern('app.runGoesOn'),
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
      source: { image: 'mysql:8.4', workload: workloadSchema.parse({}) },
      account: { user: 'whalemark', password: 'never-shown', database: 'sbtest' },
      lastUsedAt: Date.now(),
    });
    const { page } = await launch({ home, env: { WHALEMARK_DATASETS: '' } });
    await openSettings(page);
    const datasets = page.getByRole('region', { name: t('settings.datasets') });
    await expect(datasets.getByRole('row').filter({ hasText: volume })).toContainText('3 MiB');
    await datasets.getByRole('button', { name: t('settings.emptyDatasets') }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('settings.emptyConfirm') })
      .click();
    await expect(datasets.getByRole('status')).toHaveText(t('settings.emptied', { count: 1 }));
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
    await expect(page.getByRole('region', { name: t('passport.title') })).toContainText('CPUs');
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
      const leftovers = page.getByRole('region', { name: t('settings.leftovers') });
      await expect(leftovers.getByRole('row').filter({ hasText: `${run}-volume` })).toContainText('Volume');
      await expect(leftovers.getByRole('row').filter({ hasText: `${run}-network` })).toContainText('Network');
      await expect(leftovers).not.toContainText(`${run}-living`);
      await leftovers.getByRole('button', { name: pattern('settings.removeLeftovers') }).click();
      await expect(leftovers.getByRole('status')).toContainText(pattern('settings.removedLeftovers'));
      await expect(leftovers).not.toContainText(run);
      expect(docker('volume', 'ls', '--quiet', '--filter', `name=${run}`)).toBe(`${run}-living`);
      expect(docker('network', 'ls', '--quiet', '--filter', `name=${run}`)).toBe('');
    } finally {
      docker('volume', 'rm', '--force', `${run}-volume`, `${run}-living`);
      spawnSync('docker', ['network', 'rm', `${run}-network`]);
    }
  },
);
