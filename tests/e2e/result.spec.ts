import AxeBuilder from '@axe-core/playwright';
import type { ElectronApplication, Page } from '@playwright/test';
import { parse } from 'yaml';
import { expect, test } from './support/app.ts';

async function openResult(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Open the run of/ })
    .first()
    .click();
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
}

const clipboard = (app: ElectronApplication): Promise<string> =>
  app.evaluate(({ clipboard: own }) => own.readText());

test('another baseline changes everything on the page, says so, and can be taken back', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp });
  await openResult(page);
  const title = page.getByRole('heading', { level: 1 });
  const bars = page.getByRole('region', { name: 'Throughput relative to the baseline' });
  const planned = await title.textContent();
  await expect(page.getByRole('note')).toHaveCount(0);

  await bars.getByLabel('Baseline').selectOption({ label: 'image layer × published port' });
  await expect(page.getByRole('note')).toContainText(
    'not with the plan’s baseline, “named volume × published port”',
  );
  await expect(title).not.toHaveText(planned ?? '');
  await expect(bars.getByRole('row', { name: /^image layer × published port/ })).toContainText('baseline');
  await expect(
    bars.getByRole('row', {
      name: /^named volume × published port faster|^named volume × published port .*faster/,
    }),
  ).toBeVisible();
  const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
  await expect(numbers.getByRole('row', { name: /image layer × published port baseline/ })).toBeVisible();
  await page.getByText('Every comparison in words').click();
  await expect(page.getByText(/faster than image layer × published port/).first()).toBeVisible();

  await page.getByRole('button', { name: 'Back to the plan’s baseline' }).click();
  await expect(title).toHaveText(planned ?? '');
  await expect(page.getByRole('note')).toHaveCount(0);
});

test('the table of numbers is sorted with the keyboard and copied for a spreadsheet', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp });
  await openResult(page);
  const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
  const names = (): Promise<string[]> => numbers.locator('tbody th[scope="row"]').allTextContents();
  const before = await names();
  const heading = numbers.getByRole('columnheader', { name: 'TPS' });
  await heading.getByRole('button', { name: 'TPS', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'ascending');
  expect((await names())[0]).toContain('image layer × published port');
  await page.keyboard.press('Enter');
  await expect(heading).toHaveAttribute('aria-sort', 'descending');
  expect((await names()).at(-1)).toContain('image layer × published port');

  await numbers.getByRole('button', { name: 'Copy table: Numbers' }).click();
  await expect(numbers.getByRole('status')).toHaveText('Copied.');
  const [head, ...rows] = (await clipboard(app)).split('\n').map((line) => line.split('\t'));
  expect(head).toEqual(expect.arrayContaining(['Scenario', 'TPS', 'p95 (µs)']));
  expect(rows).toHaveLength(before.length);
  const tps = rows.map((row) => Number(row[1]));
  expect(tps).toEqual([...tps].sort((a, b) => b - a));

  await heading.getByRole('button', { name: 'TPS', exact: true }).click();
  await expect(heading).toHaveAttribute('aria-sort', 'none');
  expect(await names()).toEqual(before);
});

