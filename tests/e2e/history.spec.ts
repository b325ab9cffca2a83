import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';
import { homeWithTwo, OTHER_ID, OTHERS, OUR_ID, OURS, storedResult } from './support/stored-runs.ts';
import { msg } from '../../src/shared/message.ts';

async function openHistory(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: t('app.history'), exact: true }).click();
  const list = page.getByRole('region', { name: t('history.list') });
  await expect(list.getByRole('checkbox').first()).toBeVisible();
  return list;
}

/** Answers the dialog for a file to open. */
async function chooseFile(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);
}

const row = (list: Locator, name: string): Locator =>
  list
    .getByRole('listitem')
    .filter({ has: list.page().getByRole('button', { name: pattern('history.open', { name }) }) });
const actions = (list: Locator, name: string): Locator =>
  list.getByRole('button', { name: pattern('history.actions', { name }) });

test('runs are searched, named and noted, and the result file stays as it was', async ({ openFake }) => {
  const { page, home } = await openFake({ prepare: homeWithTwo });
  const list = await openHistory(page);
  await expect(list.getByRole('button', { name: pattern('history.open') }).first()).toContainText(OTHERS);
  await expect(row(list, OTHERS)).toContainText('OrbStack 2.0');

  const search = page.getByRole('searchbox', { name: t('history.search') });
  await search.fill('orbstack FAST');
  await expect(list.getByRole('checkbox')).toHaveCount(1);
  await expect(page.getByText(t('history.shownOf', { shown: 1, all: 2 }))).toBeVisible();
  await search.fill('nothing like that');
  await expect(list).toContainText(t('history.nothingFound'));
  await list.getByRole('button', { name: t('history.clearSearch') }).click();
  await expect(list.getByRole('checkbox')).toHaveCount(2);

  const result = join(home, 'runs', OUR_ID, 'result.json');
  const before = readFileSync(result);
  await actions(list, OURS).click();
  await page.getByRole('menuitem', { name: t('history.edit') }).click();
  const dialog = page.getByRole('dialog', { name: t('history.dialog.title') });
  await dialog.getByRole('textbox', { name: t('history.dialog.name') }).fill('Desk, quiet');
  await dialog.getByRole('textbox', { name: t('history.dialog.note') }).fill('Fans off.\nWindow open.');
  await dialog.getByRole('button', { name: t('history.dialog.save') }).click();
  await expect(dialog).toBeHidden();
  await expect(row(list, 'Desk, quiet')).toContainText('Window open.');
  expect(readFileSync(result)).toEqual(before);

  await test.step('it is all there when the window opens again', async () => {
    await page.reload();
    const kept = await openHistory(page);
    await expect(row(kept, 'Desk, quiet')).toContainText('Fans off.');
    await page.getByRole('searchbox').fill('window OPEN');
    await expect(kept.getByRole('checkbox')).toHaveCount(1);
  });
});

test('a run is moved to the trash by keyboard, or deleted for good where there is none', async ({
  openFake,
}) => {
  const { page, app, home } = await openFake({ prepare: homeWithTwo });
  const list = await openHistory(page);
  const remove = async (name: string): Promise<void> => {
    await actions(list, name).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
  };
  await app.evaluate(({ shell }) => {
    const trashed: string[] = [];
    Object.assign(globalThis, { trashed });
    shell.trashItem = (path: string) => {
      trashed.push(path);
      return Promise.resolve();
    };
  });
  await remove(OTHERS);
  await expect(list.getByRole('checkbox')).toHaveCount(1);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  const trashed = await app.evaluate(() => (globalThis as unknown as { trashed: string[] }).trashed);
  expect(trashed).toEqual([join(home, 'runs', OTHER_ID)]);

  await app.evaluate(({ shell }) => {
    shell.trashItem = () => Promise.reject(new Error('no trash'));
  });
  await remove(OURS);
  const dialog = page.getByRole('dialog', { name: t('history.deleteTitle', { name: OURS }) });
  await dialog.getByRole('button', { name: t('common.cancel') }).click();
  expect(existsSync(join(home, 'runs', OUR_ID, 'result.json'))).toBe(true);
  await remove(OURS);
  await dialog.getByRole('button', { name: t('history.deleteConfirm') }).click();
  await expect(list).toContainText(t('history.none'));
  expect(existsSync(join(home, 'runs', OUR_ID))).toBe(false);
});

test('two runs of different machines are compared: what differs first, then changes', async ({
  openFake,
}) => {
  const { page, app } = await openFake({ prepare: homeWithTwo });
  const list = await openHistory(page);
  const title = page.getByRole('heading', { level: 1 });
  const compare = page.getByRole('button', { name: t('history.compare'), exact: true });
  await expect(compare).toBeDisabled();
  await row(list, OURS).getByRole('checkbox').check();
  await row(list, OTHERS).getByRole('checkbox').check();
  await compare.click();
  await expect(title).toHaveText(t('compare.titleOf', { count: 2 }));
  await expect(page.getByRole('region', { name: t('compare.warnings') })).toContainText(
    msg('compareWarning.notInterleaved').text,
  );
  const differences = page.getByRole('region', { name: t('compare.differences') });
  const runtime = differences.getByRole('row', { name: t('compare.field.runtime') });
  await expect(runtime.last()).toContainText('OrbStack 2.0');
  await expect(differences.getByText(pattern('compare.equal'))).toBeVisible();
  const numbers = page.getByRole('region', { name: t('compare.numbers'), exact: true });
  // The same trials on both sides: every ratio is what it was.
  await expect(numbers.getByText(/^1\.00 \(0\.\d\d–1\.\d\d\)$/).first()).toBeVisible();
  await expect(page.getByRole('region', { name: t('compare.bars') }).getByRole('row')).toHaveCount(1 + 2 * 9);

  await page.getByRole('button', { name: t('compare.reference') }).click();
  const runs = page.getByRole('region', { name: t('compare.runs') });
  await expect(runs.getByRole('listitem').first()).toContainText(OTHERS);

  const third = join(newFolder('shared'), 'theirs.json');
  writeFileSync(third, storedResult('20260101-000000-cccc', { name: 'Theirs' }));
  await chooseFile(app, third);
  await page.getByRole('button', { name: t('compare.addFile') }).click();
  await expect(title).toHaveText(t('compare.titleOf', { count: 3 }));
  await page
    .getByRole('button', { name: pattern('compare.remove') })
    .first()
    .click();
  await expect(title).toHaveText(t('compare.titleOf', { count: 2 }));
});
