import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t } from '../helpers/words.ts';
import { inside, says } from './support/finders.ts';
import { openApp, type AppOptions, type OpenApp } from './support/open-app.ts';

async function openSettings(options: AppOptions = {}): Promise<OpenApp> {
  const app = await openApp(options);
  await app.press(t('app.settings'));
  await app.screen.findByRole('heading', { level: 1, name: t('app.settings') });
  return app;
}
const kept = (home: string): unknown => JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'));

describe('a settings file', () => {
  it('that can’t be read is kept aside and told once', async () => {
    const home = newFolder();
    writeFileSync(join(home, 'settings.json'), '{"theme": "dark"');
    const { screen, user, close } = await openApp({ home });
    const note = await screen.findByRole('alert');
    expect(note).toHaveTextContent(t('settings.problemFile', { name: 'settings.json.broken' }));
    expect(readFileSync(join(home, 'settings.json.broken'), 'utf8')).toBe('{"theme": "dark"');
    await user.click(inside(note).getByRole('button', { name: t('settings.openSettings') }));
    await screen.findByRole('heading', { level: 1, name: t('app.settings') });
    await user.click(inside(note).getByRole('button', { name: t('settings.dismiss') }));
    await waitFor(() => expect(note).not.toBeInTheDocument());
    await close();

    const second = await openApp({ home });
    await second.button(t('home.options'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('with a value that is none says which', async () => {
    const home = newFolder();
    writeFileSync(join(home, 'settings.json'), '{"theme": "blue"}');
    const { screen } = await openApp({ home });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      pattern('settings.problemField', { value: '"blue"', field: 'theme' }),
    );
  });
});

it('settings that can’t be saved say so, and stay as they were', async () => {
  const { screen, user, home } = await openSettings();
  // No file can take a folder's place.
  mkdirSync(join(home, 'settings.json'));
  const box = screen.getByRole('checkbox', { name: t('settings.keepDatasets') });
  await user.click(box);
  await screen.findByRole('alert');
  await waitFor(() => expect(box).toBeChecked());
  const dark = screen.getByRole('radio', { name: t('settings.themes.dark') });
  await user.click(dark);
  await waitFor(() => expect(dark).not.toBeChecked());
  expect(screen.getByRole('radio', { name: t('settings.themes.system') })).toBeChecked();
  const language = screen.getByRole('combobox', { name: t('settings.language') });
  await user.selectOptions(language, 'zh-CN');
  await waitFor(() => expect(language).toHaveValue('system'));
  const runtime = screen.getByRole('radio', { name: /^default/ });
  await user.click(runtime);
  await waitFor(() => expect(runtime).not.toBeChecked());
  await screen.findByRole('alert');
  expect(readdirSync(home).filter((name) => name.startsWith('settings.json'))).toEqual(['settings.json']);
  expect(readdirSync(join(home, 'settings.json'))).toEqual([]);
});

it('a default runtime is kept and used at once', async () => {
  const { region, choose, home } = await openSettings({ story: 'two-runtimes' });
  const runtimes = await region(t('compare.field.runtime'));
  expect(runtimes.getByRole('radio', { name: new RegExp(`^${t('settings.runtimeDocker')}`) })).toBeChecked();
  await says(runtimes.element, t('settings.emptyPlaces', { count: 1 }));
  expect(runtimes.queryByRole('radio', { name: /^Docker Desktop socket/ })).toBeNull();
  await choose('radio', /^colima/);
  await waitFor(() =>
    expect(runtimes.getByRole('radio', { name: /^colima/ }).closest('label')).toHaveTextContent(
      t('runtimes.inUse'),
    ),
  );
  expect(kept(home)).toMatchObject({ runtimeId: 'context:colima' });
});

it('a runtime that isn’t usable can be the default, with a warning', async () => {
  const { choose, regionSays } = await openSettings();
  await choose('radio', /^colima/);
  await regionSays(t('compare.field.runtime'), pattern('settings.runtimeFallback', { chosen: 'colima' }));
});

describe('what is kept is listed, and goes when it is told to:', () => {
  it('datasets', async () => {
    const { region, press, user, regionSays } = await openSettings();
    const name = t('settings.datasets');
    const datasets = await region(name);
    await waitFor(() => expect(datasets.getAllByRole('row')).toHaveLength(4));
    expect(datasets.element).toHaveTextContent('4 × 25,000 rows');
    await press(t('settings.emptyDatasets'));
    const dialog = await region(t('settings.emptyTitle'), 'dialog');
    expect(dialog.getByRole('button', { name: t('common.cancel') })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: t('common.cancel') }));
    expect(datasets.getAllByRole('row')).toHaveLength(4);
    await press(t('settings.emptyDatasets'));
    await user.click(
      (await region(t('settings.emptyTitle'), 'dialog')).getByRole('button', {
        name: t('settings.emptyConfirm'),
      }),
    );
    await regionSays(name, t('settings.emptied', { count: 2 }));
    await regionSays(name, t('settings.datasetsNone'));
  });

  it('images and leftovers', async () => {
    const { region, press, user, regionSays } = await openSettings();
    const images = t('settings.images');
    await regionSays(images, 'MySQL 8.4.5');
    await press(t('settings.removeClients'));
    const dialog = await region(t('settings.removeClientsTitle'), 'dialog');
    await user.click(dialog.getByRole('button', { name: t('settings.emptyConfirm') }));
    await regionSays(images, t('settings.removedClients', { count: 1 }));
    expect((await region(images)).queryByText(t('settings.imageOfClient'))).toBeNull();

    await press(t('settings.removeLeftovers', { count: 3 }));
    await regionSays(t('settings.leftovers'), t('settings.removedLeftovers', { count: 3 }));
    await regionSays(t('settings.leftovers'), t('settings.leftoversNone'));
  });

  it('leftovers of which only the user can know, after he has agreed', async () => {
    const { screen, region, press, user, regionSays } = await openApp({ story: 'two-runtimes' });
    // The home screen shows their number.
    const note = await screen.findByText(t('settings.undecidedNote', { count: 3 }));
    const list = 'volume whalemark-20260528-211500-c3d4-data';
    await user.click(screen.getByText(t('result.notes', { count: 1 })));
    expect(screen.getByText(t('home.removed', { count: 1, list }))).toBeVisible();
    await user.click(inside(note.parentElement ?? note).getByRole('button'));
    const name = t('settings.leftovers');
    const table = inside((await region(name)).element).getByRole('table', { name: t('settings.undecided') });
    expect(table).toHaveTextContent('process 4242');
    expect(table).toHaveTextContent('20260528-211500-c3d4');
    await press(t('settings.removeUndecided', { count: 3 }));
    const dialog = await region(t('settings.removeUndecidedTitle'), 'dialog');
    expect(dialog.getByRole('button', { name: t('common.cancel') })).toHaveFocus();
    await user.click(dialog.getByRole('button', { name: t('common.cancel') }));
    expect(table).toBeInTheDocument();
    await press(t('settings.removeUndecided', { count: 3 }));
    await press(t('settings.removeUndecidedConfirm'));
    await regionSays(name, t('settings.removedLeftovers', { count: 6 }));
    expect(table).not.toBeInTheDocument();
  });
});

it.each([
  ['settings.folderOpen', ''],
  ['diagnostics.folder', 'logs'],
] as const)('the folder of “%s” is opened, or it is said why it can’t be', async (open, name) => {
  const { screen, press, home, desktop } = await openSettings();
  if (name === 'logs') await press(t('diagnostics.open'));
  await press(t(open));
  await waitFor(() => expect(desktop.openedPaths).toEqual([join(home, name)]));
  desktop.refusal = 'no file manager';
  await press(t(open));
  expect(await screen.findByRole('alert')).toHaveTextContent('no file manager');
});

it('the diagnostics are copied as they are shown', async () => {
  const { press, region, desktop } = await openSettings();
  await press(t('diagnostics.open'));
  const { element } = await region(t('diagnostics.title'), 'dialog');
  await says(element, '### Whalemark diagnostics');
  await press(t('menu.copy'));
  await waitFor(() => expect(desktop.copied).toBe(element.querySelector('pre')?.textContent));
});
