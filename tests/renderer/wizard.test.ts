import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import type { WizardStep } from '../../src/renderer/wizard/problems.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { pattern, t } from '../helpers/words.ts';
import { says, type Within } from './support/finders.ts';
import { newFolder, openApp, type AppOptions, type OpenApp } from './support/open-app.ts';

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
  await app.screen.findByRole('heading', { level: 1, name: t('wizard.title') });
  return { ...wizardOf(app), panel: await app.region(t('wizard.panel.title'), 'complementary') };
}
const storage = (kind: 'bind-mount' | 'named-volume' | 'tmpfs' | 'native'): string =>
  ENGLISH(`messages:choice.storage.${kind}.name`);
const path = (kind: 'user-bridge' | 'host-network' | 'ingress'): string =>
  ENGLISH(`messages:choice.path.${kind}.name`);

it('what this runtime can’t do is grey and says why; the table keeps its baseline', async () => {
  const { screen, go, choose, region, yaml, user } = await openWizard({ story: 'troubled' });
  const native = await screen.findByRole('checkbox', { name: storage('native') });
  await waitFor(() => expect(native).toBeDisabled());
  expect(native).toHaveAccessibleDescription(/No mysqld or mariadbd/);
  await go('network');
  const host = screen.getByRole('checkbox', { name: path('host-network') });
  expect(host).toBeDisabled();
  expect(host).toHaveAccessibleDescription(
    expect.stringContaining(ENGLISH('messages:support.desktopHostNetwork')),
  );

  // What is seldom chosen is folded away until one of it is chosen.
  const more = screen.getByText(t('wizard.more'), { selector: 'summary' });
  expect(more.closest('details')).not.toHaveAttribute('open');
  await user.click(more);
  await choose('checkbox', path('ingress'));
  await choose('checkbox', path('user-bridge'));
  await go('storage');
  await go('network');
  expect(screen.getByRole('checkbox', { name: path('ingress') })).toBeVisible();
  const table = await region(t('wizard.grid.title'));
  const cell = `${storage('bind-mount')} via ${path('user-bridge')}`;
  await user.click(await table.findByRole('radio', { name: t('wizard.grid.baselineOf', { name: cell }) }));
  await user.click(
    table.getByRole('button', { name: t('wizard.grid.toggleRow', { name: storage('named-volume') }) }),
  );
  const ofVolume = { name: new RegExp(`^${storage('named-volume')}`), checked: true };
  await waitFor(() => expect(table.queryAllByRole('checkbox', ofVolume)).toEqual([]));
  await go('review');
  expect(yaml().value).toMatch(/baseline: bind-mount\.user-bridge/);
  expect(yaml().value).toMatch(/storages: \[ bind-mount \]/);
});

it('a contradiction is said at once, and a click solves it', async () => {
  const { screen, go, choose, panel, user, fill, button, press } = await openWizard();
  await go('schedule');
  await choose('checkbox', t('plan.sweep'));
  await fill(screen.getByLabelText(t('wizard.schedule.levels')), '4, 2');
  await user.tab();
  const problems = await panel.findByRole('list', { name: t('wizard.panel.problems') });
  expect(problems).toHaveTextContent(t('wizard.problem.sweepLevels'));
  const schedule = t('wizard.steps.schedule');
  await screen.findByRole('button', {
    name: new RegExp(`${schedule} ${pattern('wizard.hasProblem').source}`),
  });
  await go('review');
  expect(await button(t('wizard.review.plan'))).toBeDisabled();
  expect(await button(t('wizard.review.save'))).toBeDisabled();
  await press(t('wizard.panel.go', { step: schedule }));
  await press(t('wizard.fix.dropSweep'));
  await waitFor(() => expect(problems).not.toBeInTheDocument());
  expect(screen.getByRole('checkbox', { name: t('plan.sweep') })).not.toBeChecked();
  await says(panel.element, t('plan.duration'));
});

it('YAML and form follow each other; the draft is saved, found on home, and edited in the wizard again', async () => {
  const app = await openWizard();
  const { screen, go, yaml, fill, press, user, desktop, choose, region } = app;
  const folder = newFolder();
  const name = (): HTMLElement => screen.getByLabelText(t('wizard.review.name'));
  const connections = (): HTMLElement => screen.getByLabelText(t('wizard.workload.connections'));
  const yamlSays = (text: RegExp): Promise<void> =>
    waitFor(() => {
      expect(yaml().value).toMatch(text);
    });
  await go('review');
  await fill(name(), 'My disks');
  await yamlSays(/id: my-disks\nname: My disks/);
  const text = yaml().value;
  await fill(yaml(), `${text.replace('connections: 8', 'connections: 24 # as ours')}seed: 7\n`);
  await screen.findByText(t('wizard.review.beyond', { fields: 'seed' }));
  await go('workload');
  expect(connections()).toHaveDisplayValue('24');
  await fill(connections(), '12');
  await user.tab();
  await go('review');
  await yamlSays(/connections: 12 # as ours/);

  await fill(yaml(), 'name: [');
  expect(await screen.findAllByRole('button', { name: pattern('editor.goToLine') })).not.toHaveLength(0);
  await go('workload');
  await screen.findByText(pattern('wizard.unreadable'));
  expect(connections()).toBeDisabled();
  await go('review');
  await fill(yaml(), `${text}seed: 7\n`);

  await press(t('wizard.review.save'));
  await screen.findByText(t('wizard.kept'));
  desktop.saveTo = folder;
  await press(t('wizard.review.export'));
  await screen.findByText(t('presets.saved', { name: 'my-disks.yaml' }));
  expect(readFileSync(join(folder, 'my-disks.yaml'), 'utf8')).toContain('seed: 7');

  await press(t('app.name'));
  const yours = await region(t('presets.group.yours'));
  await yours.findByRole('listitem', { name: 'My disks' });
  await press(t('common.moreActions', { name: 'My disks' }));
  await user.click(screen.getByRole('menuitem', { name: t('presets.edit') }));
  await screen.findByRole('heading', { level: 1, name: t('wizard.editTitle', { name: 'My disks' }) });
  await choose('radio', /^MariaDB 11\.8/);
  await go('review');
  await press(t('wizard.review.saveAgain'));
  await screen.findByText(t('wizard.kept'));
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
  const name = (): HTMLElement => screen.getByLabelText(t('wizard.review.name'));
  await go('review');
  await fill(name(), 'Half done');
  await drop('other.yaml', text.replace('id: dropped', 'id: other').replace('Dropped one', 'Other one'));
  await screen.findByText(t('wizard.imported', { name: 'other.yaml' }));
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
  // Of another id than the run that the fake core has from the start.
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
