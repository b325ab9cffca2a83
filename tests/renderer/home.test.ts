import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { createTranslator, ENGLISH } from '../../src/shared/words/i18n.ts';
import { homeWithTwo, OTHERS } from '../e2e/support/stored-runs.ts';
import { pattern, t } from '../helpers/words.ts';
import { inside, says } from './support/finders.ts';
import { newFolder, openApp } from './support/open-app.ts';

it('a machine without any runtime is told what to do', async () => {
  const { region, button } = await openApp({ story: 'no-runtime', looksWithout: 1000 });
  await region(t('guide.notInstalled.title'));
  await says((await region(t('runtimes.title'))).element, '/root/.docker/desktop/docker.sock');
  expect(await button(t('home.options'))).toBeDisabled();
});

it('home starts the run that it describes, in the length that was chosen', async () => {
  const { button, choose, region, screen, press } = await openApp();
  const start = await button(t('plan.start'));
  await waitFor(() => expect(start).toBeEnabled());
  expect(start).toHaveAccessibleDescription(
    pattern('home.grid', { scenarios: t('recent.scenarios', { count: 9 }), storages: 3, paths: 3 }),
  );
  expect(start).toHaveAccessibleDescription(/mysql:8\.4 .*GiB/);
  const quick = screen.getByRole('radio', { name: t('plan.quick') });
  await waitFor(() => expect(quick).toHaveAccessibleDescription(pattern('plan.about', { time: '1 min' })));
  expect(screen.getByRole('radio', { name: t('plan.full') })).toBeChecked();

  await choose('radio', t('plan.quick'));
  await press(t('plan.start'));
  // No plan in between.
  await region(t('result.numbers'));
  const more = new RegExp(ENGLISH('report:advice.full-run.title'));
  await screen.findByRole('button', { name: more });
});

it('a plan with surprises is shown before anything starts', async () => {
  const { button, screen, press } = await openApp({ story: 'troubled' });
  const review = await button(t('home.review'));
  expect(screen.queryByRole('button', { name: t('plan.start') })).toBeNull();
  await waitFor(() => expect(review).toHaveAccessibleDescription(/mysql:8\.4.*242 MiB/));
  expect(review).toHaveAccessibleDescription(/whalemark-test\/mysql:debian-sid/);
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

it('home plans again after a run, and starts the new plan', async () => {
  const { press, region, screen } = await openApp();
  await press(t('plan.start'));
  await region(t('result.numbers'));
  await press(t('app.home'));
  await press(t('plan.start'));
  await region(t('result.numbers'));
  await press(t('app.home'));
  const recent = await region(t('recent.title'));
  await waitFor(() => expect(recent.getAllByRole('listitem')).toHaveLength(3));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the environment is a sentence for newcomers, with its facts below', async () => {
  const { regionSays, screen } = await openApp();
  const sentence = t('passport.sentence.native', {
    name: 'Docker Engine 28.1.1',
    system: t('platform.linux'),
  });
  await regionSays(t('passport.title'), sentence);
  expect(screen.getByText(t('passport.storageDriver')).closest('details')).not.toHaveAttribute('open');
});

it('home shows what each run found about each factor, and opens it', async () => {
  const { region, screen, press, user } = await openApp();
  const recent = await region(t('recent.title'));
  const entry = await recent.findByRole('button', { name: pattern('recent.open') });
  for (const factor of ['storage', 'path'] as const) {
    const name = createTranslator('en')(`report:effects.factor.${factor}`);
    expect(entry).toHaveAccessibleName(new RegExp(`${name}: .* (slower|faster) than`));
  }
  const headline = /slower than named volume/;
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

it('a run of the terminal is in the history when the user comes back to the window', async () => {
  const { home, press, region } = await openApp();
  await press(t('app.history'));
  const list = await region(t('history.list'));
  homeWithTwo(home);
  window.dispatchEvent(new Event('focus'));
  await says(list.element, OTHERS);
});
