import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import { openApp } from './support/open-app.ts';

const numberIn = (text: string | null): number => Number(/\d+/.exec(text ?? '')?.[0]);

it('a run that was stopped goes on from its result, by keyboard', async () => {
  const { press, button, region, screen, user, behavior, tell } = await openApp({ pace: 1 });
  await press(t('home.options'));
  await press(t('plan.start'));
  const done = async (): Promise<number> =>
    numberIn((await screen.findByText(pattern('live.trialsDone'))).textContent);
  await waitFor(async () => expect(await done()).toBeGreaterThan(1));
  behavior.pace = 1000;
  const kept = await done();
  await press(t('live.stop'));
  behavior.pace = 1;
  (await button(pattern('result.measureOn'))).focus();
  await user.keyboard('{Enter}');

  // Nothing is to be decided: the live screen has the earlier trials from the first moment on.
  const trials = await region(t('live.trials'), 'group');
  expect(trials.element.querySelectorAll('td.measured')).not.toHaveLength(0);
  const before = await done();
  expect(before).toBeGreaterThanOrEqual(kept);

  // Stopped again: more are kept, and on battery the plan says so first.
  await waitFor(async () => expect(await done()).toBeGreaterThan(before));
  await press(t('live.stop'));
  await button(pattern('result.measureOn'));
  tell({ type: 'power', onBattery: true });
  await press(pattern('result.measureOn'));
  await screen.findByText(pattern('plan.continued'));
  expect(screen.queryAllByRole('radio')).toEqual([]);
  const { textContent } = await screen.findByText(pattern('plan.continuedText'));
  expect(numberIn(pattern('plan.continuedText').exec(textContent)?.[0] ?? '')).toBeGreaterThan(kept);
});

it('a run that has all its numbers offers nothing to go on with', async () => {
  const { press, button, screen, runToResult } = await openApp();
  await press(t('home.options'));
  await runToResult();
  await button(t('result.again'));
  expect(screen.queryByRole('button', { name: pattern('result.measureOn') })).toBeNull();
});
