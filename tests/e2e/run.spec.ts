import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pattern, t } from '../helpers/words.ts';
import { ENGINE, expect, FULL, saveDialogsTo, test } from './support/app.ts';
import { csvRows } from './support/csv.ts';
import { resourcesOf, runsIn } from './support/docker.ts';
import { homeWithSmallPreset, startSmall } from './support/small-preset.ts';
import { decodePng } from './support/png.ts';
import { openReport } from './support/report-window.ts';
import { openShareDialog, savedAs } from './support/share.ts';
import { newFolder } from './support/folders.ts';

test(
  'one button compares this setup on the real engine; every export holds what was measured',
  { tag: [ENGINE, FULL] },
  async ({ launch }) => {
    test.setTimeout(900_000);
    const folder = newFolder('exports');
    const { app, page, home } = await launch();

    await page.getByRole('radio', { name: t('plan.quick') }).check();
    // No registry can be reached from a test machine: the stand-in is named before anything starts.
    const review = page.getByRole('button', { name: t('home.review'), exact: true });
    await expect(review).toHaveAccessibleDescription(/mysql:8\.4/);
    await review.click();
    const planned = page.getByRole('region', { name: t('plan.willRun') });
    await expect(planned.getByRole('row')).toHaveCount(1 + 3);
    await expect(planned).toContainText(t('common.baseline'));
    await expect(planned.getByText(t('plan.later'))).toHaveCount(4);
    await expect(page.getByText(t('plan.disk'))).toBeVisible();
    await expect(page.getByRole('region', { name: t('plan.notices') })).toContainText(/mysql:8\.4/);

    await test.step('the full run measures until it is conclusive, which an option limits', async () => {
      await page.getByRole('radio', { name: t('plan.full') }).check();
      await expect(page.getByText(t('plan.durationAtMost'))).toBeVisible();
      await page.getByRole('heading', { name: t('plan.moreOptions') }).click();
      await page.getByLabel(t('plan.atMost')).selectOption('10 min');
      await expect(page.getByLabel(t('plan.atMost'))).toHaveValue('10');
      await page.getByRole('radio', { name: t('plan.quick') }).check();
      await expect(planned.getByText(t('plan.later'))).toHaveCount(4);
    });

    await page.getByRole('button', { name: t('plan.start'), exact: true }).click();
    await expect(page.getByText(t('live.preparing'), { exact: true }).first()).toBeVisible();
    await expect(page.getByText(pattern('live.trialsDone', { all: 18 }))).toBeVisible();
    await expect(page.getByText(pattern('live.left'))).toBeVisible();
    await expect(page.getByRole('log', { name: t('live.log') })).toContainText('ready for connections', {
      timeout: 60_000,
    });

    const chart = page.getByRole('img', { name: new RegExp(`^${t('charts.tps')}`) });
    await expect(chart).toHaveAccessibleName(pattern('charts.summaryLine'), { timeout: 180_000 });
    await expect(
      page.getByRole('img', {
        name: new RegExp(`^${t('charts.p95')}.*${pattern('charts.summaryLine').source}`),
      }),
    ).toBeVisible();

    await test.step('the run is still there after a visit elsewhere', async () => {
      await page.getByRole('button', { name: t('app.home'), exact: true }).click();
      await page.getByRole('button', { name: pattern('app.runGoesOn') }).click();
      await expect(page.getByRole('button', { name: t('live.stop') })).toBeVisible();
    });

    await expect(page.getByRole('region', { name: t('result.numbers'), exact: true })).toBeVisible({
      timeout: 600_000,
    });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/than|difference|evidence/);
    const numbers = page.getByRole('region', { name: t('result.numbers'), exact: true }).getByRole('row');
    await expect(numbers).toHaveCount(1 + 10);
    const why = page.getByRole('region', { name: 'Where the time goes' });
    await expect(why.getByRole('row')).toHaveCount(1 + 10);
    await expect(why.getByRole('columnheader', { name: 'COMMIT p95' })).toBeVisible();
    for (const cell of await why.getByRole('row').nth(1).getByRole('cell').allTextContents()) {
      expect(cell).toMatch(/\d/);
    }
    expect(resourcesOf(home)).toEqual([]);

    await test.step('a figure opens its paragraph of the method, and Escape goes back to it', async () => {
      const link = why.getByRole('button', { name: t('method.link', { label: 'Pool hits' }) });
      await link.click();
      const reader = page.getByRole('dialog', { name: t('method.title') });
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

    const summary = csvRows(await exported(t('share.formats.csv')));
    expect(summary).toHaveLength(10);
    for (const row of summary) expect(Number(row['tps']), row['scenario'] ?? '').toBeGreaterThan(0);

    const windows = csvRows(await exported(t('share.formats.csv-per-second')));
    const measured = windows.filter((row) => row['phase'] === 'measure');
    expect(new Set(measured.map((row) => row['scenario'])).size).toBe(10);
    expect(measured.length).toBeGreaterThanOrEqual(10 * 3 * 2);

    const picture = decodePng(await exported(t('share.formats.png')));
    expect(picture.width).toBeGreaterThanOrEqual(2400);
    expect(picture.height).toBeGreaterThanOrEqual(1350);
    expect(picture.colors).toBeGreaterThan(20);

    const json = JSON.parse((await exported(t('share.formats.json'))).toString('utf8'));
    expect(json.format).toBe('whalemark-result');
    expect(json.state.trials.filter((trial: { status: string }) => trial.status === 'measured')).toHaveLength(
      30,
    );

    const markdown = (await exported(t('share.formats.md'))).toString('utf8');
    expect(markdown.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(2 + 10);

    const html = join(folder, 'report.html');
    writeFileSync(html, await exported(t('share.formats.html')));
    const report = await openReport(app, html);
    expect(report.requested).toEqual([]);
    expect(report.scripts).toBe(0);
    expect(report.bars).toBeGreaterThanOrEqual(9);
    await dialog.getByRole('button', { name: t('share.close') }).click();

    await page.getByRole('button', { name: t('app.home'), exact: true }).click();
    await page.getByRole('button', { name: pattern('recent.open') }).click();
    await expect(numbers).toHaveCount(1 + 10);
  },
);

test(
  'a run on the real engine comes to a result, and an export holds what was measured',
  { tag: ENGINE },
  async ({ launch }) => {
    const folder = newFolder('exports');
    const { app, page, home } = await launch({ home: homeWithSmallPreset(2) });
    await startSmall(page);
    await expect(page.getByText(pattern('live.trialsDone', { all: 4 }))).toBeVisible();
    const numbers = page.getByRole('region', { name: t('result.numbers'), exact: true }).getByRole('row');
    await expect(numbers).toHaveCount(1 + 2, { timeout: 100_000 });
    expect(resourcesOf(home)).toEqual([]);

    await saveDialogsTo(app, folder);
    const dialog = await openShareDialog(page);
    const summary = csvRows(await savedAs(dialog, t('share.formats.csv'), folder));
    expect(summary).toHaveLength(2);
    for (const row of summary) expect(Number(row['tps']), row['scenario'] ?? '').toBeGreaterThan(0);
    const { state } = JSON.parse((await savedAs(dialog, t('share.formats.json'), folder)).toString('utf8'));
    expect(state.trials.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('measured'));
    const log = readFileSync(join(home, 'logs', 'whalemark.log'), 'utf8');
    expect(log.split('\n').filter((line) => line.includes('"trial failed"'))).toEqual([]);
    await dialog.getByRole('button', { name: t('share.close') }).click();

    await page.getByRole('button', { name: t('app.home'), exact: true }).click();
    await page.getByRole('button', { name: pattern('recent.open') }).click();
    await expect(numbers).toHaveCount(1 + 2);
  },
);

test(
  'stop ends a run amid a trial, keeps what was measured and leaves nothing behind',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page, home } = await launch({ home: homeWithSmallPreset(20) });
    await startSmall(page);
    // Of the first round; the second continues.
    await expect(page.locator('td.measured')).toHaveCount(2, { timeout: 100_000 });

    await page.getByRole('button', { name: t('live.stop') }).click();
    const result = page.getByRole('region', { name: t('result.numbers'), exact: true });
    await expect(result).toBeVisible();

    await expect(page.getByText(t('recent.outcome.stopped'), { exact: true })).toBeVisible();
    const rates = await result.locator('tbody td:first-of-type').allTextContents();
    expect(rates).toHaveLength(2);
    for (const rate of rates) expect(rate).toMatch(/\d/);
    expect(resourcesOf(home)).toEqual([]);
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
