import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './support/app.ts';
import { sysbenchText } from './support/sysbench-text.ts';
import { newFolder } from './support/folders.ts';

test('pasted sysbench output becomes a table and a chart, and stays in the list', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp });
  await page.getByRole('button', { name: 'Import sysbench output…' }).click();
  const parse = page.getByRole('button', { name: 'Import', exact: true });
  await expect(parse).toBeDisabled();

  const text = page.getByRole('textbox', { name: 'Output of sysbench' });
  await text.fill('mysqlslap\nBenchmark of something else');
  await parse.click();
  await expect(page.getByRole('alert')).toContainText("can't be imported as sysbench output");
  await expect(page.getByRole('alert')).toContainText('line 1 is not sysbench output');

  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop, evening');
  await text.fill(sysbenchText());
  await parse.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Imported: Laptop, evening');
  const row = page.getByRole('region', { name: 'Runs' }).getByRole('row').last();
  for (const value of ['8', '500', '10,000', '16.0 ms', 'p99: 31.9 ms', '3', '0', '10 s', '1.0.20']) {
    await expect(row.getByRole('cell', { name: value, exact: true }).first(), value).toBeVisible();
  }
  await expect(page.getByRole('region', { name: 'Remarks' })).not.toBeEmpty();
  await expect(page.getByRole('img', { name: /^Transactions per second.*500 on average/ })).toBeVisible();
  await page.getByText('Show the numbers').click();
  await expect(page.getByRole('group', { name: 'Transactions per second' }).getByRole('row')).toHaveCount(11);

  await page.getByRole('button', { name: 'Whalemark' }).click();
  const recent = page.getByRole('region', { name: 'Recent results' });
  await expect(recent).toContainText('imported');
  await recent.getByRole('button', { name: 'Open the import Laptop, evening' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Imported: Laptop, evening');
});

test('a file of several runs is imported; what compares with nothing else is remarked', async ({
  launch,
  fakeApp,
}) => {
  const folder = newFolder('import');
  const file = join(folder, 'night.log');
  writeFileSync(file, `${sysbenchText(5)}\n${sysbenchText(3)}`);
  const { app, page } = await launch({ folder: fakeApp });
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await app.evaluate(({ dialog, Menu }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
    const menu = Menu.getApplicationMenu()?.items.find(({ label }) => label === 'File');
    menu?.submenu?.items.find(({ label }) => label === 'Import sysbench output…')?.click();
  }, file);
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Imported: night.log');
  await expect(page.getByRole('region', { name: 'Runs' }).getByRole('row')).toHaveCount(1 + 2);

  await page.getByRole('button', { name: 'Import something else' }).click();
  await app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: ['package.json'] });
  });
  await page.getByRole('button', { name: 'Choose a file…' }).click();
  await expect(page.getByRole('alert')).toContainText("can't be imported as sysbench output");
});
