import { expect, test } from './support/app.ts';

test('failed trials, excluded scenarios and notices are shown with their reasons', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({
    folder: fakeApp,
    env: { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '1' },
  });
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Servers', exact: true })).toContainText(
    'instead of mysql:8.4',
  );
  // What can't run stands where it would run, with the reason.
  const rows = page.getByRole('region', { name: 'What will run' }).getByRole('row');
  const excluded = rows.filter({ hasText: 'bind mount × host network' });
  await expect(excluded).toContainText('can’t run here');
  await expect(excluded).toContainText('Host networking is off in Docker Desktop');
  const texts = await rows.allTextContents();
  const placeOf = (name: string): number => texts.findIndex((text) => text.includes(name));
  expect(placeOf('bind mount × host network')).toBe(placeOf('bind mount × client container') + 1);
  await expect(page.getByRole('region', { name: 'Servers', exact: true })).toContainText('Pull mysql:8.4');

  await page.getByRole('radio', { name: 'Short' }).check();
  await expect(page.getByText('Fewer and shorter rounds')).toBeVisible();

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  const failed = page.getByRole('region', { name: 'Failed trials' });
  await expect(failed).toContainText('bind mount × client container on the bridge, rounds 1, 2, 3, 4, 5');
  await expect(failed).toContainText('This share does not let the server own its files.');
  await expect(failed).toContainText('Use a named volume');
  await expect(page.getByRole('region', { name: 'Could not run here' })).toBeVisible();

  // Notices stand before the verdict.
  const notices = page.getByRole('region', { name: 'Good to know before you read the numbers' });
  await expect(notices).toContainText('stands in for it');
  const [noticesTop, titleTop] = await Promise.all(
    [notices, page.getByRole('heading', { level: 1 })].map(async (one) => (await one.boundingBox())?.y ?? 0),
  );
  expect(noticesTop).toBeLessThan(titleTop ?? 0);
});

test('a result that could not be saved is shown all the same, and that it is not saved stands above it', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({
    folder: fakeApp,
    env: { WHALEMARK_FAKE: 'unsaved', WHALEMARK_FAKE_PACE: '1' },
  });
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  const unsaved = page.getByRole('alert').filter({ hasText: 'could not be saved' });
  await expect(unsaved).toContainText('ENOSPC: no space left on device, write');
  await expect(unsaved).toContainText('Make room in the data folder.');
});

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
