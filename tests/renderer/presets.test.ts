import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { ENGLISH as translate } from '../../src/shared/words/i18n.ts';
import { newFolder } from '../helpers/folders.ts';
import { pattern, t } from '../helpers/words.ts';
import { inside, says } from './support/finders.ts';
import { openApp } from './support/open-app.ts';

const open = (preset: string): RegExp => new RegExp(`^${t('presets.open')} ${preset}`);

it('every built-in preset has a row with its question, and says what it repeats', async () => {
  const { region, press, choose, screen } = await openApp();
  const presets = await region(t('presets.title'));
  const oracle = await presets.findByRole('listitem', { name: /Oracle 2016/ });
  expect(presets.getAllByRole('listitem')).toHaveLength(16);
  expect(oracle).toHaveTextContent(
    pattern('presets.repeats', { title: 'MySQL with Docker – Performance characteristics' }),
  );

  await press(open('Storage types × network'));
  await choose('radio', t('plan.small'));
  expect(await screen.findByRole('radio', { name: t('plan.small') })).toBeChecked();
  await screen.findByText(t('plan.repeats'));
});

it('buffer-pool sizes are groups with a baseline each, and published numbers stand beside the measured ones', async () => {
  const { press, region, regionSays, unfold, runToResult, user, screen } = await openApp();
  await press(open('Storage types × network'));
  const planned = await region(t('plan.willRun'));
  expect(planned.getAllByText(t('common.baseline'))).toHaveLength(2);
  expect(planned.getAllByText(/No mysqld or mariadbd was found/)).toHaveLength(2);
  await regionSays(t('plan.servers'), t('plan.poolShare', { size: '256 MiB', percent: '11%' }));
  await regionSays(t('plan.servers'), '16 GiB');

  const numbers = await runToResult();
  await unfold(t('result.why'));
  const bars = await region(translate('report:advice.scenarios'));
  expect(bars.element).toHaveTextContent(
    pattern('result.source', { source: 'Oracle, MySQL server team blog', date: '2016' }),
  );
  expect(bars.element).toHaveTextContent('Oracle Server X5-2');
  expect(bars.element.querySelectorAll('.plot path[fill="none"]')).toHaveLength(12);
  // The published ratio has the measured one's baseline, 11698 / 12201, and is written next to its bar.
  const slower = bars.getAllByRole('row', { name: /^Named volume via container IP/ }).at(-1);
  for (const text of ['0.96', 'Docker volume, bridge network']) expect(slower).toHaveTextContent(text);

  expect(
    numbers.getByRole('columnheader', { name: translate('report:figures.publishedTps') }),
  ).toBeInTheDocument();
  expect(numbers.element).toHaveTextContent('11,698');
  await unfold(t('reproduce.title'));
  await user.click(screen.getByRole('heading', { name: t('result.servers') }));
  await says((await region(t('result.servers'), 'group')).element, 'ext4');
});

it('a sweep is compared level by level, and drawn with its knees', async () => {
  const { press, region, regionSays, runToResult, unfold, user } = await openApp();
  await press(open('Connection sweep'));
  const comparedWith = t('result.comparedWith', { name: 'named volume via container IP' });
  expect((await region(t('plan.willRun'))).getAllByText(comparedWith)).toHaveLength(3);
  await regionSays(t('plan.load'), '1, 4, 16');
  await runToResult();

  const sweep = await region(t('sweep.title'));
  const words = inside(sweep.getByRole('list')).getAllByRole('listitem');
  expect(words.map(({ textContent }) => textContent.trim())).toEqual([
    expect.stringMatching(/^Named volume via container IP: .*\b4 connections.*\b3 of 3 rounds/),
    expect.stringMatching(/^Named volume via published port: .*\b16 connections.*\b3 of 3 rounds/),
  ]);
  expect(
    sweep.getByRole('img', { name: new RegExp(`^${t('charts.tps')}.*knee at 4 connections`) }),
  ).toBeInTheDocument();
  expect(sweep.getByRole('img', { name: new RegExp(`^${t('charts.p95')}`) })).toBeInTheDocument();
  await user.click(sweep.getByText(t('charts.showTable')));
  await waitFor(() => expect(sweep.getAllByRole('row')).toHaveLength(1 + 2 * (1 + 3)));
  expect(sweep.getAllByRole('row', { name: new RegExp(`${translate('ui:sweep.knee')}$`) })).toHaveLength(
    1 + 1,
  );

  await unfold(t('result.why'));
  expect(
    (await region(translate('report:advice.scenarios'))).getAllByText(
      t('result.comparedWith', { name: 'named volume via container IP' }),
    ),
  ).toHaveLength(3);
  const overTime = await region(t('result.overTime'));
  await user.click(overTime.getByRole('radio', { name: /^16 connections/ }));
  await waitFor(() =>
    expect(overTime.getAllByRole('button', { name: 'named volume via published port' })).toHaveLength(1),
  );
});

