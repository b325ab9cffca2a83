import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { ENGINE, expect, test } from './support/app.ts';
import { newFolder } from './support/folders.ts';

/*
 * The history with the real core, and no engine: results that lie in the data folder. Only a repeated run needs the fake.
 */

const SAMPLE = join(import.meta.dirname, '../fixtures/results/sample-result.json');
const OLD = '20260601-093000-aaaa';
const NEW = '20260602-093000-bbbb';

interface Changes {
  name?: string;
  runtime?: string;
  startedAt?: number;
}

/** The sample run under another id, and what else is changed. */
function result(runId: string, { name, runtime, startedAt }: Changes = {}): string {
  const text = readFileSync(SAMPLE, 'utf8').replaceAll('20260601-093000-a1b2', runId);
  const file = JSON.parse(text) as {
    state: {
      startedAt: number;
      plan: { preset: { name: string }; passport: { runtime: { name: string; vm: boolean } } };
    };
  };
  if (startedAt !== undefined) file.state.startedAt = startedAt;
  if (name !== undefined) file.state.plan.preset.name = name;
  if (runtime !== undefined) Object.assign(file.state.plan.passport.runtime, { name: runtime, vm: true });
  return JSON.stringify(file);
}

function store(home: string, runId: string, changes: Changes = {}): void {
  mkdirSync(join(home, 'runs', runId), { recursive: true });
  writeFileSync(join(home, 'runs', runId, 'result.json'), result(runId, changes));
}

/** A data folder with two runs, the newer one of another machine. */
function homeWithTwo(): string {
  const home = newFolder('history');
  store(home, OLD, { name: 'Storage on the desk' });
  store(home, NEW, { name: 'On the train', runtime: 'OrbStack 2.0', startedAt: Date.UTC(2026, 5, 2) });
  return home;
}

async function violations(page: Page): Promise<string[]> {
  // The other mode opens a second page, which the app forbids.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

async function openHistory(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'History', exact: true }).click();
  const list = page.getByRole('region', { name: 'Results' });
  await expect(list.getByRole('checkbox').first()).toBeVisible();
  return list;
}

/** Answers the dialog for a file to open. */
async function chooseFile(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);
}

const row = (list: Locator, name: string): Locator =>
  list.getByRole('listitem').filter({ has: list.page().getByRole('button', { name: `Open ${name}` }) });

test(
  'runs are searched, named, tagged and noted, and the result file stays as it was',
  { tag: ENGINE },
  async ({ launch }) => {
    const home = homeWithTwo();
    const { page, app } = await launch({ home });
    const list = await openHistory(page);
    await expect(list.getByRole('button', { name: /^Open / }).first()).toContainText('On the train');
    await expect(row(list, 'On the train')).toContainText('slower than named volume');
    await expect(row(list, 'On the train')).toContainText('OrbStack 2.0 · virtual machine');

    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill('orbstack SLOWER');
    await expect(list.getByRole('checkbox')).toHaveCount(1);
    await expect(page.getByText('1 of 2 results')).toBeVisible();
    await search.fill('nothing like that');
    await expect(list).toContainText('Nothing here matches');
    await list.getByRole('button', { name: 'Clear search and filter' }).click();
    await expect(list.getByRole('checkbox')).toHaveCount(2);

    const before = readFileSync(join(home, 'runs', OLD, 'result.json'));
    await row(list, 'Storage on the desk')
      .getByRole('button', { name: /^More for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Name, tags and note…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Name, tags and note' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Desk, quiet');
    await dialog.getByRole('textbox', { name: 'Tags' }).fill('nfs, desk，nfs');
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Fans off.\nWindow open.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(row(list, 'Desk, quiet')).toContainText('Window open.');
    await page.getByRole('group', { name: 'Filter by tag' }).getByRole('button', { name: 'desk' }).click();
    await expect(list.getByRole('checkbox')).toHaveCount(1);
    expect(readFileSync(join(home, 'runs', OLD, 'result.json'))).toEqual(before);
    await app.close();

    const again = await launch({ home });
    const kept = await openHistory(again.page);
    await expect(row(kept, 'Desk, quiet')).toContainText('Fans off.');
    await again.page.getByRole('searchbox').fill('window OPEN');
    await expect(kept.getByRole('checkbox')).toHaveCount(1);
  },
);

test(
  'a deleted run can be had back by keyboard, until nobody wants it or the app starts again',
  { tag: ENGINE },
  async ({ launch }) => {
    const home = homeWithTwo();
    const { page, app } = await launch({ home });
    const list = await openHistory(page);
    const remove = async (name: string): Promise<void> => {
      await row(list, name)
        .getByRole('button', { name: /^More for/ })
        .focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
    };
    await remove('On the train');
    const undo = page.getByRole('button', { name: 'Undo' });
    await expect(undo).toBeFocused();
    await expect(list.getByRole('checkbox')).toHaveCount(1);
    expect(existsSync(join(home, 'runs', NEW))).toBe(false);
    await page.keyboard.press('Enter');
    await expect(list.getByRole('checkbox')).toHaveCount(2);
    await expect(undo).toBeHidden();
    expect(existsSync(join(home, 'runs', NEW, 'result.json'))).toBe(true);

    await remove('On the train');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => existsSync(join(home, 'trash', NEW))).toBe(false);
    await remove('Storage on the desk');
    await expect(undo).toBeVisible();
    expect(existsSync(join(home, 'trash', OLD))).toBe(true);
    await app.close();
    const again = await launch({ home });
    await again.page.getByRole('button', { name: 'History', exact: true }).click();
    await expect(again.page.getByRole('region', { name: 'Results' })).toContainText('Nothing yet');
    expect(existsSync(join(home, 'trash'))).toBe(false);
  },
);

