import { waitFor } from '@testing-library/dom';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sysbenchText } from '../e2e/support/sysbench-text.ts';
import { t } from '../helpers/words.ts';
import { newFolder, openApp } from './support/open-app.ts';

it('pasted sysbench output becomes a table and a chart, and stays in the list', async () => {
  const { press, button, screen, fill, region, user } = await openApp();
  await press(t('home.importSysbench'));
  const parse = await button(t('imports.parse'));
  expect(parse).toBeDisabled();

  const text = screen.getByRole('textbox', { name: t('imports.text') });
  await fill(text, 'mysqlslap\nBenchmark of something else');
  await user.click(parse);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'line 1 and the lines below it aren’t sysbench output',
  );

  const name = 'Laptop, evening';
  await fill(screen.getByRole('textbox', { name: t('imports.name') }), name);
  await fill(text, sysbenchText());
  await user.click(parse);
  const title = { level: 1, name: t('imports.titleOf', { name }) };
  await screen.findByRole('heading', title);
  const row = (await region(t('imports.runs'))).getAllByRole('row').at(-1);
  for (const value of ['500', '10,000', '16.0 ms', 'p99: 31.9 ms', '10 s', '1.0.20'])
    expect(row).toHaveTextContent(value);
  expect((await region(t('imports.remarks'))).getAllByRole('listitem')).not.toHaveLength(0);
  expect(screen.getByRole('img', { name: new RegExp(`^${t('imports.chart')}.*500`) })).toBeInTheDocument();
  await user.click(screen.getByText(t('charts.showTable')));
  const table = await region(t('imports.chart'), 'group');
  expect(table.getAllByRole('row')).toHaveLength(11);

  await press(t('app.name'));
  const recent = await region(t('recent.title'));
  await waitFor(() => expect(recent.element).toHaveTextContent(t('recent.imported')));
  await user.click(recent.getByRole('button', { name: t('recent.openImport', { name }) }));
  await screen.findByRole('heading', title);
});

it('a file of several runs is imported; what compares with nothing else is remarked', async () => {
  const file = join(newFolder(), 'night.log');
  writeFileSync(file, `${sysbenchText(5)}\n${sysbenchText(3)}`);
  const { tell, desktop, press, screen, region } = await openApp();
  tell({ type: 'command', command: 'import-sysbench' });
  desktop.toOpen = [file, 'package.json'];
  await press(t('imports.chooseFile'));
  await screen.findByRole('heading', { level: 1, name: t('imports.titleOf', { name: 'night.log' }) });
  expect((await region(t('imports.runs'))).getAllByRole('row')).toHaveLength(1 + 2);

  await press(t('imports.back'));
  await press(t('imports.chooseFile'));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'line 1 and the lines below it aren’t sysbench output',
  );
});
