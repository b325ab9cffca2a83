import { waitFor } from '@testing-library/dom';
import { expect, it } from 'vitest';
import { pattern, t } from '../helpers/words.ts';
import { openApp } from './support/open-app.ts';

it('a run can be paused after a trial and goes on; a trial can be skipped', async () => {
  const { press, button, screen, region, user } = await openApp({ story: 'troubled', pace: 10 });
  await press(t('home.options'));
  await press(t('plan.start'));
  await waitFor(() => expect(screen.getByText(pattern('live.trialsDone'))).not.toHaveTextContent(/^0/));
  await press(t('live.pause'));
  await screen.findByText(t('live.pausedHint'));
  expect(await button(t('live.skip'))).toBeDisabled();

  await press(t('app.home'));
  await user.click(await screen.findByRole('button', { name: pattern('app.runPaused') }));
  await press(t('live.resume'));
  await waitFor(async () => expect(await button(t('live.skip'))).toBeEnabled());
  await press(t('live.skip'));
  const trials = await region(t('live.trials'), 'group');
  await trials.findByText(t('live.status.skipped'));
  await press(t('live.stop'));
  await region(t('result.numbers'));
});
