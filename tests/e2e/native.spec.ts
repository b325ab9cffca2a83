import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import type { MenuCommand } from '../../src/shared/contract/ipc.ts';
import { ENGINE, expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';
import { axeViolations } from './support/axe.ts';

const SAMPLE = join(import.meta.dirname, '..', 'fixtures', 'results', 'sample-result.json');

const choose = (app: ElectronApplication, command: MenuCommand): Promise<void> =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.click(), command);
const isOffered = (app: ElectronApplication, command: MenuCommand): Promise<boolean | undefined> =>
  app.evaluate(({ Menu }, id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.enabled, command);

/** Starts the same app again, as the user would by opening a file; resolves with how it ended. */
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

test('menu commands lead where they say', async ({ launch, fakeApp }) => {
  const { app, page } = await launch({ folder: fakeApp });
  const title = page.getByRole('heading', { level: 1 });
  for (const [command, heading] of [
    ['settings', 'Settings'],
    ['history', 'History'],
    ['new-comparison', 'New comparison'],
    ['home', 'What does Docker cost your MySQL?'],
  ] as const) {
    await choose(app, command);
    await expect(title).toHaveText(heading);
  }
  await choose(app, 'import-sysbench');
  await expect(page.getByRole('textbox', { name: 'Output of sysbench' })).toBeVisible();

  await choose(app, 'method');
  await expect(page.getByRole('dialog', { name: 'How the numbers are made' })).toBeVisible();
  // Another command closes what stands over the screen.
  await choose(app, 'about');
  await expect(page.getByRole('dialog', { name: 'How the numbers are made' })).toBeHidden();
  await expect(page.getByRole('dialog', { name: 'About Whalemark' })).toBeVisible();
});

test('a run is started and stopped from the menu, only while that makes sense', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE_PACE: '40' } });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  expect(await isOffered(app, 'start-run')).toBe(false);
  expect(await isOffered(app, 'stop-run')).toBe(false);
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await expect.poll(() => isOffered(app, 'start-run')).toBe(true);
  await choose(app, 'start-run');
  await expect(page.getByText(/^\d+ of \d+ trials/)).toBeVisible();
  await expect.poll(() => isOffered(app, 'stop-run')).toBe(true);
  expect(await isOffered(app, 'start-run')).toBe(false);
  await choose(app, 'stop-run');
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  await expect.poll(() => isOffered(app, 'stop-run')).toBe(false);
});

test('the about box tells versions, is copied, and closed by keyboard', async ({ launch, fakeApp }) => {
  const { app, page } = await launch({ folder: fakeApp });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await choose(app, 'about');
  const box = page.getByRole('dialog', { name: 'About Whalemark' });
  const { electron } = await app.evaluate(() => process.versions);
  await expect(box).toContainText(String(electron));
  await expect(box).toContainText('Docker Engine 28.1.1');
  await box.getByRole('button', { name: 'Copy' }).click();
  await expect(box.getByRole('status')).toHaveText('Copied.');
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(
    new RegExp(`^Whalemark\\nVersion: .+\\nElectron: ${electron}\\n`),
  );
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
});

test('the licences of all that ships are read from the about box by keyboard', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await choose(app, 'about');
  const about = page.getByRole('dialog', { name: 'About Whalemark' });
  await about.getByRole('button', { name: 'Licences…' }).press('Enter');
  const box = page.getByRole('dialog', { name: 'Licences' });
  await expect(box.getByRole('button', { name: 'Close' })).toBeFocused();
  for (const name of ['electron', 'mysql2', 'svelte', '@expo-google-fonts/inter']) {
    await expect(box.getByText(name, { exact: true })).toBeAttached();
  }
  // Backwards from the button: the last package, whose text opens.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(box.getByText('Copyright (c) 2025 Colin McDonnell')).toBeVisible();
  // The list scrolls in itself: what closes it stays in reach.
  await expect(box.getByRole('button', { name: 'Close' })).toBeInViewport();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
  await expect(about).toBeVisible();
});

test('a right click offers what can be copied and pasted, and pasting pastes', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp });
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
  await choose(app, 'import-sysbench');
  const field = page.getByRole('textbox', { name: 'Output of sysbench' });
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

test('the window opens where it was, and on a display that is there', async ({ launch, fakeApp }) => {
  const { app, home } = await launch({ folder: fakeApp });
  const wanted = { x: 120, y: 90, width: 1000, height: 700 };
  await app.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    wanted,
  );
  const boundsOf = (of: ElectronApplication): Promise<unknown> =>
    of.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds());
  await expect.poll(() => boundsOf(app)).toEqual(wanted);
  await app.close();

  const second = await launch({ folder: fakeApp, home });
  expect(await boundsOf(second.app)).toEqual(wanted);
  await second.app.close();

  writeFileSync(
    join(home, 'electron', 'window.json'),
    JSON.stringify({ bounds: { ...wanted, x: 9000 }, maximised: false }),
  );
  const third = await launch({ folder: fakeApp, home });
  const { x, width } = (await boundsOf(third.app)) as { x: number; width: number };
  expect(width).toBe(1000);
  expect(x).toBeLessThan(1920);
});

test(
  'a second start hands its file to the first and ends; with another data folder it is a first',
  { tag: ENGINE },
  async ({ launch, fakeApp }) => {
    const { app, page, home } = await launch();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const other = await launch({ folder: fakeApp });
    await expect(other.page.getByRole('heading', { level: 1 })).toBeVisible();

    expect(await startAgain(app, home, SAMPLE)).toBe(0);
    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
    await expect(other.page.getByRole('heading', { level: 1 })).toHaveText(
      'What does Docker cost your MySQL?',
    );

    const broken = join(newFolder('broken'), 'broken.whalemark');
    writeFileSync(broken, 'nothing');
    await choose(app, 'home');
    expect(await startAgain(app, home, broken)).toBe(0);
    await expect(page.getByRole('alert')).toContainText('broken.whalemark is not a readable result file');
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  },
);

test('a file that the app is started with is shown', { tag: ENGINE }, async ({ launch }) => {
  const { page } = await launch({ args: [SAMPLE] });
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
});
