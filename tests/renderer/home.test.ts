import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { createTranslator, ENGLISH } from '../../src/shared/words/i18n.ts';
import { homeWithTwo, OTHERS } from '../e2e/support/stored-runs.ts';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t, type UiKey } from '../helpers/words.ts';
import { says } from './support/finders.ts';
import { openApp, type AppOptions } from './support/open-app.ts';

const STATES: Record<string, { options: AppOptions; shown: string; buttons: UiKey[]; none: UiKey[] }> = {
  'without an engine, the guide instead of what can’t start': {
    options: { story: 'no-runtime', looksWithout: 1000 },
    shown: t('guide.notInstalled.title'),
    buttons: ['home.lookAgain', 'example.open'],
    none: ['plan.start', 'home.options', 'database.open'],
  },
  'while it searches': {
    options: { searches: true },
    shown: t('home.looking'),
    buttons: ['plan.start'],
    none: ['database.open', 'home.lookAgain'],
  },
  'ready, with one button, and no list of engines': {
    options: {},
    shown: t('database.title'),
    buttons: ['plan.start', 'home.options', 'database.open'],
    none: ['home.review', 'home.lookAgain'],
  },
};

it.each(Object.entries(STATES))('home %s', async (_, { options, shown, buttons, none }) => {
  const { button, screen } = await openApp(options);
  await screen.findByText(shown);
  for (const name of buttons) await button(t(name));
  for (const name of none) expect(screen.queryByRole('button', { name: t(name) })).toBeNull();
  // The length is chosen in the plan.
  expect(screen.queryByRole('radio')).toBeNull();
});

it('home starts the run that it describes, and plans again after it', async () => {
  const { button, region, press, screen } = await openApp();
  const start = await button(t('plan.start'));
  await waitFor(() => expect(start).toBeEnabled());
  expect(start).toHaveAccessibleDescription(
    expect.stringContaining(`${t('home.storages', { count: 3 })} × ${t('home.paths', { count: 3 })}`),
  );
  expect(start).toHaveAccessibleDescription(/11 min.*MySQL 8\.4\.5 .*GiB/);
  await press(t('plan.start'));
  // The run starts without the plan's screen.
  await region(t('result.numbers'));
  await button(t('result.again'));

  await press(t('app.home'));
  await press(t('plan.start'));
  await region(t('result.numbers'));
  await press(t('app.home'));
  const recent = await region(t('recent.title'));
  await waitFor(() => expect(recent.getAllByRole('listitem')).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a large download is shown before anything starts; what needs no decision is a line', async () => {
  const { button, screen, press } = await openApp({ story: 'troubled' });
  await screen.findByText(t('result.notes', { count: 1 }));
  const review = await button(t('home.review'));
  await button(t('home.options'));
  expect(screen.queryByRole('button', { name: t('plan.start') })).toBeNull();
  await waitFor(() =>
    expect(review).toHaveAccessibleDescription(new RegExp(t('home.download', { size: '562 MiB' }))),
  );
  expect(review).not.toHaveAccessibleDescription(/whalemark-test/);
  const note = screen.getByText(/whalemark-test\/mysql:debian-sid.* is used instead/);
  expect(note.closest('details')).not.toHaveAttribute('open');
  await press(t('home.review'));
  await screen.findByRole('region', { name: t('plan.notices') });
  expect(await button(t('plan.start'))).toBeEnabled();
  expect(screen.queryByRole('button', { name: t('live.stop') })).toBeNull();
});

it('a run on battery is not started from home without its plan', async () => {
  const { button, tell, press, screen } = await openApp();
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
  tell({ type: 'power', onBattery: true });
  await press(t('home.review'));
  await screen.findByText(t('live.battery'));
});

it('home shows what each run found about each factor, and opens it', async () => {
  const { region, screen, press, user } = await openApp();
  const recent = await region(t('recent.title'));
  const entry = await recent.findByRole('button', { name: pattern('recent.open') });
  for (const factor of ['storage', 'path'] as const) {
    const name = createTranslator('en')(`report:effects.factor.${factor}`);
    expect(entry).toHaveAccessibleName(new RegExp(`${name}: .* as fast as`));
  }
  const headline = /as fast as named volume/;
  await user.click(entry);
  expect(await screen.findByRole('heading', { level: 1, name: headline })).toBeInTheDocument();

  await press(t('app.home'));
  await press(t('recent.all'));
  await screen.findByRole('heading', { level: 1, name: t('app.history') });
});

it('presets are in one fold and in groups, each with the question it answers', async () => {
  const { region, screen } = await openApp();
  const storage = await region(ENGLISH('report:effects.factor.storage'));
  await says(storage.element, 'Can I keep MySQL');
  const folded = storage.element.closest('details');
  expect(folded).not.toHaveAttribute('open');
  for (const group of ['start', 'published'] as const) await region(t(`presets.group.${group}`));
  await region(ENGLISH('report:effects.factor.path'));
  expect(screen.queryByRole('region', { name: t('presets.group.yours') })).toBeNull();
});

it('another usable runtime can be chosen', async () => {
  const { regionSays, press, screen } = await openApp({ story: 'two-runtimes' });
  await screen.findByText(t('home.engines', { engines: '2' }));
  await regionSays(t('passport.title'), 'Docker Engine 28.1.1');
  await press(t('runtimes.useLabel', { label: 'colima' }));
  await regionSays(t('passport.title'), 'Colima 0.9');
});

it('results that can’t be read are not shown as none, and home stays usable', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'runs'), 'a file where the folder should be');
  const { button, screen } = await openApp({ home });
  expect(await screen.findByRole('alert')).toHaveTextContent(join(home, 'runs'));
  expect(await button(t('home.options'))).toBeEnabled();
});

