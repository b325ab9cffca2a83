import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { BenchmarkError } from '../../src/shared/errors.ts';
import { createTranslator } from '../../src/shared/words/i18n.ts';
import { changeName, changeText } from '../../src/shared/words/override-wording.ts';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t } from '../helpers/words.ts';
import { says } from './support/finders.ts';
import { openApp, type OpenApp } from './support/open-app.ts';

const english = createTranslator('en');
const ADVICE = english('report:advice.title');
const CHANGE = changeText({ factor: 'storage', level: 'named-volume' }, english);
const FIXTURES = join(import.meta.dirname, '../fixtures/database-app');

/** A project's folder with a Compose file, which the tests may change. */
function project(fixture: string): string {
  const folder = join(newFolder(), 'shop');
  mkdirSync(folder);
  const file = join(folder, 'compose.yaml');
  copyFileSync(join(FIXTURES, fixture), file);
  return file;
}

async function openFixture(app: OpenApp, fixture = 'compose.yaml'): Promise<string> {
  const file = project(fixture);
  app.desktop.toOpen = [file];
  await app.press(t('database.open'));
  await app.region(t('database.read'));
  return file;
}

it('home offers the databases of the engine, and one click shows what was read and the plan', async () => {
  const { region, press, button, screen } = await openApp({ story: 'databases' });
  const own = await region(t('database.title'));
  await waitFor(() => expect(own.getAllByRole('listitem')).toHaveLength(2));
  const name = t('database.name', { service: 'db', project: 'shop' });
  const card = own.getByRole('button', { name: new RegExp(`^${name}`) });
  expect(card).toHaveAccessibleName(/mysql:8\.0, bind mount \.\/data, port 3306/);
  expect(card).toHaveAccessibleName(new RegExp(`${t('live.status.running')}$`));
  expect(own.getByRole('button', { name: /^wiki-mariadb/ })).toHaveAccessibleName(
    new RegExp(`${t('live.status.stopped')}$`),
  );

  await press(new RegExp(`^${name}`));
  const read = await region(t('database.read'));
  for (const said of [
    'compose.yaml:9',
    '1.5 CPUs',
    '1 GiB',
    '--max-connections=200',
    './my.cnf',
    'app: bridge network',
  ])
    expect(read.element).toHaveTextContent(said);
  const planned = await region(t('plan.willRun'));
  expect(planned.element).toHaveTextContent(t('common.baseline'));
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
  await screen.findByRole('heading', { level: 1, name: t('database.planTitle', { name }) });
});

it('its kinds of start can be measured in place of changes, also of the next service', async () => {
  const app = await openApp();
  await openFixture(app, 'several.yaml');
  await app.choose('radio', t('database.measureStart'));
  const name = t('database.name', { service: 'orders', project: 'reports' });
  await app.screen.findByRole('heading', { level: 1, name: t('database.planTitleStart', { name }) });
  await waitFor(async () =>
    expect((await app.region(t('plan.willRun'))).element).toHaveTextContent('image layer'),
  );
  await app.choose('radio', /^archive/);
  const next = t('database.name', { service: 'archive', project: 'reports' });
  await app.screen.findByRole('heading', { level: 1, name: t('database.planTitleStart', { name: next }) });
});

it('offers the images of the engine where the database’s own can’t be pulled', async () => {
  const app = await openApp({ story: 'no-registry' });
  await openFixture(app);
  await app.screen.findByRole('alert');
  expect(app.screen.queryByRole('button', { name: t('plan.start') })).toBeNull();
  await app.press(new RegExp(`^${t('plan.measureWith', { image: '' })}`));
  await waitFor(async () => expect(await app.button(t('plan.start'))).toBeEnabled());
  expect(app.screen.queryByRole('alert')).toBeNull();
});

it('a Compose file is read where it is when it is dropped, and a preset still becomes a preset', async () => {
  const { drop, region, screen, press } = await openApp();
  const file = project('compose.yaml');
  const text = readFileSync(file, 'utf8');
  await drop('compose.yaml', text, file);
  const read = await region(t('database.read'));
  expect(read.element).toHaveTextContent(file);
  expect(read.element).toHaveTextContent('bind mount ./data');
  await region(t('plan.willRun'));

  await drop('compose.yaml', text);
  await screen.findByText(t('drop.noPath', { name: 'compose.yaml' }));

  await press(t('app.home'));
  await drop('mine.yaml', 'whalemark: 1\nid: mine\n', file);
  expect(await screen.findByRole('alert')).toHaveTextContent('mine');
});

