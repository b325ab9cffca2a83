import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import { inside, says } from './support/finders.ts';
import { newFolder, openApp } from './support/open-app.ts';

it('a machine without any runtime is told what to do', async () => {
  const { region, button } = await openApp({ story: 'no-runtime', looksWithout: 1000 });
  await region(t('guide.notInstalled.title'));
  await says((await region(t('runtimes.title'))).element, '/root/.docker/desktop/docker.sock');
  expect(await button(t('home.options'))).toBeDisabled();
});

it('home tells what one click comes to, and what each run came to', async () => {
  const { region, button, screen, press, user } = await openApp();
  const compare = await button(t('home.options'));
  await waitFor(() => expect(compare).toHaveAccessibleDescription(/about \d+ min, 9 scenarios/i));
  expect(compare).toHaveAccessibleDescription(pattern('home.compareHint'));
  expect(screen.getByText(pattern('home.estimateDisk'))).toBeInTheDocument();

  const recent = await region(t('recent.title'));
  const entry = await recent.findByRole('button', { name: pattern('recent.open') });
  const headline = /slower than named volume/;
  expect(entry).toHaveAccessibleName(headline);
  await user.click(entry);
  expect(await screen.findByRole('heading', { level: 1, name: headline })).toBeInTheDocument();

  await press(t('app.home'));
  await press(t('recent.all'));
  await screen.findByRole('heading', { level: 1, name: t('history.title') });
});

it('presets stand in groups, each with the question it answers', async () => {
  const { region, screen, press, user } = await openApp();
  const storage = await region(t('presets.group.storage'));
  await says(storage.element, 'Can I keep MySQL');
  for (const group of ['start', 'network', 'published'] as const) await region(t(`presets.group.${group}`));
  const yours = { name: t('presets.group.yours') };
  expect(screen.queryByRole('region', yours)).toBeNull();

  await press(t('common.moreActions', { name: 'Buffer pool sizes' }));
  await user.click(screen.getByRole('menuitem', { name: t('presets.duplicate') }));
  await screen.findByRole('heading', { level: 1, name: pattern('wizard.editTitle') });
  await press(t('app.home'));
  expect(inside(await screen.findByRole('region', yours)).getAllByRole('listitem')).toHaveLength(1);
});

it('another usable runtime can be chosen', async () => {
  const { regionSays, press } = await openApp({ story: 'two-runtimes' });
  await regionSays(t('passport.title'), 'Docker Engine 28.1.1');
  await press(t('runtimes.useLabel', { label: 'colima' }));
  await regionSays(t('passport.title'), 'Colima 0.9');
});

it('a result file that is none is refused in words, and home stays usable', async () => {
  const { desktop, press, button, screen } = await openApp();
  desktop.toOpen = ['package.json'];
  await press(t('home.openResult'));
  expect(await screen.findByRole('alert')).toHaveTextContent('package.json');
  expect(await button(t('home.options'))).toBeEnabled();
});

it('results that can’t be read are not shown as none, and home stays usable', async () => {
  const home = newFolder();
  writeFileSync(join(home, 'runs'), 'a file where the folder should be');
  const { button, screen } = await openApp({ home });
  expect(await screen.findByRole('alert')).toHaveTextContent(join(home, 'runs'));
  expect(await button(t('home.options'))).toBeEnabled();
});
