import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { ENGLISH } from '../../src/shared/words/i18n.ts';
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
  const goOn = (): Promise<HTMLElement> => button(t('plan.goOn'));
  const keeps = async (): Promise<number> => {
    const { textContent } = await screen.findByText(pattern('plan.continuedText'));
    return numberIn(pattern('plan.continuedText').exec(textContent)?.[0] ?? '');
  };
  behavior.pace = 1;
  (await goOn()).focus();
  await user.keyboard('{Enter}');

  // The plan says in words what will happen, and nothing can be chosen.
  await screen.findByText(pattern('plan.continued'));
  const kept = await keeps();
  expect(kept).toBeGreaterThan(0);
  expect(screen.queryAllByRole('radio')).toEqual([]);

  (await button(t('plan.goOn'))).focus();
  await user.keyboard('{Enter}');
  // The live screen has the earlier trials from the first moment on.
  const trials = await region(t('live.trials'));
  const [first] = await trials.findAllByRole('button', { name: pattern('live.showTrial') });
  expect(first).toBeDefined();
  const before = await done();
  expect(before).toBeGreaterThanOrEqual(kept);

  // Once more stopped: more are kept.
  await waitFor(async () => expect(await done()).toBeGreaterThan(before));
  await press(t('live.stop'));
  await screen.findByText(/its measurements come from 2 sessions/);
  await press(t('plan.goOn'));
  await screen.findByText(pattern('plan.continued'));
  expect(await keeps()).toBeGreaterThan(kept);
});

it('a run that has all its numbers offers nothing to go on with', async () => {
  const { press, button, screen, runToResult } = await openApp();
  await press(t('home.options'));
  await runToResult();
  await button(t('result.again'));
  expect(screen.queryByRole('button', { name: t('plan.goOn') })).toBeNull();
});

it('a quick look continues as the full run, by one button', async () => {
  const { press, choose, region, screen } = await openApp();
  await press(t('home.options'));
  await choose('radio', t('plan.quick'));
  await press(t('plan.start'));
  await region(t('result.numbers'));
  const more = new RegExp(ENGLISH('report:advice.full-run.title'));
  await screen.findByRole('button', { name: more });
  expect(screen.queryByRole('button', { name: t('plan.goOn') })).toBeNull();
  await press(more);
  await screen.findByText(pattern('plan.continuedText', { kept: 30 }));
  await press(t('plan.goOn'));
  const numbers = await region(t('result.numbers'));
  expect(numbers.getAllByRole('row')).toHaveLength(1 + 9);
});