it('each service of a file has its plan; one that can’t be measured says why and has none', async () => {
  const app = await openApp();
  const { region, choose, screen, button, regionSays } = app;
  await openFixture(app, 'several.yaml');
  expect(screen.getAllByRole('radio', { name: /orders|archive|legacy/ })).toHaveLength(3);
  expect(screen.getByRole('radio', { name: /^orders/ })).toBeChecked();
  await region(t('plan.willRun'));

  await choose('radio', /^legacy/);
  expect(await screen.findByRole('alert')).toHaveTextContent('replicas');
  expect(screen.queryByRole('button', { name: t('plan.start') })).toBeNull();
  expect(screen.queryByRole('region', { name: t('plan.willRun') })).toBeNull();

  await choose('radio', /^archive/);
  await regionSays(t('database.read'), 'named volume archive');
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
});

it('a file without a database is refused with its line, and read again once it is fixed', async () => {
  const { desktop, press, screen, region, button } = await openApp();
  const file = project('no-database.yaml');
  desktop.toOpen = [file];
  await press(t('database.open'));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent(new BenchmarkError('DATABASE_REFUSED', { name: 'compose.yaml' }).message);
  expect(alert).toHaveTextContent('compose.yaml:1:');
  expect(screen.queryByRole('button', { name: t('plan.start') })).toBeNull();

  writeFileSync(file, readFileSync(join(FIXTURES, 'compose.yaml')));
  await press(t('database.again'));
  await region(t('database.read'));
  expect(screen.queryByRole('alert')).toBeNull();
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
});

it('a result has the change with its gain, to copy and to write, its commands, and a plan of all that won', async () => {
  const app = await openApp();
  const { region, runToResult, press, desktop, user, screen, button } = app;
  const file = await openFixture(app);
  await runToResult();
  const advice = await region(ADVICE);
  await advice.findByText(CHANGE);
  expect(advice.element).toHaveTextContent('1.7× as fast');
  const text = advice.getByRole('group', { name: `compose.whalemark.yaml: ${CHANGE}` });
  expect(text).toHaveTextContent('source: db-data');
  expect(advice.element).toHaveTextContent(`${basename(file)}:12`);
  const change = (level: string): string => changeName({ factor: 'server', level }, english);
  expect(advice.element).toHaveTextContent(
    english('report:override.open', { count: 1, list: change('no-binary-log') }),
  );
  expect(advice.element).toHaveTextContent(
    `${change('relaxed-flush')}: ${english('messages:override.refused.notFaster')}`,
  );

  await press(`${t('menu.copy')}: compose.whalemark.yaml ${CHANGE}`);
  await waitFor(() => expect(desktop.copied).toMatch(/^services:\n/));
  await press(`${t('database.write')}: ${CHANGE}`);
  await advice.findByText(t('database.written', { file: join(dirname(file), 'compose.whalemark.yaml') }));

  await press(`${t('menu.copy')}: ${english('report:override.there')} ${CHANGE}`);
  await waitFor(() => expect(desktop.copied).toMatch(/^docker compose .*stop db &&\n/));
  const [back] = advice.getAllByText(english('report:override.back'));
  if (back !== undefined) await user.click(back);
  // Wide commands scroll in their own box, also with the keyboard.
  const box = await advice.findByRole('group', { name: `${english('report:override.back')} ${CHANGE}` });
  expect(box).toHaveAttribute('tabindex', '0');

  await press(t('database.measureTogether'));
  const level = 'storage.named-volume+server.large-pool';
  await screen.findByText(changeText({ factor: 'together', level }, english));
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
});

it('a result whose Compose file is gone says so, and keeps its other advice', async () => {
  const app = await openApp();
  const file = await openFixture(app);
  await app.region(t('plan.willRun'));
  rmSync(file);
  await app.runToResult();
  const advice = await app.region(ADVICE);
  await says(advice.element, new BenchmarkError('DATABASE_ELSEWHERE').message);
  expect(advice.queryByRole('button', { name: pattern('database.write') })).toBeNull();
  expect(advice.getAllByRole('listitem').length).toBeGreaterThan(0);
});
