import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, saveDialogsTo, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

const FAST = { WHALEMARK_FAKE_PACE: '0' };

test('every built-in preset has a card with its question, and says what it repeats', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  const cards = page.getByRole('region', { name: 'Presets' }).getByRole('listitem');
  await expect(cards).toHaveCount(9);
  await expect(cards.filter({ hasText: 'Oracle 2016' })).toContainText(
    'Repeats: MySQL with Docker – Performance characteristics, Oracle',
  );

  await page.getByRole('button', { name: /^Short form Storage options × network/ }).click();
  await expect(page.getByRole('radio', { name: 'Short' })).toBeChecked();
  await expect(page.getByText('Repeats a published experiment')).toBeVisible();
});

test('regimes are groups with a baseline each, and published numbers stand beside the measured ones', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await page.getByRole('button', { name: /^Open Storage options × network/ }).click();
  const planned = page.getByRole('region', { name: 'What will run' });
  await expect(planned.getByText('baseline', { exact: true })).toHaveCount(2);
  await expect(planned.getByText('No mysqld or mariadbd was found')).toHaveCount(2);
  const servers = page.getByRole('region', { name: 'Servers', exact: true });
  await expect(servers).toContainText('256 MiB (11 % of the data)');
  await expect(servers).toContainText('16 GiB');

  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const bars = page.getByRole('region', { name: 'Throughput relative to the baseline' });
  await expect(bars).toContainText('Hollow bars: published by Oracle, MySQL server team blog (2016)');
  await expect(bars).toContainText('Oracle Server X5-2');
  await expect(bars.locator('rect.published')).toHaveCount(12);
  // To the same baseline as the measured one, 11698 / 12201, and told in words to who can't see the bar.
  const slower = bars.getByRole('row', { name: /^named volume × published port/ }).last();
  await expect(slower).toContainText('0.96');
  await expect(slower).toContainText('Docker volume, bridge network');
  await expect(slower).toContainText('256 GB RAM');

  const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
  await expect(numbers.getByRole('columnheader', { name: 'Published TPS' })).toBeVisible();
  await expect(numbers).toContainText('11,698');
  await page.getByRole('heading', { name: 'Where each datadir is' }).click();
  await expect(page.getByRole('group', { name: 'Where each datadir is' })).toContainText('ext4');
});

test('a ramp is compared level by level, and drawn with its knees', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await page.getByRole('button', { name: 'Open Thread ramp' }).click();
  const planned = page.getByRole('region', { name: 'What will run' });
  await expect(planned.getByText('compared with named volume × container IP')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Data and load' })).toContainText('1, 4, 16');
  await page.getByRole('button', { name: 'Start', exact: true }).click();

  const ramp = page.getByRole('region', { name: 'Throughput and latency by connections' });
  const words = ramp.getByRole('list').getByRole('listitem');
  await expect(words).toHaveText([
    'named volume × container IP: knee at 4 connections (in 3 of 3 rounds)',
    'named volume × published port: no knee up to 16 connections (in 3 of 3 rounds)',
  ]);
  await expect(
    ramp.getByRole('img', { name: /^Transactions per second.* knee at 4 connections/ }),
  ).toBeVisible();
  await expect(ramp.getByRole('img', { name: /^95th percentile latency/ })).toBeVisible();
  await ramp.getByText('Show the numbers').click();
  await expect(ramp.getByRole('row')).toHaveCount(1 + 2 * (1 + 3));
  await expect(ramp.getByRole('row', { name: /knee$/ })).toHaveCount(1 + 1);

  const bars = page.getByRole('region', { name: 'Throughput relative to the baseline' });
  await expect(bars.getByText('compared with named volume × container IP')).toHaveCount(3);
  const overTime = page.getByRole('region', { name: 'Over time' });
  await overTime.getByRole('radio', { name: '16 connections' }).check();
  await expect(overTime.getByRole('button', { name: 'named volume × published port' })).toHaveCount(1);
});

test('what a run does beyond measuring needs consent before it starts; TPC-C has its own rates', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await page.getByRole('button', { name: 'Open Overlay network' }).click();
  const start = page.getByRole('button', { name: 'Start', exact: true });
  const agreement = page.getByRole('group', { name: 'Your agreement is needed' });
  await expect(agreement).toContainText('swarm');
  await expect(start).toBeDisabled();
  await expect(start).toHaveAccessibleDescription('Start waits for your agreement below.');
  await agreement.getByRole('checkbox').check();
  await expect(start).toBeEnabled();
  await start.click();

  const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
  for (const column of ['New orders/min', 'Transactions/min', 'Intended rollbacks', 'Errors']) {
    await expect(numbers.getByRole('columnheader', { name: column })).toBeVisible();
  }
  await expect(numbers).toContainText('do not compare with published tpmC');
  await expect(numbers.getByRole('row', { name: /overlay network, sysbench/ })).toBeVisible();
  await expect(numbers.getByRole('row', { name: /overlay network, node/ })).toBeVisible();
});

