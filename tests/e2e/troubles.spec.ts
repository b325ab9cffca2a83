import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

test('a measuring process that dies is started again, and what was measured is shown', async ({
  openFake,
}) => {
  const { page } = await openFake({ story: 'dies' });
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();

  await page.getByRole('button', { name: t('app.home'), exact: true }).click();
  await page.getByRole('button', { name: t('home.lookAgain') }).click();
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
});

test('the menu opens results and looks again; Ctrl+R does not reload the page', async ({ openFake }) => {
  const { app, page } = await openFake();
  await expect(page.getByRole('button', { name: t('home.options'), exact: true })).toBeEnabled();
  const items = await app.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap((menu) =>
      (menu.submenu?.items ?? []).map(({ label, accelerator, role }) => ({
        label,
        accelerator: String(accelerator ?? ''),
        role: String(role ?? ''),
      })),
    ),
  );
  expect(items).toContainEqual({ label: 'Open result…', accelerator: 'CmdOrCtrl+O', role: '' });
  expect(items).toContainEqual({ label: t('menu.lookAgain'), accelerator: 'CmdOrCtrl+R', role: '' });
  expect(items.map(({ role }) => role)).not.toContain('reload');

  await app.evaluate(({ dialog, Menu }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['x.json'] });
    const file = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'File');
    file?.submenu?.items.find(({ label }) => label === 'Open result…')?.click();
  });
  await expect(page.getByRole('alert')).toContainText('x.json is not a readable result file');
});