it('a run of the terminal is in the history when the user comes back to the window', async () => {
  const { home, press, region } = await openApp();
  await press(t('app.history'));
  const list = await region(t('history.list'));
  homeWithTwo(home);
  window.dispatchEvent(new Event('focus'));
  await says(list.element, OTHERS);
});

it('menu commands lead where they say, and close the dialog over the screen', async () => {
  const { tell, screen, region } = await openApp();
  for (const [command, name] of [
    ['settings', 'app.settings'],
    ['history', 'app.history'],
    ['new-comparison', 'app.newComparison'],
    ['home', 'home.title'],
  ] as const) {
    tell({ type: 'command', command });
    await screen.findByRole('heading', { level: 1, name: t(name) });
  }
  tell({ type: 'command', command: 'method' });
  const { element } = await region(t('method.title'), 'dialog');
  tell({ type: 'command', command: 'about' });
  await region(t('menu.about'), 'dialog');
  expect(element).not.toBeVisible();
});

it('plans a command after the system asked with its words, refuses what needs a shell, and shows its output if it fails', async () => {
  const { user, screen, press, desktop, region, runToResult } = await openApp();
  const field = await screen.findByRole('textbox', { name: t('waits.command') });
  await user.type(field, 'npm run seed | tee log');
  await press(t('waits.time'));
  await screen.findByRole('alert');
  expect(desktop.confirmed).toBe('');

  const folder = newFolder();
  await user.clear(field);
  await user.type(field, `npm run "seed all"`);
  Object.assign(desktop, { toOpen: [folder], agrees: false });
  await press(t('waits.time'));
  await waitFor(() => expect(desktop.confirmed).toContain('"npm" "run" "seed all"'));
  expect(desktop.confirmed).toContain(folder);
  expect(desktop.confirmed).toContain(createTranslator('en')('messages:consent.ownCommand'));
  expect(screen.getByRole('textbox', { name: t('waits.command') })).toBeVisible();

  Object.assign(desktop, { toOpen: [folder], agrees: true });
  await press(t('waits.time'));
  await screen.findByText('npm run "seed all"');
  await screen.findByText(folder, { exact: false });
  // The dialog's question isn't asked twice.
  expect((await region(t('plan.consents'), 'group')).getByRole('checkbox')).toBeChecked();
  await runToResult();
  expect((await region(t('result.failedRun'), 'group')).element).toHaveTextContent('the command wrote this');
});

it('plans the import of a dump that is chosen or dropped, also on another image', async () => {
  const { screen, press, desktop, drop, user } = await openApp();
  const dump = join(newFolder(), 'shop.sql');
  writeFileSync(dump, 'CREATE TABLE t (id INT);');
  desktop.toOpen = [dump];
  await press(t('waits.dump'));
  await screen.findByText('shop.sql');
  const compared = (): Promise<HTMLElement> =>
    screen.findByRole('combobox', { name: t('plan.imageCompare') });
  await user.selectOptions(await compared(), 'whalemark-test/mariadb:debian-trixie');
  expect(await compared()).toHaveValue('whalemark-test/mariadb:debian-trixie');
  await press(t('common.back'));
  writeFileSync(dump.replace('shop', 'empty'), '');
  await drop('empty.sql', '', dump.replace('shop', 'empty'));
  await screen.findByRole('alert');
  await drop('shop.sql', '', dump);
  await screen.findByText('shop.sql');
});
