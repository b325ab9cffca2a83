import { expect, test } from './support/app.ts';

test('a measuring process that dies is started again, and what was measured is shown', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'dies' } });
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Whalemark' }).click();
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
});

test('the menu opens results and looks again; Ctrl+R does not reload the page', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
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
  expect(items).toContainEqual({ label: 'Look for runtimes again', accelerator: 'CmdOrCtrl+R', role: '' });
  expect(items.map(({ role }) => role)).not.toContain('reload');

  await app.evaluate(({ dialog, Menu }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['x.json'] });
    const file = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'File');
    file?.submenu?.items.find(({ label }) => label === 'Open result…')?.click();
  });
  await expect(page.getByRole('alert')).toContainText('x.json is not a readable result file');
});
