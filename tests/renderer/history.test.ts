import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { msg } from '../../src/shared/message.ts';
import { homeWithTwo, OTHER_ID, OTHERS, OUR_ID, OURS, storedResult } from '../e2e/support/stored-runs.ts';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t } from '../helpers/words.ts';
import { inside, says, type Within } from './support/finders.ts';
import { openApp, type OpenApp } from './support/open-app.ts';

async function openHistory(home = newFolder()): Promise<OpenApp & { list: Within }> {
  if (!existsSync(join(home, 'runs'))) homeWithTwo(home);
  const app = await openApp({ home });
  await app.press(t('app.history'));
  const list = await app.region(t('history.list'));
  await list.findAllByRole('checkbox');
  return { ...app, list };
}

const shows = ({ list }: { list: Within }, count: number): Promise<void> =>
  waitFor(() => expect(list.queryAllByRole('checkbox')).toHaveLength(count));
const rowOf = ({ list }: { list: Within }, name: string): Within => {
  const row = list.getByRole('button', { name: pattern('history.open', { name }) }).closest('li');
  if (row === null) throw new Error(`no row of ${name}`);
  return inside(row);
};

it('runs are searched, named and noted, and the result file stays as it was', async () => {
  const app = await openHistory();
  const { screen, user, press, fill, region, home, list } = app;
  expect(rowOf(app, OTHERS).element).toHaveTextContent('OrbStack 2.0');
  const search = screen.getByRole('searchbox', { name: t('history.search') });
  await fill(search, 'orbstack FAST');
  await shows(app, 1);
  expect(screen.getByText(t('history.shownOf', { shown: 1, count: 2 }))).toBeVisible();
  await fill(search, 'nothing like that');
  await says(list.element, t('history.nothingFound'));
  await press(t('history.clearSearch'));
  await shows(app, 2);

  const result = join(home, 'runs', OUR_ID, 'result.json');
  const before = readFileSync(result);
  await press(pattern('history.actions', { name: OURS }));
  await user.click(screen.getByRole('menuitem', { name: t('history.edit') }));
  const dialog = await region(t('history.dialog.title'), 'dialog');
  await fill(dialog.getByRole('textbox', { name: t('common.name') }), 'Desk, quiet');
  await fill(dialog.getByRole('textbox', { name: t('history.dialog.note') }), 'Fans off.\nWindow open.');
  await press(t('common.save'));
  await waitFor(() => expect(rowOf(app, 'Desk, quiet').element).toHaveTextContent('Window open.'));
  expect(readFileSync(result)).toEqual(before);

  await app.close();
  const again = await openHistory(home);
  expect(rowOf(again, 'Desk, quiet').element).toHaveTextContent('Fans off.');
  await again.fill(again.screen.getByRole('searchbox'), 'window OPEN');
  await shows(again, 1);
});

it('a run is moved to the trash by keyboard, or deleted for good where there is none', async () => {
  const app = await openHistory();
  const { screen, user, button, region, home, list, desktop } = app;
  const remove = async (name: string): Promise<void> => {
    (await button(pattern('history.actions', { name }))).focus();
    await user.keyboard('{Enter}{End}{Enter}');
  };
  await remove(OTHERS);
  await shows(app, 1);
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(desktop.trashed).toEqual([join(home, 'runs', OTHER_ID)]);

  desktop.hasTrash = false;
  const title = t('history.deleteTitle', { name: OURS });
  await remove(OURS);
  await user.click((await region(title, 'dialog')).getByRole('button', { name: t('common.cancel') }));
  expect(existsSync(join(home, 'runs', OUR_ID, 'result.json'))).toBe(true);
  await remove(OURS);
  await user.click((await region(title, 'dialog')).getByRole('button', { name: t('history.deleteConfirm') }));
  await says(list.element, t('history.none'));
  expect(existsSync(join(home, 'runs', OUR_ID))).toBe(false);
});

it('runs are compared by choice and by what differs, with those of a folder', async () => {
  const app = await openHistory();
  const { screen, user, press, button, region, regionSays, desktop } = app;
  expect(await button(t('history.compare'))).toBeDisabled();
  for (const name of [OURS, OTHERS]) await user.click(rowOf(app, name).getByRole('checkbox'));
  await press(t('history.compare'));
  // Both sides have the same trials.
  await screen.findByRole('heading', { level: 1, name: pattern('compare.sentence.openSpeed') });
  await regionSays(t('compare.warnings'), msg('compareWarning.notInterleaved').text);
  await regionSays(t('compare.differences'), 'OrbStack 2.0');
  expect(screen.getByText(pattern('compare.equal'))).toBeInTheDocument();
  const results = (): Promise<HTMLElement[]> =>
    screen.findAllByRole('button', { name: pattern('compare.remove') });
  expect(await results()).toHaveLength(2);

  const folder = newFolder();
  desktop.toOpen = [folder];
  writeFileSync(join(folder, 'ana.whalemark'), storedResult('20260101-000000-cccc', { name: 'Theirs' }));
  writeFileSync(join(folder, 'package.json'), '{}');
  await press(t('compare.addFolder'));
  await screen.findByText(t('compare.leftOut', { names: 'package.json' }));
  expect((await region(t('compare.strips'))).getAllByRole('rowheader', { name: 'ana' })).toHaveLength(5);
  const [remove] = await results();
  if (remove !== undefined) await user.click(remove);
  await waitFor(async () => expect(await results()).toHaveLength(2));
});
