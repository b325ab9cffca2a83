import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './support/app.ts';

/** Slow enough for a trial to be looked at, paused after and skipped. */
const SLOW = { WHALEMARK_FAKE: 'troubled', WHALEMARK_FAKE_PACE: '120' };

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText(/^[1-9]\d* of 45 trials/)).toBeVisible({ timeout: 30_000 });
}

async function violations(page: Page): Promise<string[]> {
  // The other mode opens a second page, which the app forbids.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

test('the live screen has an overview and the focus on one trial, by keyboard', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: SLOW });
  await begin(page);
  const trials = page.getByRole('region', { name: 'Trials' });
  await expect(trials.getByRole('columnheader', { name: 'So far' })).toBeVisible();

  const overview = page.getByRole('tab', { name: 'Overview' });
  const focus = page.getByRole('tab', { name: 'One trial' });
  await expect(overview).toHaveAttribute('aria-selected', 'true');
  await overview.focus();
  await page.keyboard.press('ArrowRight');
  await expect(focus).toBeFocused();
  await expect(focus).toHaveAttribute('aria-selected', 'true');
  await expect(trials).toBeHidden();

  await test.step('it shows the trial that runs, second by second', async () => {
    const one = page.getByRole('tabpanel', { name: 'One trial' });
    await expect(one.getByRole('heading', { level: 2 }).first()).toHaveText(/^Round 1: /);
    for (const chart of ['Transactions', 'Statements', 'Latency', 'CPU', 'Disk']) {
      await expect(one.getByRole('img', { name: new RegExp(`^${chart}.*on average`) })).toBeVisible();
    }
    await expect(one.getByText(/reads [\d,.]+ · writes [\d,.]+ · other [\d,.]+/)).toBeVisible();
    await expect(one.getByText(/p50 .+ · p99 /)).toBeVisible();
    await expect(one.getByRole('log', { name: 'Server log' })).toContainText('ready for connections');
    await one.getByText('Show the numbers').nth(1).click();
    await expect(one.getByRole('columnheader', { name: 'writes' })).toBeVisible();
  });

  await test.step('a finished trial stays in focus when others run', async () => {
    await focus.focus();
    await page.keyboard.press('Home');
    const first = trials.getByRole('button', { name: /Show this trial$/ }).first();
    const name = (await first.getAttribute('aria-label')) ?? '';
    await first.focus();
    await page.keyboard.press('Enter');
    await expect(focus).toHaveAttribute('aria-selected', 'true');
    const title = page.getByRole('heading', { name: `Round 1: ${name.split(', round')[0] ?? ''}` });
    await expect(title).toBeVisible();
    await expect(page.getByText('Figures of the whole trial.')).toBeVisible();
    await page.getByRole('combobox', { name: /^Trial/ }).selectOption({ label: 'the one that runs' });
    await expect(page.getByText(/^Figures of the last second/)).toBeVisible();
  });
});

test('a run can be paused after a trial and goes on; a trial can be skipped', async ({ launch, fakeApp }) => {
  const { app, page } = await launch({ folder: fakeApp, env: SLOW });
  const bar = await app.evaluateHandle(({ BrowserWindow }) => {
    const shown: string[] = [];
    const window = BrowserWindow.getAllWindows()[0];
    if (window !== undefined) {
      window.setProgressBar = (progress, options) => void shown.push(`${progress} ${options?.mode}`);
    }
    return shown;
  });
  const blocks = (): Promise<boolean> =>
    app.evaluate(({ powerSaveBlocker }) => [0, 1, 2, 3].some((id) => powerSaveBlocker.isStarted(id)));
  await begin(page);
  expect(await blocks()).toBe(true);
  expect(await bar.evaluate((shown) => shown[0])).toBe('2 indeterminate');

  await page.getByRole('button', { name: 'Pause after this trial' }).click();
  await expect(page.getByText('The run pauses after this trial.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Paused' })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('button', { name: 'Skip this trial' })).toBeDisabled();
  const done = await page.getByText(/^\d+ of 45 trials/).textContent();
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toMatch(/ paused$/);
  await page.waitForTimeout(1_500);
  await expect(page.getByText(/^\d+ of 45 trials/)).toHaveText(done ?? '');

  await page.getByRole('button', { name: 'Home', exact: true }).click();
  await page.getByRole('button', { name: /^Paused, / }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Round/ })).toBeVisible();
  expect(await blocks()).toBe(true);

  await page.getByRole('button', { name: 'Skip this trial' }).click();
  await expect(page.getByRole('region', { name: 'Trials' }).getByText('skipped')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('1 trial was skipped by the user and does not count.')).toBeVisible();
  expect(await blocks()).toBe(false);
  expect(await bar.evaluate((shown) => shown.at(-1))).toBe('-1 none');
});

test('a machine on battery is told before the start and during the run', async ({ launch, fakeApp }) => {
  const { app, page } = await launch({ folder: fakeApp, env: SLOW });
  const power = (event: 'on-battery' | 'on-ac'): Promise<unknown> =>
    app.evaluate(({ powerMonitor }, name) => powerMonitor.emit(name), event);
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  const banner = page.getByText('Running on battery.');
  await expect(banner).toBeHidden();
  await power('on-battery');
  await expect(banner).toBeVisible();
  await expect(page.getByText('Plug the machine in before you start.')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText(/trials measured on battery are marked/)).toBeVisible();
  await power('on-ac');
  await expect(banner).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`both views of a run have no accessibility violations, ${colorScheme}`, async ({
    launch,
    fakeApp,
  }) => {
    const { app, page } = await launch({ folder: fakeApp, env: SLOW });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await begin(page);
    await app.evaluate(({ powerMonitor }) => powerMonitor.emit('on-battery'));
    await page.getByRole('button', { name: 'Pause after this trial' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'One trial' }).click();
    await page.getByText('Show the numbers').first().click();
    expect(await violations(page)).toEqual([]);
  });
}
