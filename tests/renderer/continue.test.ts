import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import { openApp } from './support/open-app.ts';

const numberIn = (text: string | null): number => Number(/\d+/.exec(text ?? '')?.[0]);

it('a run that was stopped goes on from its result, by keyboard', async () => {
  const { press, button, region, screen, user, behavior } = await openApp({ pace: 1 });
  await press(t('home.options'));
  await press(t('plan.start'));
  const done = async (): Promise<number> =>
    numberIn((await screen.findByText(pattern('live.trialsDone'))).textContent);
  await waitFor(async () => expect(await done()).toBeGreaterThan(1));
  behavior.pace = 1000;
  await press(t('live.stop'));
  const goOn = (): Promise<HTMLElement> => button(pattern('plan.goOn'));
  behavior.pace = 1;
  const left = numberIn((await goOn()).textContent);
  expect(left).toBeGreaterThan(0);
  (await goOn()).focus();
  await user.keyboard('{Enter}');

  // The plan says in words what will happen, and nothing can be chosen.
  await screen.findByText(pattern('plan.continued'));
  await screen.findByText(pattern('plan.continuedText', { count: left }));
  expect(screen.queryAllByRole('radio')).toEqual([]);

  (await button(t('plan.goOn'))).focus();
  await user.keyboard('{Enter}');
  // The live screen has the earlier trials from the first moment on.
  const trials = await region(t('live.trials'));
  const [first] = await trials.findAllByRole('button', { name: pattern('live.showTrial') });
  expect(first).toBeDefined();
  const before = await done();
  expect(before).toBeGreaterThanOrEqual(45 - left);

  // Once more stopped and continued with: fewer are left.
  await waitFor(async () => expect(await done()).toBeGreaterThan(before));
  await press(t('live.stop'));
  expect(numberIn((await goOn()).textContent)).toBeLessThan(left);
  await screen.findByText(/its measurements come from 2 sessions/);
});

it('a run that has all its numbers offers nothing to go on with', async () => {
  const { press, button, screen, runToResult } = await openApp();
  await press(t('home.options'));
  await runToResult();
  await button(t('result.again'));
  expect(screen.queryByRole('button', { name: pattern('plan.goOn') })).toBeNull();
});
