import { dirname } from 'node:path';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';
import { composeFile, dropFile, openDialogsWith } from './support/databases.ts';

const english = createTranslator('en');

for (const what of ['file', 'folder'])
  test(`a Compose ${what} dropped onto the window is opened where it is`, async ({ openFake }) => {
    const { page } = await openFake({ pace: 0 });
    const file = composeFile();
    await dropFile(page, what === 'file' ? file : dirname(file));
    const read = page.getByRole('region', { name: t('database.read') });
    await expect(read).toContainText(file);
    await expect(read).toContainText('./data');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

test('a wide diff scrolls in its own box, with the keyboard', async ({ openFake }) => {
  const { app, page } = await openFake({ pace: 0 });
  await page.setViewportSize({ width: 512, height: 640 });
  await openDialogsWith(app, composeFile());
  await page.getByRole('button', { name: t('database.open') }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await page.getByText(english('report:override.there')).first().click();
  const box = page.getByRole('group', { name: new RegExp(`^${english('report:override.there')}`) }).first();
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => box.evaluate((element: { scrollLeft: number }) => element.scrollLeft))
    .toBeGreaterThan(0);
});
