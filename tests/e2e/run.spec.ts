import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ENGINE, expect, saveDialogsTo, test } from './support/app.ts';
import { csvRows } from './support/csv.ts';
import { resourcesOf } from './support/docker.ts';
import { decodePng } from './support/png.ts';
import { openReport } from './support/report-window.ts';
import { openShareDialog, savedAs } from './support/share.ts';
import { newFolder } from './support/folders.ts';

const SCHEDULE = { WHALEMARK_TEST_SCHEDULE: '{"rounds":2,"warmupSeconds":1,"durationSeconds":2}' };

async function startComparison(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
}

test(
  'one button compares this setup on the real engine; every export holds what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    test.setTimeout(480_000);
    const folder = newFolder('exports');
    const { app, page, home } = await launch({ env: SCHEDULE });

    await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
    const planned = page.getByRole('region', { name: 'What will run' });
    await expect(planned.getByRole('row')).toHaveCount(1 + 10);
    await expect(planned).toContainText('baseline');
    await expect(page.getByText('Takes about')).toBeVisible();
    await expect(page.getByText('Disk while it runs')).toBeVisible();
    // No registry can be reached from a test machine: the stand-in is named before anything starts.
    await expect(page.getByRole('region', { name: 'Servers', exact: true })).toContainText(/mysql:8\.4/);

    await test.step('it could go on until it is settled', async () => {
      await page.getByRole('checkbox', { name: 'Go on until it is settled' }).check();
      await expect(page.getByText('Takes at most')).toBeVisible();
      await expect(page.getByText('≤ 32')).toBeVisible();
      await page.getByLabel('for at most').selectOption('10 min');
      await expect(page.getByLabel('for at most')).toHaveValue('10');
      await page.getByRole('checkbox', { name: 'Go on until it is settled' }).uncheck();
      await expect(page.getByText('Takes about')).toBeVisible();
    });

    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Preparing' })).toBeVisible();
    await expect(page.getByText(/\d+ of 20 trials/)).toBeVisible();
    await expect(page.getByText(/about .+ left/)).toBeVisible();
    await expect(page.getByRole('log', { name: 'Server log' })).toContainText('ready for connections', {
      timeout: 60_000,
    });

    const chart = page.getByRole('img', { name: /^Transactions per second/ });
    await expect(chart).toHaveAccessibleName(/Nothing measured yet/, { timeout: 120_000 });
    await expect(chart).toHaveAccessibleName(/on average/, { timeout: 60_000 });
    await expect(page.getByRole('img', { name: /^95th percentile latency.*on average/ })).toBeVisible();

    await test.step('the run is still there after a visit elsewhere', async () => {
      await page.getByRole('button', { name: 'Whalemark' }).click();
      await page.getByRole('button', { name: /^Measuring/ }).click();
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
    });

    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible({
      timeout: 300_000,
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/than|difference|evidence/);
    const numbers = page.getByRole('region', { name: 'Numbers', exact: true }).getByRole('row');
    await expect(numbers).toHaveCount(1 + 10);
    const why = page.getByRole('region', { name: 'What moved with it' });
    await expect(why.getByRole('row')).toHaveCount(1 + 10);
    await expect(why.getByRole('columnheader', { name: 'COMMIT p95' })).toBeVisible();
    for (const cell of await why.getByRole('row').nth(1).getByRole('cell').allTextContents()) {
      expect(cell).toMatch(/\d/);
    }
    expect(resourcesOf(home)).toEqual([]);

    await test.step('a figure opens its paragraph of the method, and Escape goes back to it', async () => {
      const link = why.getByRole('button', { name: 'How this number is made: Pool hits' });
      await link.click();
      const reader = page.getByRole('dialog', { name: 'How the numbers are made' });
      const heading = reader.getByRole('heading', { name: 'Pool hits', exact: true });
      await expect(heading).toBeFocused();
      await expect(heading).toBeInViewport();
      await expect(reader).toContainText('Innodb_buffer_pool_read_requests');
      await page.keyboard.press('Escape');
      await expect(reader).toBeHidden();
      await expect(link).toBeFocused();
    });

    await saveDialogsTo(app, folder);
    const dialog = await openShareDialog(page);
    const exported = (format: string): Promise<Buffer> => savedAs(dialog, format, folder);

    const summary = csvRows(await exported('CSV summary'));
    expect(summary).toHaveLength(10);
    for (const row of summary) expect(Number(row['tps']), row['scenario'] ?? '').toBeGreaterThan(0);

    const windows = csvRows(await exported('CSV per second'));
    const measured = windows.filter((row) => row['phase'] === 'measure');
    expect(new Set(measured.map((row) => row['scenario'])).size).toBe(10);
    expect(measured.length).toBeGreaterThanOrEqual(10 * 2 * 2);

    const picture = decodePng(await exported('PNG picture'));
    expect(picture.width).toBeGreaterThanOrEqual(2400);
    expect(picture.height).toBeGreaterThanOrEqual(1350);
    expect(picture.colours).toBeGreaterThan(20);

    const json = JSON.parse((await exported('JSON result')).toString('utf8'));
    expect(json.format).toBe('whalemark-result');
    expect(json.state.trials.filter((trial: { status: string }) => trial.status === 'measured')).toHaveLength(
      20,
    );

    const markdown = (await exported('Markdown')).toString('utf8');
    expect(markdown.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(2 + 10);

    const html = join(folder, 'report.html');
    writeFileSync(html, await exported('HTML report'));
    const report = await openReport(app, html);
    expect(report.requested).toEqual([]);
    expect(report.scripts).toBe(0);
    expect(report.bars).toBeGreaterThanOrEqual(9);
    await dialog.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: 'Whalemark' }).click();
    await page.getByRole('button', { name: /^Open the run of/ }).click();
    await expect(numbers).toHaveCount(1 + 10);
  },
);

test(
  'stop ends a run within 5 s, keeps what was measured and leaves nothing behind',
  { tag: ENGINE },
  async ({ launch }) => {
    test.setTimeout(300_000);
    const { page, home } = await launch({ env: SCHEDULE });
    await startComparison(page);
    await expect(page.getByText(/^[2-9] of 20 trials/)).toBeVisible({ timeout: 180_000 });

    const before = Date.now();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('button', { name: 'Stopping…' })).toBeDisabled({ timeout: 500 });
    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
    expect(Date.now() - before).toBeLessThan(5_000);

    await expect(page.getByText('stopped', { exact: true })).toBeVisible();
    const rates = await page
      .getByRole('region', { name: 'Numbers', exact: true })
      .locator('tbody td:first-of-type')
      .allTextContents();
    expect(rates).toHaveLength(10);
    expect(rates.filter((rate) => rate !== '–').length).toBeGreaterThanOrEqual(2);
    expect(resourcesOf(home)).toEqual([]);
  },
);

test(
  'closing the window while a run goes on asks first, then stops it and leaves nothing behind',
  { tag: ENGINE },
  async ({ launch }) => {
    test.setTimeout(180_000);
    const { app, page, home } = await launch({ env: SCHEDULE });
    await startComparison(page);
    await expect(page.getByRole('progressbar', { name: /^Initialise server/ })).toBeVisible({
      timeout: 60_000,
    });

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
    expect(asked).toBe('A run is going on. Stop it and quit?');
    // "Keep running" was the answer.
    await expect(page.getByRole('button', { name: 'Stop' })).toBeEnabled();

    const exited = new Promise<void>((resolve) => app.process().once('exit', () => resolve()));
    const before = Date.now();
    // A signal does not ask.
    app.process().kill('SIGTERM');
    await exited;
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(resourcesOf(home)).toEqual([]);
  },
);
