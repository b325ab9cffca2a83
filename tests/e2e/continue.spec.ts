import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

const numberIn = (text = ''): number => Number(/\d+/.exec(text)?.[0]);

/** Slow enough to be stopped in the middle. */
const SLOW = { pace: 60 };

test('a run that was stopped goes on from its result, by keyboard', async ({ openFake }) => {
  const { app, page } = await openFake(SLOW);
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.locator('td.measured').nth(1)).toBeVisible();
  await page.getByRole('button', { name: t('live.stop') }).click();

  const goOn = page.getByRole('button', { name: t('plan.goOn'), exact: true });
  const keeps = async (): Promise<number> =>
    numberIn(
      pattern('plan.continuedText').exec(
        await page.getByText(pattern('plan.continuedText')).innerText(),
      )?.[0],
    );
  await goOn.focus();
  await page.keyboard.press('Enter');

  const kept =
    await test.step('the plan says in words what will happen, and nothing can be chosen', async () => {
      await expect(page.getByText(/^Resumes the run of .+\.$/)).toBeVisible();
      await expect(page.getByRole('radio')).toHaveCount(0);
      return keeps();
    });
  expect(kept).toBeGreaterThan(0);

  await goOn.focus();
  await page.keyboard.press('Enter');
  await test.step('the live screen has the earlier trials from the first moment on', async () => {
    await expect(page.getByRole('button', { name: t('live.stop'), exact: true })).toBeVisible();
    const trials = page.getByRole('region', { name: t('live.trials') });
    await expect(trials.getByRole('button', { name: pattern('live.showTrial') }).first()).toBeVisible();
    const done = /^(\d+) of (\d+)/.exec((await page.getByText(/^\d+ of \d+ trials/).textContent()) ?? '');
    expect(Number(done?.[1])).toBeGreaterThanOrEqual(kept);
    const awake = await app.evaluate(({ powerSaveBlocker }) =>
      Array.from({ length: 50 }, (_, id) => id).some((id) => powerSaveBlocker.isStarted(id)),
    );
    expect(awake).toBe(true);
  });

  await test.step('once more stopped: more are kept', async () => {
    await expect(page.getByText(/^\d+ of \d+ trials/)).not.toHaveText(
      (await page.getByText(/^\d+ of \d+ trials/).textContent()) ?? '',
      { timeout: 30_000 },
    );
    await page.getByRole('button', { name: t('live.stop') }).click();
    await expect(page.getByText(/its measurements come from 2 sessions/)).toBeVisible();
    await goOn.click();
    await expect(page.getByText(pattern('plan.continued'))).toBeVisible();
    expect(await keeps()).toBeGreaterThan(kept);
  });
});
