import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, saveDialogsTo, test } from './support/app.ts';
import { resourcesOf, runsIn } from './support/docker.ts';
import { homeWithSmallPreset, startSmall } from './support/small-preset.ts';
import { openShareDialog, savedAs } from './support/share.ts';
import { newFolder } from './support/folders.ts';
import { unfold } from './support/visit.ts';

test(
  'a run on the real engine comes to a result, and an export holds what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    const folder = newFolder('exports');
    const { app, page, home } = await launch({ home: homeWithSmallPreset(2) });
    await startSmall(page);
    await expect(page.getByText(pattern('live.trialsDone', { all: 4 }))).toBeVisible();
    await expect(page.getByRole('button', { name: t('share.button') })).toBeVisible({ timeout: 100_000 });
    await expect(
      (await unfold(page, t('result.numbers'))).getByRole('table').first().getByRole('row'),
    ).toHaveCount(1 + 2);
    expect(resourcesOf(home)).toEqual([]);

    await saveDialogsTo(app, folder);
    const dialog = await openShareDialog(page);
    const { state } = JSON.parse((await savedAs(dialog, t('share.formats.json'), folder)).toString('utf8'));
    expect(state.trials.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('measured'));
    const log = readFileSync(join(home, 'logs', 'whalemark.log'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('"trial failed"'))).toEqual([]);
    await dialog.getByRole('button', { name: t('common.close') }).click();

    await page.getByRole('button', { name: t('app.home'), exact: true }).click();
    // The plan's text moves the results below it.
    await page.locator('#start-essentials', { hasText: /\d/ }).waitFor();
    await page.getByRole('button', { name: pattern('recent.open') }).click();
    await expect(
      (await unfold(page, t('result.numbers'))).getByRole('table').first().getByRole('row'),
    ).toHaveCount(1 + 2);
  },
);

test(
  'closing the window while a run goes on asks first, then stops it and leaves nothing behind',
  { tag: ENGINE },
  async ({ launch }) => {
    const { app, page, home } = await launch({ home: homeWithSmallPreset(20) });
    await startSmall(page);
    await expect.poll(() => (runsIn(home).length > 0 ? resourcesOf(home) : [])).not.toEqual([]);

    const asked = await app.evaluate(({ dialog, BrowserWindow }) => {
      const question = new Promise<string>((resolve) => {
        dialog.showMessageBox = ((...args: unknown[]) => {
          resolve((args.at(-1) as { message: string }).message);
          return Promise.resolve({ response: 1, checkboxChecked: false });
        }) as typeof dialog.showMessageBox;
      });
      BrowserWindow.getAllWindows()[0]?.close();
      return question;
    });
    expect(asked).toBe(t('dialog.quit.message'));
    // "Keep running" was the answer.
    await expect(page.getByRole('button', { name: t('live.stop') })).toBeEnabled();

    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    // A signal does not ask.
    app.process().kill('SIGTERM');
    await exited;
    expect(resourcesOf(home)).toEqual([]);
  },
);
