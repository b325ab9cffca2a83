import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import type { MenuCommand } from '../../src/shared/contract/ipc.ts';
import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

const SAMPLE = join(import.meta.dirname, '..', 'fixtures', 'results', 'sample-result.json');

const choose = (app: ElectronApplication, command: MenuCommand): Promise<void> =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click(), command);
const isOffered = (app: ElectronApplication, command: MenuCommand): Promise<boolean | undefined> =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.enabled, command);

/** Starts the same app again, as the user would by opening a file. Resolves with its exit code. */
function startAgain(app: ElectronApplication, home: string, ...args: string[]): Promise<number | null> {
  const { spawnfile, spawnargs } = app.process();
  const same = spawnargs.slice(1).filter((arg) => !/^--(inspect|remote-debugging)/.test(arg));
  const child = spawn(spawnfile, [...same, ...args], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, WHALEMARK_HOME: home },
    stdio: 'ignore',
  });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

test('a run is started and stopped from the menu, only while that makes sense', async ({ openFake }) => {
  const { app, page } = await openFake({ pace: 40 });
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  expect(await isOffered(app, 'start-run')).toBe(false);
  expect(await isOffered(app, 'stop-run')).toBe(false);
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await expect.poll(() => isOffered(app, 'start-run')).toBe(true);
  await choose(app, 'start-run');
  await expect(page.getByText(pattern('live.trialsDone'))).toBeVisible();
  await expect.poll(() => isOffered(app, 'stop-run')).toBe(true);
  expect(await isOffered(app, 'start-run')).toBe(false);
  await choose(app, 'stop-run');
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  await expect.poll(() => isOffered(app, 'stop-run')).toBe(false);
});

test('the licenses of all that ships are read from the about box by keyboard', async ({ openFake }) => {
  const { app, page } = await openFake();
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  await choose(app, 'about');
  const about = page.getByRole('dialog', { name: t('menu.about') });
  await about.getByRole('button', { name: t('about.licenses') }).press('Enter');
  const box = page.getByRole('dialog', { name: t('about.licensesTitle') });
  await expect(box.getByRole('button', { name: t('common.close') })).toBeFocused();
  for (const name of ['electron', 'mysql2', 'svelte', '@expo-google-fonts/inter']) {
    await expect(box.getByText(name, { exact: true })).toBeAttached();
  }
  // Backwards from the button: the last package, whose text opens.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(box.getByText('Copyright (c) 2025 Colin McDonnell')).toBeVisible();
  // The list scrolls in itself, so its button stays in reach.
  await expect(box.getByRole('button', { name: t('common.close') })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
  await expect(about).toBeVisible();
});

test('a right click offers what can be copied and pasted, and pasting pastes', async ({ openFake }) => {
  const { app, page } = await openFake();
  await app.evaluate(({ Menu }) => {
    Menu.prototype.popup = function popup(this: Electron.Menu) {
      Object.assign(globalThis, { shown: this });
    };
  });
  const shown = (): Promise<(string | undefined)[]> =>
    app.evaluate(() => {
      const menu = (globalThis as unknown as { shown?: Electron.Menu }).shown;
      return menu?.items.filter(({ enabled }) => enabled).map(({ role }) => role?.toLowerCase()) ?? [];
    });
  await choose(app, 'history');
  const field = page.getByRole('searchbox', { name: t('history.search') });
  await app.evaluate(({ clipboard }) => clipboard.writeText('pasted text'));
  await field.click({ button: 'right' });
  await expect.poll(shown).toEqual(expect.arrayContaining(['paste']));
  await app.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const { items } = (globalThis as unknown as { shown: Electron.Menu }).shown;
    items.find(({ role }) => role === 'paste')?.click({}, window, window?.webContents);
  });
  await expect(field).toHaveValue('pasted text');

  const title = page.getByRole('heading', { level: 1 });
  await title.selectText();
  await title.click({ button: 'right', position: { x: 20, y: 15 } });
  await expect.poll(shown).toEqual(['copy']);
});

test('a second start hands its file to the first and ends; with another data folder it is a first', async ({
  launch,
  fakeApp,
}) => {
  const { app, page, home } = await launch({ folder: fakeApp });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const other = await launch({ folder: fakeApp });
  await expect(other.page.getByRole('heading', { level: 1 })).toBeVisible();

  expect(await startAgain(app, home, SAMPLE)).toBe(0);
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  await expect(other.page.getByRole('heading', { level: 1 })).toHaveText(t('home.title'));

  const broken = join(newFolder('broken'), 'broken.whalemark');
  writeFileSync(broken, 'nothing');
  await choose(app, 'home');
  expect(await startAgain(app, home, broken)).toBe(0);
  await expect(page.getByRole('alert')).toContainText('broken.whalemark');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});