test('charts over time are zoomed by keys, buttons and pointer, all together', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'disturbed' } });
  await openResult(page);
  const group = page.getByRole('group', { name: /^Charts over time/ });
  const toolbar = page.getByRole('toolbar', { name: 'Zoom' });
  const shown = toolbar.getByRole('status');
  await expect(shown).toHaveText('Drag across a chart to look closer.');
  await group.focus();
  await page.keyboard.press('+');
  await expect(shown).toHaveText('Seconds 6 to 19 of 25');
  await page.keyboard.press('ArrowLeft');
  await expect(shown).toHaveText('Seconds 0 to 13 of 25');
  await expect(toolbar.getByRole('button', { name: 'Move left' })).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('0');
  await expect(shown).toHaveText('Drag across a chart to look closer.');
  await toolbar.getByRole('button', { name: 'Zoom in' }).press('Enter');
  await expect(shown).toHaveText('Seconds 6 to 19 of 25');
  await toolbar.getByRole('button', { name: 'Reset zoom' }).click();

  const charts = group.getByRole('img');
  await expect(charts).toHaveCount(2);
  await charts.last().scrollIntoViewIfNeeded();
  const before = await charts.first().screenshot();
  const box = await charts.last().boundingBox();
  if (box === null) throw new Error('no chart');
  await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 90, { steps: 4 });
  await page.mouse.up();
  await expect(shown).toHaveText(/^Seconds \d+ to \d+ of 25$/);
  // The pointer was over the other chart: they go together.
  expect((await charts.first().screenshot()).equals(before)).toBe(false);
  await charts.last().dblclick();
  await expect(shown).toHaveText('Drag across a chart to look closer.');

  await expect(
    page.getByText(/^Shaded: 4 seconds .*\(swapping, CPU given to other virtual machines\)/),
  ).toBeVisible();
  await group.getByText('Show the numbers').first().click();
  const row = group.getByRole('row', { name: /^7 / });
  await expect(row).toContainText('swapping');
});

test('the distribution of latencies has words and a table behind it', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp });
  await openResult(page);
  const card = page.getByRole('region', { name: 'Distribution of latencies' });
  await expect(card.getByRole('img')).toHaveAttribute(
    'aria-label',
    /^Latency by percentile, one line per scenario\. named volume × published port: 50 % within [\d.]+ ms, 99 % within/,
  );
  await card.getByText('Show the numbers').click();
  await expect(card.getByRole('columnheader').allTextContents()).resolves.toEqual(
    expect.arrayContaining(['fastest', '50 %', '99.99 %', 'Transactions']),
  );
  const row = card.getByRole('row', { name: /^image layer × host network/ });
  await expect(row.getByRole('cell').nth(2)).toHaveText(/\d ms$/);
});

test('a scenario can be rebuilt from what is shown, and the run planned again as it was', async ({
  launch,
  fakeApp,
}) => {
  const { app, page } = await launch({ folder: fakeApp });
  await openResult(page);
  const card = page.getByRole('region', { name: 'Reproduce' });
  await card.getByText('Files and commands').click();
  await card.getByLabel('Scenario').selectOption({ label: 'bind mount × host network' });
  await card.getByRole('button', { name: 'Copy: compose.yaml' }).click();
  await expect(card.getByRole('status').filter({ hasText: 'Copied.' })).toBeVisible();
  const file = parse(await clipboard(app)) as { services: { db: Record<string, unknown> } };
  expect(file.services.db).toMatchObject({ network_mode: 'host', volumes: ['./data:/var/lib/mysql'] });
  await card.getByRole('button', { name: 'Copy: Run the load' }).click();
  await expect.poll(() => clipboard(app)).toContain('docker compose run --rm sysbench oltp_read_write');
  await card.getByRole('button', { name: 'Copy: Command' }).click();
  await expect.poll(() => clipboard(app)).toBe('whalemark run compare-my-setup-again.yaml');

  await card.getByRole('button', { name: 'Plan the same run again' }).click();
  await expect(page.getByText(/^The same as the run of/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeEnabled();
  await expect(page.getByRole('radio', { name: 'Short' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a result with everything open has no accessibility violations, ${colorScheme}`, async ({
    launch,
    fakeApp,
  }) => {
    const { page } = await launch({ folder: fakeApp, env: { WHALEMARK_FAKE: 'disturbed' } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openResult(page);
    await page.getByLabel('Baseline').selectOption({ label: 'bind mount × host network' });
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.getByRole('toolbar', { name: 'Zoom' }).getByRole('button', { name: 'Zoom in' }).click();
    await expect(page.getByRole('region', { name: 'Reproduce' }).getByText('compose.yaml')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
    expect(
      violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ).toEqual([]);
  });
}
