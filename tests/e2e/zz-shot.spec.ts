import { t } from '../helpers/words.ts';
import { test } from './support/app.ts';
import { composeFile, openDialogsWith } from './support/databases.ts';

for (const [name, size, settings] of [
  ['light', { width: 1200, height: 900 }, {}],
  ['dark', { width: 1200, height: 900 }, { theme: 'dark' }],
  ['small', { width: 512, height: 800 }, {}],
] as const)
  test(`shot ${name}`, async ({ openFake }) => {
    const { app, page } = await openFake({ pace: 0, settings } as never);
    await page.setViewportSize(size);
    await openDialogsWith(app, composeFile());
    await page.getByRole('button', { name: t('database.open') }).click();
    await page.getByRole('radio', { name: t('database.measureStart') }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(800);
    await page.screenshot({ path: `/tmp/first/shot-${name}.png` });
  });
