import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import type { WizardStep } from '../../src/renderer/state/wizard.svelte.ts';
import { asSentence } from '../../src/shared/words/effect-wording.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { pattern, t } from '../helpers/words.ts';
import { says, type Within } from './support/finders.ts';
import { openApp, type AppOptions, type OpenApp } from './support/open-app.ts';

interface Wizard extends OpenApp {
  go: (step: WizardStep) => Promise<void>;
  yaml: () => HTMLTextAreaElement;
  panel: Within;
}

function wizardOf(app: OpenApp): Omit<Wizard, 'panel'> {
  return {
    ...app,
    go: async (step) => {
      const steps = await app.region(t('wizard.stepper'), 'navigation');
      const name = t(`wizard.steps.${step}`);
      await app.user.click(steps.getByRole('button', { name: new RegExp(name) }));
      await waitFor(() => expect(app.screen.getByRole('heading', { level: 2, name })).toHaveFocus());
    },
    yaml: () => app.screen.getByRole('textbox', { name: t('editor.text') }),
  };
}

async function openWizard(options: AppOptions = {}): Promise<Wizard> {
  const app = await openApp(options);
  await app.button(t('home.options'));
  await app.press(t('app.newComparison'));
  await app.screen.findByRole('heading', { level: 1, name: t('app.newComparison') });
  return { ...wizardOf(app), panel: await app.region(t('wizard.panel.title'), 'complementary') };
}
const storage = (kind: 'bind-mount' | 'named-volume' | 'tmpfs' | 'native'): string =>
  asSentence(ENGLISH(`messages:storage.${kind}`), ENGLISH);
const path = (kind: 'user-bridge' | 'host-network' | 'ingress'): string =>
  asSentence(ENGLISH(`messages:path.${kind}`), ENGLISH);

it('what this runtime can’t do is gray and says why; a baseline that is gone is replaced', async () => {
  const { screen, go, choose, yaml, user } = await openWizard({ story: 'troubled' });
  const native = await screen.findByRole('checkbox', { name: storage('native') });
  await waitFor(() => expect(native).toBeDisabled());
  expect(native).toHaveAccessibleDescription(/No mysqld or mariadbd/);
  const host = screen.getByRole('checkbox', { name: path('host-network') });
  expect(host).toBeDisabled();
  expect(host).toHaveAccessibleDescription(
    expect.stringContaining(ENGLISH('messages:support.desktopHostNetwork')),
  );

  // Rare options are folded away until one of them is chosen.
  const more = screen.getAllByText(t('wizard.more'), { selector: 'summary' });
  for (const one of more) expect(one.closest('details')).not.toHaveAttribute('open');
  for (const one of more) await user.click(one);
  await choose('checkbox', path('ingress'));
  await choose('checkbox', path('user-bridge'));
  await go('load');
  await go('what');
  expect(screen.getByRole('checkbox', { name: path('ingress') })).toBeVisible();
  const cell = `${storage('bind-mount')} via ${path('user-bridge')}`;
  await user.selectOptions(screen.getByRole('combobox', { name: t('result.baseline') }), cell);
  await choose('checkbox', storage('bind-mount'));
  await go('yaml');
  expect(yaml().value).toMatch(/baseline: named-volume\.published-port/);
  expect(yaml().value).toMatch(/storages: \[ named-volume \]/);
});

it('several servers are compared, and one is again the server', async () => {
  const { screen, go, choose, yaml, fill, user, panel } = await openWizard();
  const mysql = await screen.findByRole('checkbox', { name: 'MySQL 8.4' });
  expect(mysql).toBeDisabled();
  await choose('checkbox', 'MariaDB 11.8');
  await fill(screen.getByLabelText(t('wizard.what.image')), 'mysql:9');
  await user.tab();
  expect(screen.getByRole('checkbox', { name: 'mysql:9' })).toBeChecked();
  expect(mysql).toBeEnabled();
  await waitFor(() => expect(panel.getByText(t('plan.scenarios')).closest('div')).toHaveTextContent('6'));
  await choose('checkbox', 'MySQL 8.4');
  await choose('checkbox', 'MariaDB 11.8');
  await go('yaml');
  expect(yaml().value).toMatch(/server:\n {2}image: mysql:9/);
  expect(yaml().value).toMatch(/baseline: named-volume\.published-port/);
});

