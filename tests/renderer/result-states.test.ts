import { expect, it } from 'vitest';
import { serializeResult } from '../../src/benchmark/store/result-file.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { pattern, t } from '../helpers/words.ts';
import { makeState, type ScenarioShape } from '../unit/builders.ts';
import { inside } from './support/finders.ts';
import { openApp, openResult } from './support/open-app.ts';

const TWO: ScenarioShape[] = [
  { storage: 'named-volume', path: 'published-port' },
  { storage: 'bind-mount', path: 'published-port' },
];
const DO = ENGLISH('report:advice.title');
const SURE = ENGLISH('report:advice.sure');

it('a conclusive run answers per factor, and for where the app runs what to do and to copy', async () => {
  const { screen, region, press, desktop, user } = await openResult();
  expect(screen.getByRole('heading', { level: 1 }).textContent.trim().replace(/\s+/g, ' ')).toBe(
    'Storage: container layer is 0.53× as fast as named volume Network: host network is 1.17× as fast as published port',
  );
  const advice = await region(DO);
  await user.click(advice.getByRole('radio', { name: t('result.appPlaces.host') }));
  const actions = await advice.findByRole('list');
  expect(inside(actions).getAllByRole('listitem')).toHaveLength(1);
  const [title = ''] = [ENGLISH('report:advice.use-host-network.title')];
  await press(`${t('result.copyFile')}: ${title}`);
  expect(desktop.copied).toContain('network_mode: host');
  expect(desktop.copied).toMatch(/^services:/);
  // A name is apart from its numbers.
  const effects = await region(ENGLISH('report:effects.title'));
  expect(effects.getByRole('rowheader', { name: /^Storage compared with named volume/ })).toBeInTheDocument();
});

it('an inconclusive run keeps the setup and names the bound; without an interval it says why', async () => {
  const { screen, drop, region, button, press } = await openApp();
  await button(t('home.options'));
  const rates = [800, 900, 700, 800];
  const state = (rounds: number): string => {
    const outcomes = {
      'named-volume.published-port': rates.slice(0, rounds),
      'named-volume.published-port~again': rates.slice(0, rounds),
      'bind-mount.published-port': [700, 900, 800, 650].slice(0, rounds),
    };
    return serializeResult(
      makeState({ scenarios: TWO, rounds, outcomes, runId: `20260601-093000-000${rounds}` }),
    );
  };
  await drop('four.whalemark', state(4));
  const title = await screen.findByRole('heading', { level: 1, name: /at most 1\.\d×/ });
  const name = 'named volume via published port';
  expect((await region(DO)).element).toHaveTextContent(
    ENGLISH('report:advice.keep.atMost', { name, size: '1.3×' }),
  );
  await button(t('result.measureLonger'));

  await press(t('app.home'));
  await drop('one.whalemark', state(1));
  await screen.findByRole('heading', { level: 1, name: new RegExp(ENGLISH('report:finding.tooFew')) });
  expect(title).not.toBeInTheDocument();
  expect((await region(DO)).element).toHaveTextContent(ENGLISH('report:advice.keep.unknown'));
});

it('a run with lost trials says so beside its certainty, and in the lists of runs', async () => {
  const { region, press } = await openResult({ story: 'troubled' });
  expect((await region(SURE)).element).toHaveTextContent(/\d+ trials failed/);
  await press(t('app.home'));
  const recent = await region(t('recent.title'));
  expect(recent.getByText(pattern('recent.withFailures', { outcome: 'completed' }))).toBeInTheDocument();
  expect(recent.getByText(/network.* \d\.\d+×/)).toHaveClass('badge');
});
