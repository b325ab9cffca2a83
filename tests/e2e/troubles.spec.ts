import { t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

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