it('a mistake is said by the preset’s own check, and leads to its line', async () => {
  const { screen, go, panel, user, fill, button, press, yaml } = await openWizard();
  await go('load');
  await fill(screen.getByLabelText(t('wizard.load.connections')), '4, 2');
  await user.tab();
  const problems = await panel.findByRole('list', { name: t('editor.problems') });
  expect(problems).toHaveTextContent(ENGLISH('messages:preset.sweepRises'));
  await screen.findByRole('button', {
    name: new RegExp(`${t('wizard.steps.yaml')} ${pattern('wizard.hasProblem').source}`),
  });
  expect(await button(t('wizard.review.plan'))).toBeDisabled();
  expect(await button(t('wizard.review.save'))).toBeDisabled();
  await press(pattern('editor.goToLine'));
  await waitFor(() => expect(yaml()).toHaveFocus());
  expect(yaml().value.slice(yaml().selectionStart, yaml().selectionEnd)).toBe('sweep: [ 4, 2 ]');
  await go('load');
  await fill(screen.getByLabelText(t('wizard.load.connections')), '2, 4');
  await fill(screen.getByLabelText(t('wizard.load.budget')), '20');
  await user.tab();
  await waitFor(() => expect(problems).not.toBeInTheDocument());
  await says(panel.element, t('plan.duration'));
  await go('yaml');
  expect(yaml().value).toMatch(/sweep: \[ 2, 4 \]/);
  expect(yaml().value).toMatch(/rounds: 32,.*untilConclusive: \{ budgetMinutes: 20 \}/);
  await go('load');
  await fill(screen.getByLabelText(t('wizard.load.connections')), '16');
  await user.clear(screen.getByLabelText(t('wizard.load.budget')));
  await user.tab();
  await user.selectOptions(screen.getByRole('combobox', { name: t('wizard.load.kind') }), 'tpcc');
  await fill(screen.getByLabelText(t('wizard.load.warehouses')), '3');
  await go('yaml');
  expect(yaml().value).toMatch(/connections: 16/);
  expect(yaml().value).not.toMatch(/sweep|untilConclusive/);
  expect(yaml().value).toMatch(/workload: \{ kind: tpcc, warehouses: 3 \}/);
});

