import { t } from '../helpers/words.ts';
import { openRecent } from './support/recent.ts';
import { expect, test } from './support/app.ts';
import { openShareDialog } from './support/share.ts';

const PRIVATE = { story: 'private' };

test('the picture reaches the clipboard', async ({ openFake }) => {
  const { app, page } = await openFake(PRIVATE);
  await openRecent(page);
  const dialog = await openShareDialog(page);
  await dialog.getByRole('button', { name: t('share.copyPicture') }).click();
  await expect(dialog.getByText(t('share.copied.png'))).toBeVisible();
  // The Electron of the tests has the older clipboard.
  const size = await app.evaluate(({ clipboard }) =>
    (clipboard as unknown as { readImage(): { getSize(): { width: number; height: number } } })
      .readImage()
      .getSize(),
  );
  expect(size).toEqual({ width: 2400, height: 1350 });
});

test('the dialog works by keyboard, gives the focus back and fits a small window', async ({ openFake }) => {
  const { page } = await openFake(PRIVATE);
  // 1024×640 at 200% is what a page of 512×320 sees.
  await page.setViewportSize({ width: 512, height: 320 });
  await openRecent(page);
  const button = page.getByRole('button', { name: t('share.button') });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('share.title') });
  await expect(dialog).toBeVisible();
  await dialog.getByRole('radio', { name: t('share.formats.png') }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: t('share.formats.html') })).toBeChecked();
  const cut = await dialog.locator('.frame').evaluate((frame) => frame.scrollWidth - frame.clientWidth);
  expect(cut).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
});