test(
  'two runs of different machines are compared: what differs first, then changes; and copied',
  { tag: ENGINE },
  async ({ launch }) => {
    const { page, app } = await launch({ home: homeWithTwo() });
    const list = await openHistory(page);
    const compare = page.getByRole('group', { name: 'Compare' }).getByRole('button', { name: 'Compare' });
    await expect(compare).toBeDisabled();
    await row(list, 'Storage on the desk').getByRole('checkbox').check();
    await row(list, 'On the train').getByRole('checkbox').check();
    await compare.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare 2 runs');
    await expect(page.getByRole('region', { name: 'Before you compare numbers' })).toContainText(
      'not interleaved',
    );
    const differences = page.getByRole('region', { name: 'What differs' });
    await expect(differences.getByRole('row', { name: /^Runtime/ }).last()).toContainText('OrbStack 2.0');
    await expect(differences.getByText(/conditions that are the same/)).toBeVisible();
    const numbers = page.getByRole('region', { name: 'Numbers', exact: true });
    // The same trials on both sides: every ratio is what it was.
    await expect(numbers.getByText(/^1\.00 \(0\.\d\d–1\.\d\d\)$/).first()).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Ratio to the own baseline' }).getByRole('row'),
    ).toHaveCount(1 + 2 * 9);

    await page.getByRole('button', { name: 'Copy as a table' }).click();
    await expect(page.getByText('Copied.')).toBeVisible();
    const copied = await app.evaluate(({ clipboard }) => clipboard.readText());
    expect(copied.split('\n')[0]).toBe('The runs\tA: Storage on the desk\tB: On the train');

    await page.getByRole('button', { name: 'Compare with this one' }).click();
    await expect(page.getByRole('region', { name: 'The runs' }).getByRole('listitem').first()).toContainText(
      'On the train',
    );

    const third = join(newFolder('shared'), 'theirs.json');
    writeFileSync(third, result('20260101-000000-cccc', { name: 'Theirs' }));
    await chooseFile(app, third);
    await page.getByRole('button', { name: 'Add a result file…' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare 3 runs');
    await page.getByRole('button', { name: /^Leave out A/ }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare 2 runs');
  },
);

test(
  'a result from a file can be kept, and is known as somebody else’s',
  { tag: ENGINE },
  async ({ launch }) => {
    const folder = newFolder('shared');
    const file = join(folder, 'theirs.json');
    writeFileSync(file, result('20260101-000000-cccc', { name: 'Theirs' }));
    const home = homeWithTwo();
    const { page, app } = await launch({ home });
    const list = await openHistory(page);
    await chooseFile(app, file);
    await page.getByRole('button', { name: 'Open a result file…' }).click();
    const offer = page.getByRole('region', { name: 'A result from a file' });
    await offer.getByRole('button', { name: 'Keep in history' }).click();
    await expect(offer).toContainText('Kept in history.');
    await openHistory(page);
    await expect(row(list, 'Theirs')).toContainText('opened from a file');
    // One of ours is not offered to be kept.
    await row(list, 'On the train').getByRole('button', { name: /^Open/ }).click();
    await expect(page.getByRole('region', { name: 'Numbers', exact: true })).toBeVisible();
    await expect(offer).toBeHidden();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `no accessibility violations in history and compare, ${colorScheme}`,
    { tag: ENGINE },
    async ({ launch }) => {
      const home = homeWithTwo();
      const { page } = await launch({ home });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const list = await openHistory(page);
      await list.getByRole('checkbox').first().check();
      await list.getByRole('checkbox').last().check();
      await row(list, 'On the train')
        .getByRole('button', { name: /^More for/ })
        .click();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('menuitem', { name: 'Name, tags and note…' }).click();
      await page.getByRole('textbox', { name: 'Tags' }).fill('train');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('group', { name: 'Compare' }).getByRole('button', { name: 'Compare' }).click();
      await page.getByText(/conditions that are the same/).click();
      expect(await violations(page)).toEqual([]);

      await openHistory(page);
      await row(list, 'Storage on the desk')
        .getByRole('button', { name: /^More for/ })
        .click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 512, height: 320 });
      const overflow = (): Promise<number> =>
        page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
      expect(await overflow()).toBe(0);
    },
  );
}
