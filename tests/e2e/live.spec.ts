import type { Page } from '@playwright/test';
import { pattern, t } from '../helpers/words.ts';
import { expect, test } from './support/app.ts';

/** Slow enough for a trial to be looked at, paused after and skipped. */
const SLOW = { story: 'troubled', pace: 60 };

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: t('home.options'), exact: true }).click();
  await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
  await expect(page.getByText(doneOf45).first()).not.toHaveText(/^0/);
}
const doneOf45 = pattern('live.trialsDone', { all: 45 });

test('the focus on one trial follows it second by second, and stays with one that is chosen', async ({
  openFake,
}) => {
  const { page } = await openFake(SLOW);
  await begin(page);
  const trials = page.getByRole('region', { name: t('live.trials') });
  const overview = page.getByRole('tab', { name: t('live.view.overview') });
  const focus = page.getByRole('tab', { name: t('live.view.focus') });
  await overview.focus();
  await page.keyboard.press('ArrowRight');
  await expect(focus).toBeFocused();
  await expect(focus).toHaveAttribute('aria-selected', 'true');
  await expect(trials).toBeHidden();

  const one = page.getByRole('tabpanel', { name: t('live.view.focus') });
  for (const chart of ['tps', 'statements', 'latency', 'cpu', 'block'] as const) {
    const name = new RegExp(`^${t(`focus.chart.${chart}`)}.*${pattern('charts.summaryLine').source}`);
    await expect(one.getByRole('img', { name })).toBeVisible();
  }
  await expect(one.getByText(pattern('focus.split'))).toBeVisible();
  await expect(one.getByText(pattern('focus.percentiles'))).toBeVisible();
  await expect(one.getByRole('log', { name: t('live.log') })).toContainText('ready for connections');
  await one.getByText(t('charts.showTable')).nth(1).click();
  await expect(one.getByRole('columnheader', { name: t('focus.line.writes') })).toBeVisible();

  await focus.focus();
  await page.keyboard.press('Home');
  const first = trials.getByRole('button', { name: pattern('live.showTrial', { round: 1 }) }).first();
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(focus).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText(t('focus.ofTrial'))).toBeVisible();
  await page.getByRole('combobox', { name: t('focus.choose') }).selectOption({ label: t('focus.running') });
  await expect(page.getByText(t('focus.ofSecond'))).toBeVisible();
});

test('a run can be paused after a trial and goes on; a trial can be skipped; the system shows it', async ({
  openFake,
}) => {
  const { app, page } = await openFake(SLOW);
  const bar = await app.evaluateHandle(({ BrowserWindow }) => {
    const shown: string[] = [];
    const window = BrowserWindow.getAllWindows()[0];
    if (window !== undefined) {
      window.setProgressBar = (progress, options) => void shown.push(`${progress} ${options?.mode}`);
    }
    return shown;
  });
  const blocks = (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) =>
      Array.from({ length: 50 }, (_, id) => id).some((id) => powerSaveBlocker.isStarted(id)),
    );
  await begin(page);
  expect(await blocks()).toBe(true);
  expect(await bar.evaluate((shown) => shown[0])).toBe('2 indeterminate');

  await page.getByRole('button', { name: t('live.pause') }).click();
  const paused = page.getByText(t('live.pausedHint'));
  // The trial may end at this moment.
  await expect(page.getByText(t('live.pausing')).or(paused)).toBeVisible();
  await expect(paused).toBeVisible();
  await expect(page.getByRole('button', { name: t('live.skip') })).toBeDisabled();
  await expect(page.locator('td.running')).toHaveCount(0);
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toMatch(/ paused$/);

  await page.getByRole('button', { name: t('app.home'), exact: true }).click();
  await page.getByRole('button', { name: pattern('app.runPaused') }).click();
  await page.getByRole('button', { name: t('live.resume') }).click();
  await expect(page.locator('td.running')).toBeVisible();
  expect(await blocks()).toBe(true);

  await page.getByRole('button', { name: t('live.skip') }).click();
  await expect(
    page.getByRole('region', { name: t('live.trials') }).getByText(t('live.status.skipped')),
  ).toBeVisible();
  await page.getByRole('button', { name: t('live.stop') }).click();
  await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible();
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toBe('-1 none');
});
