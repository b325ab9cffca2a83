import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { parsePreset } from '../../src/benchmark/presets/preset-file.ts';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
import { pattern, t } from '../helpers/words.ts';
import { demoState } from '../unit/builders.ts';
import { says } from './support/finders.ts';
import { openApp, openResult } from './support/open-app.ts';

it('another baseline changes everything on the page, says so, and can be taken back', async () => {
  const { screen, region, user, press, unfold } = await openResult();
  await unfold(t('result.why'));
  const title = screen.getByRole('heading', { level: 1 });
  const bars = await region(ENGLISH('report:advice.scenarios'));
  const planned = title.textContent.trim();
  expect(screen.queryByRole('note')).toBeNull();

  await user.selectOptions(bars.getByLabelText(t('result.baseline')), 'container layer via published port');
  expect(await screen.findByRole('note')).toHaveTextContent(
    t('result.otherBaseline', {
      name: 'container layer via published port',
      planned: 'named volume via published port',
    }),
  );
  expect(title).not.toHaveTextContent(planned);
  expect(bars.getByRole('row', { name: /^Container layer via published port/ })).toHaveTextContent(
    t('common.baseline'),
  );
  expect(bars.getByRole('row', { name: /^Named volume via published port \d.*faster/ })).toBeInTheDocument();
  const numbers = await unfold(t('result.numbers'));
  expect(
    numbers.getByRole('row', { name: /container layer via published port baseline/i }),
  ).toBeInTheDocument();

  await press(t('result.plannedBaseline'));
  await says(title, planned);
  expect(screen.queryByRole('note')).toBeNull();
});

it('the waterfall plays in slow motion, part by part', async () => {
  const { press, drop, button } = await openApp();
  await button(t('home.options'));
  const text = gunzipSync(readFileSync('assets/example/result.json.gz')).toString('utf8');
  await drop('example.whalemark', text);
  const played: { delay: number; duration: number }[] = [];
  Element.prototype.animate = (_, timing) => {
    played.push(timing as (typeof played)[number]);
    return {} as Animation;
  };
  await press(t('result.slowMotion'));
  const [first, second] = played;
  expect(first).toMatchObject({ delay: 0, fill: 'backwards' });
  expect(first?.duration).toBeGreaterThan(10);
  expect(second?.delay).toBeCloseTo(first?.duration ?? NaN);
});

it('charts over time name disturbed seconds, and have their numbers behind them', async () => {
  const { region, user, screen, unfold } = await openResult({ story: 'disturbed' });
  await unfold(t('result.numbers'));
  const card = await region(t('result.numbers'));
  expect(screen.getByText(pattern('charts.disturbed', { count: 4 }))).toHaveTextContent(
    '(swapping, CPU time taken by other virtual machines)',
  );
  const [summary] = card.getAllByText(t('charts.showTable'));
  if (summary === undefined) throw new Error('no table');
  await user.click(summary);
  const rows = await card.findAllByRole('row', { name: /^7 / });
  expect(rows[0]).toHaveTextContent('swapping');
});

it('gives a preset file and the command that runs it, and plans the run again as it was', async () => {
  const { unfold, press, desktop, screen, button } = await openResult();
  await unfold(t('reproduce.title'));
  const copy = (what: string): Promise<void> => press(`${t('menu.copy')}: ${what}`);
  await copy('docker-options-again.yaml');
  await waitFor(() => expect(desktop.copied).toContain('scenarios:'));
  const { plan } = demoState();
  const preset = parsePreset(desktop.copied, 'again');
  expect(preset.scenarios.map(({ id }) => id)).toEqual(
    plan.scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ id }) => id),
  );
  expect(preset.seed).toBe(plan.seed);
  await copy(t('reproduce.command'));
  await waitFor(() => expect(desktop.copied).toBe('whalemark run docker-options-again.yaml'));

  await press(t('result.again'));
  await screen.findByText(pattern('plan.repeated'));
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
  expect(screen.queryByText(t('home.options'))).toBeNull();
});