it('what a run does beyond measuring needs consent before it starts; TPC-C has its own rates', async () => {
  const { press, region, button, user, runToResult } = await openApp();
  await press(open('Overlay network'));
  const agreement = await region(t('plan.consents'), 'group');
  expect(agreement.element).toHaveTextContent('swarm');
  const start = await button(t('plan.start'));
  expect(start).toBeDisabled();
  expect(start).toHaveAccessibleDescription(t('plan.consentsMissing'));
  // Every single box must be ticked.
  for (const box of agreement.getAllByRole('checkbox')) {
    expect(start).toBeDisabled();
    await user.click(box);
  }
  await waitFor(() => expect(start).toBeEnabled());

  const numbers = await runToResult();
  for (const column of ['newOrders', 'transactionsPerMinute', 'rollbacks', 'errors'] as const)
    expect(
      numbers.getByRole('columnheader', { name: translate(`report:figures.${column}`) }),
    ).toBeInTheDocument();
  expect(numbers.element).toHaveTextContent(t('result.notTpmC'));
  expect(numbers.getByRole('row', { name: /overlay network/ })).toBeInTheDocument();
});

it('a preset that needs the user’s own values leads to a copy that can be filled in', async () => {
  const { press, screen } = await openApp();
  await press(open('NFS or local disk'));
  expect(await screen.findByRole('alert')).toHaveTextContent('NFS server');
  await press(t('plan.copyAndEdit'));
  const text = await screen.findByRole('textbox', { name: t('editor.text') });
  await waitFor(() => expect(text).toHaveDisplayValue(/id: nfs-vs-local-copy/));
});

it('a preset is duplicated, edited, refused while it is wrong, saved, exported and deleted', async () => {
  const { press, button, screen, user, fill, region, desktop } = await openApp();
  // The keyboard alone is enough.
  (await button(t('common.moreActions', { name: 'Docker storage and network' }))).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: t('presets.duplicate') })).toHaveFocus());
  await user.keyboard('{ArrowDown}');
  expect(screen.getByRole('menuitem', { name: t('presets.export') })).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  await user.keyboard('{Enter}');

  await press(new RegExp(t('wizard.steps.yaml')));
  const text: HTMLTextAreaElement = await screen.findByRole('textbox', { name: t('editor.text') });
  const save = await button(t('common.save'));
  await waitFor(() => expect(text).toHaveDisplayValue(/id: docker-options-copy/));
  const sound = text.value;

  await fill(text, sound.replace('connections: 8', 'connections: many'));
  await screen.findAllByRole('button', { name: pattern('editor.goToLine') });
  expect(save).toBeDisabled();
  expect(save).toHaveAccessibleDescription(t('editor.found', { count: 1 }));

  await fill(text, sound.replace(/^id: .*$/m, 'id: docker-options'));
  await screen.findByText(/docker-options/, { selector: 'li' });
  expect(save).toBeDisabled();

  await fill(text, sound.replace(/^name: .*$/m, 'name: My own comparison'));
  await waitFor(() => expect(save).toBeEnabled());
  await user.click(save);
  await screen.findByText(t('wizard.kept'));

  const name = 'My own comparison';
  await press(t('app.name'));
  const card = await (await region(t('presets.group.yours'))).findByRole('listitem', { name });

  const folder = newFolder();
  desktop.saveTo = folder;
  await press(t('common.moreActions', { name }));
  await user.click(screen.getByRole('menuitem', { name: t('presets.export') }));
  await screen.findByText(t('presets.saved', { name: 'docker-options-copy.yaml' }));
  const exported = join(folder, 'docker-options-copy.yaml');
  expect(readFileSync(exported, 'utf8')).toContain(`name: ${name}`);

  await press(t('common.moreActions', { name }));
  await user.click(screen.getByRole('menuitem', { name: t('presets.delete') }));
  const dialog = await region(t('presets.deleteTitle', { name }), 'dialog');
  await user.click(dialog.getByRole('button', { name: t('menu.delete') }));
  await waitFor(() => expect(card).not.toBeInTheDocument());

  desktop.toOpen = [exported];
  await press(t('presets.import'));
  await screen.findByRole('listitem', { name });
});

it('a broken preset of the user’s is shown with what is wrong, and can be put right', async () => {
  const file = join(newFolder(), 'mine.yaml');
  writeFileSync(file, 'whalemark: 1\nid: mine\nname: Mine\n');
  const first = await openApp();
  first.desktop.toOpen = [file];
  await first.press(t('presets.import'));
  // A broken file is refused; one that breaks in the folder itself is listed.
  expect(await first.screen.findByRole('alert')).toHaveTextContent('mine');
  mkdirSync(join(first.home, 'presets'), { recursive: true });
  copyFileSync(file, join(first.home, 'presets', 'mine.yaml'));
  await first.close();

  const { screen, user } = await openApp({ home: first.home });
  const card = await screen.findByRole('listitem', { name: 'mine.yaml' });
  expect(card).toHaveTextContent(t('presets.broken'));
  expect(card).toHaveTextContent('question');
  await user.click(inside(card).getByRole('button', { name: `${t('menu.edit')} mine.yaml` }));
  await screen.findByText(pattern('editor.found'));
});
