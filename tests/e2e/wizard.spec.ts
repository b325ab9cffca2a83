import type { Page } from '@playwright/test';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

const FAST = { pace: 0 };

const yaml = (page: Page) => page.getByRole('textbox', { name: t('editor.text') });

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
