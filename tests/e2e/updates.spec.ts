import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { axeViolations as violations } from './support/axe.ts';
import { newFolder } from './support/folders.ts';

/** A stand-in for GitHub's list of releases. */
async function releases(tag: string): Promise<{ address: string; asked: () => number; close: () => void }> {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.end(JSON.stringify({ tag_name: tag }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`;
  return {
    address,
    asked: () => asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** From now on what would open in the browser is only noted. */
async function notedAddresses(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const noted: string[] = [];
    Object.assign(globalThis, { noted });
    shell.openExternal = (address) => {
      noted.push(address);
      return Promise.resolve();
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { noted: string[] }).noted);
}

test('a newer version is told once, its page opens, and it can be dismissed', async ({ launch, fakeApp }) => {
  const server = await releases('v99.0.0');
  try {
    const env = { WHALEMARK_RELEASES: server.address };
    const { app, page, home } = await launch({ folder: fakeApp, env });
    const note = page.getByRole('status').filter({ hasText: 'Whalemark 99.0.0 is out.' });
    await expect(note).toBeVisible();
    expect(await violations(page)).toEqual([]);
    const opened = await notedAddresses(app);
    await note.getByRole('button', { name: 'See what is new' }).click();
    await expect.poll(opened).toEqual(['https://github.com/somebody/whalemark/releases/latest']);
    await note.getByRole('button', { name: 'Not this one' }).click();
    await expect(note).toBeHidden();
    await app.close();

    const second = await launch({ folder: fakeApp, env, home });
    await second.page.getByRole('button', { name: t('app.settings'), exact: true }).click();
    const card = second.page.getByRole('region', { name: 'Newer versions' });
    await expect(card.getByRole('status')).toContainText('99.0.0 is out');
    await second.page.getByRole('button', { name: t('app.home'), exact: true }).click();
    await expect(second.page.getByText('Whalemark 99.0.0 is out.')).toBeHidden();
    // Once a day, and that was today.
    expect(server.asked()).toBe(1);
  } finally {
    server.close();
  }
});

test('none is looked for when that is turned off, until the user does', async ({ launch, fakeApp }) => {
  const server = await releases('v0.0.1');
  try {
    const home = newFolder('e2e');
    writeFileSync(join(home, 'settings.json'), '{"lookForUpdates":false}');
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_RELEASES: server.address }, home });
    await page.getByRole('button', { name: t('app.settings'), exact: true }).click();
    const card = page.getByRole('region', { name: 'Newer versions' });
    await expect(card.getByRole('checkbox', { name: 'Look for newer versions' })).not.toBeChecked();
    await expect(card.getByRole('status')).toHaveText('It has not looked yet.');
    expect(server.asked()).toBe(0);
    await card.getByRole('button', { name: 'Look now' }).click();
    await expect(card.getByRole('status')).toContainText('This is the newest version');
    expect(server.asked()).toBe(1);
    await card.getByRole('checkbox').check();
    await expect
      .poll(() => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')) as unknown)
      .toMatchObject({ lookForUpdates: true });
  } finally {
    server.close();
  }
});