it('YAML and form follow each other; the draft is saved, found on home, and edited in the wizard again', async () => {
  const app = await openWizard();
  const { screen, go, yaml, fill, press, user, home, choose, region } = app;
  const name = (): HTMLElement => screen.getByLabelText(t('common.name'));
  const connections = (): HTMLElement => screen.getByLabelText(t('wizard.load.connections'));
  const yamlSays = (text: RegExp): Promise<void> =>
    waitFor(() => {
      expect(yaml().value).toMatch(text);
    });
  await go('review');
  await fill(name(), 'My disks');
  await region(t('plan.willRun'));
  await go('yaml');
  await yamlSays(/id: my-disks\nname: My disks/);
  const text = yaml().value;
  await fill(yaml(), `${text.replace('connections: 8', 'connections: 24 # as ours')}seed: 7\n`);
  await go('load');
  expect(connections()).toHaveDisplayValue('24');
  await fill(connections(), '12');
  await user.tab();
  await go('yaml');
  await yamlSays(/connections: 12 # as ours[\s\S]*seed: 7/);

  await fill(yaml(), 'name: [');
  expect(await screen.findAllByRole('button', { name: pattern('editor.goToLine') })).not.toHaveLength(0);
  await go('load');
  await screen.findByText(pattern('wizard.unreadable'));
  expect(connections()).toBeDisabled();
  await go('yaml');
  await fill(yaml(), `${text}seed: 7\n`);

  await press(t('wizard.review.save'));
  await screen.findByText(t('wizard.kept'));
  expect(readFileSync(join(home, 'presets', 'my-disks.yaml'), 'utf8')).toContain('seed: 7');

  await press(t('app.name'));
  const yours = await region(t('presets.group.yours'));
  await yours.findByRole('listitem', { name: 'My disks' });
  await press(t('common.moreActions', { name: 'My disks' }));
  await user.click(screen.getByRole('menuitem', { name: t('menu.edit') }));
  await screen.findByRole('heading', { level: 1, name: t('wizard.editTitle', { name: 'My disks' }) });
  await choose('checkbox', 'MariaDB 11.8');
  await choose('checkbox', 'MySQL 8.4');
  await press(t('common.save'));
  await screen.findByText(t('wizard.kept'));
  await go('yaml');
  expect(yaml().value).toMatch(/image: mariadb:11\.8[\s\S]*seed: 7/);
});

it('a preset file dropped onto the window is kept; in the wizard it becomes the draft, and what it or a new one took the place of comes back', async () => {
  const app = await openApp();
  const { screen, drop, press, fill } = app;
  await app.button(t('home.options'));
  const text = readFileSync('presets/docker-options.yaml', 'utf8')
    .replace('id: docker-options', 'id: dropped')
    .replace('name: Docker storage and network', 'name: Dropped one');
  await drop('mine.yaml', text);
  await screen.findByRole('listitem', { name: 'Dropped one' });
  await screen.findByText(t('drop.imported', { name: 'mine.yaml' }));
  await drop('broken.yaml', 'whalemark: 1\nid: broken\n');
  expect(await screen.findByRole('alert')).toHaveTextContent('broken');
  await drop('run.json', '{}');
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('run.json'));
  await drop('notes.txt', 'nothing');
  await screen.findByText(t('drop.unknown', { name: 'notes.txt' }));

  await press(t('app.newComparison'));
  const { go } = wizardOf(app);
  const name = (): HTMLElement => screen.getByLabelText(t('common.name'));
  await go('review');
  await fill(name(), 'Half done');
  await drop('other.yaml', text.replace('id: dropped', 'id: other').replace('Dropped one', 'Other one'));
  await screen.findByText(t('wizard.imported', { name: 'other.yaml' }));
  await go('review');
  expect(name()).toHaveDisplayValue('Other one');
  await press(t('wizard.undoReplace'));
  await waitFor(() => expect(name()).toHaveDisplayValue('Half done'));

  // Starting again can be taken back, also when it was clicked twice.
  await press(t('wizard.anew'));
  await press(t('wizard.anew'));
  await go('review');
  expect(name()).toHaveDisplayValue(t('wizard.newName'));
  await press(t('wizard.undoReplace'));
  await waitFor(() => expect(name()).toHaveDisplayValue('Half done'));
  expect(screen.queryByRole('button', { name: t('wizard.undoReplace') })).toBeNull();
});

it('a result dropped onto the window is shown, and can be kept', async () => {
  const { button, drop, region, press, screen, home } = await openApp();
  await button(t('home.options'));
  // The file has another ID than the fake core's first run.
  const runId = '20260601-093000-drop';
  const text = readFileSync('tests/fixtures/results/sample-result.json', 'utf8').replaceAll(
    '20260601-093000-a1b2',
    runId,
  );
  await drop('sample.whalemark', text);
  await region(t('result.numbers'));
  await press(t('history.sharedResult.keep'));
  await screen.findByText(t('history.sharedResult.kept'));
  expect(readFileSync(join(home, 'runs', runId, 'result.json'), 'utf8')).toBe(text);
});
