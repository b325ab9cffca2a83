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
  // More than a round.
  await waitFor(async () => expect(await done()).toBeGreaterThan(12), { timeout: 20_000 });
  behavior.pace = 1000;
  const ended = await done();
  await press(t('live.stop'));
  behavior.pace = 1;
  (await button(pattern('result.measureOn'))).focus();
  await user.keyboard('{Enter}');

  // Nothing is to be decided: the live screen has the trials of whole rounds from the first moment on.
  const trials = await region(t('live.trials'), 'group');
  const kept = await done();
  expect(trials.element.querySelectorAll('td.measured')).not.toHaveLength(0);
  expect(kept).toBeGreaterThan(1);
  expect(kept).toBeLessThan(ended);

  // On battery, the plan opens first.
  await press(t('live.stop'));
  await button(pattern('result.measureOn'));
  tell({ type: 'power', onBattery: true });
  await press(pattern('result.measureOn'));
  await screen.findByText(pattern('plan.continued'));
  expect(screen.queryAllByRole('radio')).toEqual([]);
  const { textContent } = await screen.findByText(pattern('plan.continuedText'));
  expect(numberIn(pattern('plan.continuedText').exec(textContent)?.[0] ?? '')).toBeGreaterThanOrEqual(kept);
});
