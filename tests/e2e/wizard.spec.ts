import AxeBuilder from '@axe-core/playwright';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { ENGINE, expect, saveDialogsTo, test } from './support/app.ts';
import { resourcesOf } from './support/docker.ts';
import { newFolder } from './support/folders.ts';

const FAST = { WHALEMARK_FAKE_PACE: '0' };
const STEPS = ['Server', 'Storage', 'Network', 'Workload', 'Schedule', 'Review'] as const;

async function openWizard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New comparison' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
}
async function goTo(page: Page, step: (typeof STEPS)[number]): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Steps' })
    .getByRole('button', { name: new RegExp(`^\\W*\\d*\\s*${step}`) })
    .click();
  await expect(page.getByRole('heading', { level: 2, name: step, exact: true })).toBeFocused();
}
const panel = (page: Page) => page.getByRole('complementary', { name: 'Your plan so far' });
const yaml = (page: Page) => page.getByRole('textbox', { name: 'Text of the preset' });

/** A file dropped onto the window, as the page sees it. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const { DataTransfer: Transfer, File: OwnFile } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: string[], name: string) => unknown;
      };
      const transfer = new Transfer();
      transfer.items.add(new OwnFile([content ?? ''], fileName ?? ''));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

test('from nothing to a result on the real engine', { tag: ENGINE }, async ({ launch }) => {
  test.setTimeout(420_000);
  const { page, home } = await launch();
  await openWizard(page);
  await expect(panel(page)).toContainText('Takes about', { timeout: 60_000 });
  await goTo(page, 'Storage');
  await page.getByRole('checkbox', { name: 'Bind mount' }).uncheck();
  await goTo(page, 'Network');
  await page.getByRole('checkbox', { name: 'Host network', exact: true }).check();
  await goTo(page, 'Workload');
  await page.getByRole('radio', { name: 'oltp_point_select' }).check();
  await page.getByLabel('Tables', { exact: true }).fill('1');
  await page.getByLabel('Rows of each table').fill('1000');
  await page.getByLabel('Connections (threads)').fill('2');
  await goTo(page, 'Schedule');
  await page.getByLabel('Rounds', { exact: true }).fill('2');
  await page.getByLabel('Warm-up').fill('0');
  await page.getByLabel('Measured').fill('2');
  await page.getByRole('checkbox', { name: 'Noise check' }).uncheck();
  await expect(panel(page)).toContainText('2 rounds give no useful interval');
  await goTo(page, 'Review');
  await expect(yaml(page)).toHaveValue(/kind: oltp_point_select/);
  await expect(panel(page).getByText('Scenarios').locator('..')).toContainText('2');
  await page.getByRole('button', { name: 'Show its plan' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My comparison' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What will run' }).getByRole('row')).toHaveCount(1 + 2);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
  await expect(numbers).toBeVisible({ timeout: 300_000 });
  await expect(numbers.getByRole('row')).toHaveCount(1 + 2);
  await expect(numbers.getByRole('row').nth(1)).toContainText(/\d{3}/);
  expect(resourcesOf(home)).toEqual([]);
  // Nothing was kept but the result; the draft is still there.
  expect(existsSync(join(home, 'presets'))).toBe(false);
  await page.getByRole('button', { name: 'New comparison' }).click();
  await expect(yaml(page)).toHaveValue(/kind: oltp_point_select/);
});

test('by keyboard alone to a plan', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  const press = async (key: string, times = 1): Promise<void> => {
    for (let count = 0; count < times; count++) await page.keyboard.press(key);
  };
  const tabTo = async (name: string | RegExp, role: 'button' | 'checkbox' | 'radio'): Promise<void> => {
    const wanted = page.getByRole(role, { name, exact: true });
    for (let count = 0; count < 80; count++) {
      await press('Tab');
      if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    }
    throw new Error(`${String(name)} can't be reached with the Tab key`);
  };
  await expect(page.getByRole('button', { name: 'Compare my setup', exact: true })).toBeEnabled();
  await tabTo('New comparison', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
  await tabTo('Next: Storage', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'Storage' })).toBeFocused();
  await tabTo('tmpfs', 'checkbox');
  await press('Space');
  await tabTo('Next: Network', 'button');
  await press('Enter');
  await tabTo('User-defined bridge', 'checkbox');
  await press('Space');
  await tabTo('tmpfs × User-defined bridge', 'checkbox');
  await press('Space');
  await tabTo('Next: Workload', 'button');
  await press('Enter');
  await tabTo('oltp_read_write', 'radio');
  await press('ArrowDown');
  await expect(page.getByRole('radio', { name: 'oltp_read_only' })).toBeChecked();
  await tabTo('Next: Schedule', 'button');
  await press('Enter');
  await tabTo('Next: Review', 'button');
  await press('Enter');
  await expect(yaml(page)).toHaveValue(/oltp_read_only/);
  await tabTo('Show its plan', 'button');
  await press('Enter');
  const planned = page.getByRole('region', { name: 'What will run' });
  // Three storages by two paths without one, and the noise check.
  await expect(planned.getByRole('row')).toHaveCount(1 + 5 + 1);
  await tabTo('Back', 'button');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'New comparison' })).toBeFocused();
});

test('what this runtime can’t do is grey and says why; the table keeps its baseline', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: { ...FAST, WHALEMARK_FAKE: 'troubled' } });
  await openWizard(page);
  const native = page.getByRole('checkbox', { name: 'Native server' });
  await expect(native).toBeDisabled();
  await expect(native).toHaveAccessibleDescription(/No mysqld or mariadbd/);
  await goTo(page, 'Network');
  const host = page.getByRole('checkbox', { name: 'Host network', exact: true });
  await expect(host).toBeDisabled();
  await expect(host).toHaveAccessibleDescription(/Host networking is off in Docker Desktop/);

  await page.getByRole('checkbox', { name: 'Ingress' }).check();
  await page.getByRole('checkbox', { name: 'User-defined bridge' }).check();
  const table = page.getByRole('region', { name: 'What is measured' });
  await table.getByRole('radio', { name: 'Baseline: Bind mount × User-defined bridge' }).check();
  await table.getByRole('button', { name: 'All paths with Named volume' }).click();
  await expect(table.getByRole('checkbox', { name: /^Named volume/, checked: true })).toHaveCount(0);
  await goTo(page, 'Review');
  await expect(yaml(page)).toHaveValue(/baseline: bind-mount\.user-bridge/);
  await expect(yaml(page)).toHaveValue(/storages: \[ bind-mount \]/);
});

test('a contradiction is said at once, and a click solves it', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await openWizard(page);
  await goTo(page, 'Schedule');
  await page.getByRole('checkbox', { name: 'Fixed rate' }).check();
  await page.getByRole('checkbox', { name: 'Thread ramp' }).check();
  const problems = panel(page).getByRole('list', { name: 'To be solved, or thought over' });
  await expect(problems).toContainText('A fixed rate and a thread ramp contradict each other');
  await expect(page.getByRole('button', { name: /Schedule \(to be solved\)/ })).toBeVisible();
  await goTo(page, 'Review');
  await expect(page.getByRole('button', { name: 'Show its plan' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save as preset' })).toBeDisabled();
  await problems.getByRole('button', { name: 'Go to Schedule' }).click();
  await problems.getByRole('button', { name: 'No fixed rate' }).click();
  await expect(problems).toBeHidden();
  await expect(page.getByRole('checkbox', { name: 'Fixed rate' })).not.toBeChecked();
  await expect(panel(page)).toContainText('Takes about');

  await page.getByLabel('Numbers of connections').fill('4, 2');
  await page.keyboard.press('Tab');
  await expect(problems).toContainText('each larger than the one before');
});

test('YAML and form follow each other; the draft is saved, found on home, and edited in the wizard again', async ({
  launch,
  fakeApp,
}) => {
  const folder = newFolder('wizard');
  const { app, page } = await launch({ folder: fakeApp, env: FAST });
  await openWizard(page);
  await goTo(page, 'Review');
  await page.getByLabel('Name', { exact: true }).fill('My disks');
  await expect(yaml(page)).toHaveValue(/id: my-disks\nname: My disks/);
  const text = await yaml(page).inputValue();
  await yaml(page).fill(`${text.replace('connections: 8', 'connections: 24 # as ours')}seed: 7\n`);
  await expect(page.getByText('Kept as they are, though the form doesn’t show them: seed.')).toBeVisible();
  await goTo(page, 'Workload');
  await expect(page.getByLabel('Connections (threads)')).toHaveValue('24');
  await page.getByLabel('Connections (threads)').fill('12');
  await goTo(page, 'Review');
  await expect(yaml(page)).toHaveValue(/connections: 12 # as ours/);

  await yaml(page).fill('name: [');
  await expect(page.getByRole('button', { name: /^Go to line/ }).first()).toBeVisible();
  await goTo(page, 'Workload');
  await expect(page.getByText(/The YAML can’t be read at line/)).toBeVisible();
  await expect(page.getByLabel('Connections (threads)')).toBeDisabled();
  await goTo(page, 'Review');
  await yaml(page).fill(`${text}seed: 7\n`);

  await page.getByRole('button', { name: 'Save as preset' }).click();
  await expect(page.getByText('Saved. It is among the presets on the home screen.')).toBeVisible();
  await saveDialogsTo(app, folder);
  await page.getByRole('button', { name: 'Export…' }).click();
  await expect(page.getByText('Saved as my-disks.yaml.')).toBeVisible();
  expect(readFileSync(join(folder, 'my-disks.yaml'), 'utf8')).toContain('seed: 7');

  await page.getByRole('button', { name: 'Whalemark' }).click();
  const yours = page.getByRole('region', { name: 'Yours', exact: true });
  await expect(yours.getByRole('listitem', { name: 'My disks' })).toBeVisible();
  await page.getByRole('button', { name: 'More for My disks' }).click();
  await page.getByRole('menuitem', { name: 'Edit in the wizard' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edit “My disks”' })).toBeFocused();
  await page.getByRole('radio', { name: 'MariaDB 11.8' }).check();
  await goTo(page, 'Review');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. It is among')).toBeVisible();
  await expect(yaml(page)).toHaveValue(/image: mariadb:11\.8[\s\S]*seed: 7/);
});

test('a preset file dropped onto the window is kept; in the wizard it becomes the draft, and what it or a new one took the place of comes back', async ({
  launch,
  fakeApp,
}) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  const text = readFileSync('presets/compare-my-setup.yaml', 'utf8')
    .replace('id: compare-my-setup', 'id: dropped')
    .replace('name: Compare my setup', 'name: Dropped one');
  await drop(page, 'mine.yaml', text);
  await expect(page.getByRole('listitem', { name: 'Dropped one' })).toBeVisible();
  await expect(page.getByText('mine.yaml is among your presets now.')).toBeVisible();
  await drop(page, 'broken.yaml', 'whalemark: 1\nid: broken\n');
  await expect(page.getByRole('alert')).toContainText('broken');
  await drop(page, 'run.json', '{}');
  await expect(page.getByRole('alert')).toContainText('run.json is not a readable result file');
  await drop(page, 'notes.txt', 'nothing');
  await expect(page.getByText('notes.txt is neither a preset')).toBeVisible();

  await openWizard(page);
  await goTo(page, 'Review');
  await page.getByLabel('Name', { exact: true }).fill('Half done');
  await drop(
    page,
    'other.yaml',
    text.replace('id: dropped', 'id: other').replace('Dropped one', 'Other one'),
  );
  await expect(page.getByText('other.yaml is in the form now.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Other one');
  await page.getByRole('button', { name: 'Back to the draft before' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half done');

  // Starting anew can be taken back, also when it was clicked twice.
  await page.getByRole('button', { name: 'Start anew' }).click();
  await page.getByRole('button', { name: 'Start anew' }).click();
  await goTo(page, 'Review');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('My comparison');
  await page.getByRole('button', { name: 'Back to the draft before' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Half done');
  await expect(page.getByRole('button', { name: 'Back to the draft before' })).toBeHidden();
});

test('a result dropped onto the window is shown, and can be kept', async ({ launch, fakeApp }) => {
  const { page, home } = await launch({ folder: fakeApp, env: FAST });
  // Of another id than the run that the fake core has from the start.
  const runId = '20260601-093000-drop';
  const text = readFileSync('tests/fixtures/results/sample-result.json', 'utf8').replaceAll(
    '20260601-093000-a1b2',
    runId,
  );
  await drop(page, 'sample.whalemark', text);
  await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Keep in history' }).click();
  await expect(page.getByText('Kept in history.')).toBeVisible();
  expect(readFileSync(join(home, 'runs', runId, 'result.json'), 'utf8')).toBe(text);
});

test('the plan screen gives any preset a rate or a ramp, not both', async ({ launch, fakeApp }) => {
  const { page } = await launch({ folder: fakeApp, env: FAST });
  await page.getByRole('button', { name: 'Compare my setup', exact: true }).click();
  const rate = page.getByRole('checkbox', { name: 'Fixed rate' });
  const ramp = page.getByRole('checkbox', { name: 'Thread ramp' });
  await ramp.check();
  await expect(page.getByRole('region', { name: 'Data and load' })).toContainText('1, 2, 4, 8, 16');
  await expect(rate).toBeDisabled();
  await expect(rate).toHaveAccessibleDescription(/^Not with a ramp/);
  await ramp.uncheck();
  await rate.check();
  await expect(page.getByRole('region', { name: 'Data and load' })).toContainText('100');
  await expect(ramp).toBeDisabled();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no accessibility violations in any step, ${colorScheme}`, async ({ launch, fakeApp }) => {
    const { page } = await launch({ folder: fakeApp, env: { ...FAST, WHALEMARK_FAKE: 'troubled' } });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openWizard(page);
    await expect(panel(page)).toContainText('Takes about');
    for (const step of STEPS) {
      await goTo(page, step);
      if (step === 'Storage') await page.getByRole('button', { name: 'Add NFS' }).click();
      if (step === 'Network') await page.getByRole('checkbox', { name: 'Ingress' }).check();
      // The other mode opens a second page, which the app forbids.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
      expect(
        violations.map(({ id, nodes }) => `${step} ${id}: ${nodes.map(({ html }) => html).join(', ')}`),
      ).toEqual([]);
    }
  });
}
