import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import { expect, it } from 'vitest';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { pattern, t } from '../helpers/words.ts';
import { inside } from './support/finders.ts';
import { openApp, type AppOptions, type OpenApp } from './support/open-app.ts';

const DO = ENGLISH('report:advice.title');
const SURE = ENGLISH('report:advice.sure');

/** Rules that need no layout. */
async function violations(): Promise<string[]> {
  const found = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function opened(options: AppOptions = {}): Promise<OpenApp> {
  const app = await openApp(options);
  await app.press(pattern('recent.open'));
  await app.region(t('result.numbers'));
  return app;
}

it('a conclusive run answers per factor, and has at most two actions with what to copy', async () => {
  const { screen, region, press, desktop } = await opened();
  expect(screen.getByRole('heading', { level: 1 }).textContent.trim().replace(/\s+/g, ' ')).toBe(
    'Storage: container layer is 0.53× as fast as named volume Network: host network is 1.17× as fast as published port',
  );
  const advice = await region(DO);
  const [actions] = advice.getAllByRole('list');
  expect(actions && inside(actions).getAllByRole('listitem')).toHaveLength(2);
  const [title = ''] = [ENGLISH('report:advice.use-host-network.title')];
  await press(`${t('reproduce.copy')}: ${title}`);
  expect(desktop.copied).toContain('network_mode: host');
  // Names and numbers are apart.
  const effects = await region(ENGLISH('report:effects.title'));
  expect(effects.getByRole('rowheader', { name: /^Storage compared with named volume/ })).toBeInTheDocument();
  expect(await violations()).toEqual([]);
});

it('a run with too few rounds keeps the setup, and one button measures on', async () => {
  const { screen, choose, press, region, button } = await openApp();
  await choose('radio', t('plan.quick'));
  await press(t('plan.start'));
  const advice = await region(DO);
  expect(advice.element).toHaveTextContent(ENGLISH('report:advice.keep.unknown'));
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(ENGLISH('report:finding.tooFew'));
  await button(pattern('result.measureOn'));
  expect(document.querySelectorAll('main .primary')).toHaveLength(1);
  expect(await violations()).toEqual([]);
});

it('a run with lost trials says so beside its certainty, and in the lists of runs', async () => {
  const { region, screen, press } = await opened({ story: 'troubled' });
  expect((await region(SURE)).element).toHaveTextContent(/\d+ trials failed/);
  expect(await violations()).toEqual([]);
  await press(t('app.home'));
  const recent = await region(t('recent.title'));
  expect(recent.getByText(pattern('recent.withFailures', { outcome: 'completed' }))).toBeInTheDocument();
  expect(recent.getByText(/^storage \d/)).toHaveClass('badge');
  await press(t('recent.all'));
  expect(await screen.findByText(/^storage \d/)).toHaveClass('badge');
});

it('a run that ended before anything was measured shows why', async () => {
  const { press, runToResult, screen } = await openApp({ story: 'dies' });
  await press(t('home.options'));
  await runToResult();
  expect(screen.getByRole('alert')).toBeInTheDocument();
  expect(await violations()).toEqual([]);
});

it('a result from a file is offered to be kept, and has the same screen', async () => {
  const { drop, region, button } = await openApp();
  await button(t('home.options'));
  const text = readFileSync('tests/fixtures/results/sample-result.json', 'utf8');
  await drop('sample.whalemark', text.replaceAll('20260601-093000-a1b2', '20260601-093000-file'));
  await region(t('result.numbers'));
  await button(t('history.sharedResult.keep'));
  expect((await region(SURE)).element).toHaveTextContent(ENGLISH('report:aaCheck.short.passed').slice(0, 9));
  expect(await violations()).toEqual([]);
});