test('a preset that needs the user’s own values leads to a copy that can be filled in', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await page.getByRole('button', { name: 'Open NFS or local disk' }).click();
  await expect(page.getByRole('alert')).toContainText('NFS server');
  await page.getByRole('button', { name: 'Make a copy of my own and edit it' }).click();
  await expect(page.getByRole('textbox', { name: 'Text of the preset' })).toHaveValue(
    /id: nfs-vs-local-copy/,
  );
});

test('a preset is duplicated, edited, refused while it is wrong, saved, exported and deleted', async ({
  launch,
  fakeApp,
}) => {
  const folder = newFolder('preset');
  const { app, page } = await launch({ folder: fakeApp, env: FAST });
  // With the keyboard alone.
  await page.getByRole('button', { name: 'More for Compare my setup' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeFocused();
  await page.keyboard.press('Enter');

  const text = page.getByRole('textbox', { name: 'Text of the preset' });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await expect(text).toHaveValue(/id: compare-my-setup-copy/);
  await expect(page.getByText('The preset is sound.')).toBeVisible();
  const sound = await text.inputValue();

  await text.fill(sound.replace('connections: 8', 'connections: many'));
  await expect(save).toBeDisabled();
  await expect(save).toHaveAccessibleDescription(/^1 problem/);
  await page.getByRole('button', { name: /^Go to line/ }).click();
  const selected = await text.evaluate((area) => {
    const { value, selectionStart, selectionEnd } = area as unknown as {
      value: string;
      selectionStart: number;
      selectionEnd: number;
    };
    return value.slice(selectionStart, selectionEnd);
  });
  expect(selected).toBe('connections: many');

  await text.fill(sound.replace(/^id: .*$/m, 'id: compare-my-setup'));
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('compare-my-setup');
  await expect(save).toBeDisabled();

  await text.fill(sound.replace(/^name: .*$/m, 'name: My own comparison'));
  await expect(save).toBeEnabled();
  await save.click();
  await expect(page.getByText('Saved.')).toBeVisible();

  await page.getByRole('button', { name: 'Whalemark' }).click();
  const yours = page.getByRole('region', { name: 'Yours', exact: true });
  const card = yours.getByRole('listitem', { name: 'My own comparison' });
  await expect(card).toBeVisible();

  await saveDialogsTo(app, folder);
  await page.getByRole('button', { name: 'More for My own comparison' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await expect(page.getByText('Saved as compare-my-setup-copy.yaml.')).toBeVisible();
  const exported = join(folder, 'compare-my-setup-copy.yaml');
  expect(readFileSync(exported, 'utf8')).toContain('name: My own comparison');

  await page.getByRole('button', { name: 'More for My own comparison' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(card).toHaveCount(0);

  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, exported);
  await page.getByRole('button', { name: 'Import a preset…' }).click();
  await expect(card).toBeVisible();
});

test('a broken preset of the user’s is shown with what is wrong, and can be put right', async ({
  launch,
  fakeApp,
}) => {
  const folder = newFolder('preset');
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, 'whalemark: 1\nid: mine\nname: Mine\n');
  const first = await launch({ folder: fakeApp, env: FAST });
  await first.app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
  }, file);
  await first.page.getByRole('button', { name: 'Import a preset…' }).click();
  // A broken file is refused; one that breaks in the folder itself is listed.
  await expect(first.page.getByRole('alert')).toContainText('mine');
  mkdirSync(join(first.home, 'presets'), { recursive: true });
  copyFileSync(file, join(first.home, 'presets', 'mine.yaml'));
  await first.app.close();

  const { page } = await launch({ folder: fakeApp, env: FAST, home: first.home });
  const card = page.getByRole('listitem', { name: 'mine.yaml' });
  await expect(card).toContainText('can’t be used');
  await expect(card).toContainText('question');
  await card.getByRole('button', { name: 'Edit mine.yaml' }).click();
  await expect(page.getByText(/problems?: .*before the preset can be saved/)).toBeVisible();
});
