import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { changeText } from '../../src/shared/words/setup-patch-wording.ts';
import { t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, saveDialogsTo, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { newFolder } from './support/folders.ts';
import { composeFile, dropFile, openDialogsWith } from './support/setups.ts';

const english = createTranslator('en');
const ADVICE = english('report:advice.title');

test('a Compose file dropped onto the window is opened where it is, measured, and patched', async ({
  openFake,
}) => {
  const { app, page } = await openFake({ pace: 0 });
  const file = composeFile();
  await dropFile(page, file);
  const read = page.getByRole('region', { name: t('setup.read') });
  await expect(read).toContainText(file);
  await expect(read).toContainText('./data');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  const advice = page.getByRole('region', { name: ADVICE });
  const change = changeText({ factor: 'storage', level: 'named-volume' }, english);
  await advice.getByRole('button', { name: `${t('setup.copyPatch')}: ${change}` }).click();
  await expect(advice.getByText(t('common.copied'))).toBeVisible();
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(copied).toContain('+      - db-data:/var/lib/mysql # the data\n');

  const folder = newFolder('patches');
  await saveDialogsTo(app, folder);
  await advice.getByRole('button', { name: `${t('setup.savePatch')}: ${change}` }).click();
  const name = 'named-volume.patch';
  await expect(advice.getByText(t('setup.saved', { name }))).toBeVisible();
  expect(readFileSync(join(folder, name), 'utf8').endsWith(copied)).toBe(true);
});

test('a wide diff scrolls in its own box, with the keyboard', async ({ openFake }) => {
  const { app, page } = await openFake({ pace: 0 });
  await page.setViewportSize({ width: 512, height: 640 });
  await openDialogsWith(app, composeFile());
  await page.getByRole('button', { name: t('setup.open') }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  const box = page.getByRole('group', { name: new RegExp(`^${english('report:setupPatch.there')}`) });
  await box.focus();
  await page.keyboard.press('ArrowRight');
  await expect
    .poll(() => box.evaluate((element: { scrollLeft: number }) => element.scrollLeft))
    .toBeGreaterThan(0);
});

test(
  'a Compose file is measured on the real engine, and its result says what to change',
  { tag: [ENGINE, FULL] },
  async ({ launch }) => {
    test.setTimeout(900_000);
    const file = composeFile();
    const before = readFileSync(file, 'utf8');
    const { app, page, home } = await launch();
    await openDialogsWith(app, file);
    await page.getByRole('button', { name: t('setup.open') }).click();
    await expect(page.getByRole('region', { name: t('setup.read') })).toContainText('./data');
    await page.getByRole('radio', { name: t('plan.quick') }).check();
    const start = page.getByRole('button', { name: t('plan.start'), exact: true });
    await expect(page.getByRole('region', { name: t('plan.willRun') })).toContainText(t('common.baseline'));
    for (const box of await page
      .getByRole('group', { name: t('plan.consents') })
      .getByRole('checkbox')
      .all())
      await box.check();
    await start.click();

    const advice = page.getByRole('region', { name: ADVICE });
    await expect(advice.getByRole('listitem').first()).toBeVisible({ timeout: 800_000 });
    // Noise decides what is faster here; each change has its patch, or the reason for none.
    const patches = advice.getByRole('group', {
      name: new RegExp(`^${t('setup.patchOf', { file: 'compose.yaml' })}`),
    });
    await expect(patches.first().or(advice.getByText(t('setup.without')))).toBeVisible();
    await expect(page.locator('body')).not.toContainText('canary');

    expect(resourcesOf(home)).toEqual([]);
    // The user's file and folder are as they were.
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(dirname(file))).toEqual(['compose.yaml']);
  },
);
