import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';

const FAST = { pace: 0 };
type Step = 'Storage' | 'Network' | 'Workload' | 'Schedule' | 'Review';

async function openWizard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New comparison' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
}
async function goTo(page: Page, step: Step): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: new RegExp(`^\\W*\\d*\\s*${step}`) })
    .click();
  await expect(page.getByRole('heading', { level: 2, name: step, exact: true })).toBeFocused();
}
const panel = (page: Page) => page.getByRole('complementary', { name: t('wizard.panel.title') });
const yaml = (page: Page) => page.getByRole('textbox', { name: t('editor.text') });

/** A file dropped onto the window, as the page sees it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const { DataTransfer: Transfer, File: OwnFile } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: string[], name: string) => unknown;
      };
      const transfer = new Transfer();
      transfer.items.add(new OwnFile([content ?? ''], fileName ?? ''));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('from nothing to a result on the real engine', { tag: [ENGINE, FULL] }, async ({ launch }) => {
  test.setTimeout(420_000);
  const { page, home } = await launch();
  await openWizard(page);
  await expect(panel(page)).toContainText('Takes about', { timeout: 60_000 });
  await goTo(page, 'Storage');
  await page.getByRole('checkbox', { name: 'Bind mount' }).uncheck();
  await goTo(page, 'Network');
  await page.getByRole('checkbox', { name: 'Host network', exact: true }).check();
  await goTo(page, 'Workload');
  await page.getByRole('radio', { name: 'oltp_point_select' }).check();
  await page.getByLabel('Tables', { exact: true }).fill('1');
  await page.getByLabel(t('wizard.workload.rows')).fill('1000');
  await page.getByLabel(t('wizard.workload.connections')).fill('2');
  await goTo(page, 'Schedule');
  await page.getByLabel('Rounds', { exact: true }).fill('2');
  await page.getByLabel('Warm-up').fill('0');
  await page.getByLabel(t('wizard.schedule.duration')).fill('2');
  await page.getByRole('checkbox', { name: 'A/A check' }).uncheck();
  await expect(panel(page)).toContainText('2 rounds give no useful');
  await goTo(page, 'Review');
  await expect(yaml(page)).toHaveValue(/kind: oltp_point_select/);
  await expect(panel(page).getByText('Scenarios').locator('..')).toContainText('2');
  await page.getByRole('button', { name: t('wizard.review.plan') }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My comparison' })).toBeVisible();
  await expect(page.getByRole('region', { name: t('plan.willRun') }).getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  const numbers = page.getByRole('region', { name: t('result.numbers'), exact: true });
  await expect(numbers).toBeVisible({ timeout: 300_000 });
  await expect(numbers.getByRole('row')).toHaveCount(1 + 2);
  await expect(numbers.getByRole('row').nth(1)).toContainText(/\d{3}/);
  expect(resourcesOf(home)).toEqual([]);
  // Nothing was kept but the result; the draft is still there.
  expect(existsSync(join(home, 'presets'))).toBe(false);
  await page.getByRole('button', { name: 'New comparison' }).click();
  await expect(yaml(page)).toHaveValue(/kind: oltp_point_select/);
});

test('by keyboard alone to a plan', async ({ openFake }) => {
  const { page } = await openFake(FAST);
  const press = async (key: string, times = 1): Promise<void> => {
    for (let count = 0; count < times; count++) await page.keyboard.press(key);
  };
  const tabTo = async (name: string | RegExp, role: 'button' | 'checkbox' | 'radio'): Promise<void> => {
    const wanted = page.getByRole(role, { name, exact: true });
    for (let count = 0; count < 80; count++) {
      await press('Tab');
      if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    }
    throw new Error(`${String(name)} can't be reached with the Tab key`);
  };
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  await tabTo('New comparison', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
  await tabTo('Next: Storage', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Storage' })).toBeFocused();
  await tabTo('tmpfs', 'checkbox');
  await press('Space');
  await tabTo('Next: Network', 'button');
  await press('Enter');
  await tabTo('Bridge network', 'checkbox');
  await press('Space');
  await tabTo('tmpfs × Bridge network', 'checkbox');
  await press('Space');
  await tabTo('Next: Workload', 'button');
  await press('Enter');
  await tabTo('oltp_read_write', 'radio');
  await press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'oltp_read_only' })).toBeChecked();
  await tabTo('Next: Schedule', 'button');
  await press('Enter');
  await tabTo('Next: Review', 'button');
  await press('Enter');
  await expect(yaml(page)).toHaveValue(/oltp_read_only/);
  await tabTo(t('wizard.review.plan'), 'button');
  await press('Enter');
  const planned = page.getByRole('region', { name: t('plan.willRun') });
  // Three storages by two paths without one, which is no grid.
  await expect(planned.getByRole('row')).toHaveCount(5);
  await expect(planned).toContainText(t('plan.aaCheck'));
  await tabTo('Back', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
});

test('a preset file dropped onto the window is kept', async ({ openFake }) => {
  const { page } = await openFake(FAST);
  const text = readFileSync('presets/compare-my-setup.yaml', 'utf8')
    .replace('id: compare-my-setup', 'id: dropped')
    .replace('name: Compare my setup', 'name: Dropped one');
  await drop(page, 'mine.yaml', text);
  await expect(page.getByRole('listitem', { name: 'Dropped one' })).toBeVisible();
  await expect(page.getByText(t('drop.imported', { name: 'mine.yaml' }))).toBeVisible();
  await drop(page, 'broken.yaml', 'whalemark: 1\nid: broken\n');
  await expect(page.getByRole('alert')).toContainText('broken');
  await drop(page, 'run.json', '{}');
  await expect(page.getByRole('alert')).toContainText('run.json is not a readable result file');
  await drop(page, 'notes.txt', 'nothing');
  await expect(page.getByText('notes.txt can’t be opened')).toBeVisible();
});
