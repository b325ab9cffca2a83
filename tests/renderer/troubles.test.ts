import { waitFor, within } from '@testing-library/dom';
import { expect, it } from 'vitest';
import errors from '../../src/shared/locales/en/errors.json' with { type: 'json' };
import { t } from '../helpers/words.ts';
import { largestPoolMiB } from '../../src/benchmark/plan/plan-fits.ts';
import { ADVICE } from '../../src/shared/analysis/advice.ts';
import { ENGLISH as english } from '../../src/shared/words/i18n.ts';
import { openApp } from './support/open-app.ts';

it('failed trials, excluded scenarios and notices are shown with their reasons, and no command’s words', async () => {
  const { press, region, screen, runToResult, unfold, tell } = await openApp({ story: 'troubled' });
  await press(t('home.options'));
  const servers = await region(t('plan.servers'));
  expect(servers.element).toHaveTextContent(/instead of mysql:8\.4/);
  const prepared = screen.getByText(t('plan.prepare')).parentElement;
  expect(prepared).toHaveTextContent('Pull mysql:8.4');
  expect(prepared).toHaveTextContent(/Build \S+ on node@sha256:[0-9a-f]{12}… /);
  // A column that can't run says why once, in its place.
  const planned = await region(t('plan.willRun'));
  const columns = planned.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(columns.at(-1)).toMatch(/host network/i);
  const reason = planned.getByText(english('messages:support.desktopHostNetwork')).closest('td');
  expect(reason).toHaveTextContent(t('plan.cantRun'));
  expect(reason).toHaveAttribute('rowspan', '4');
  expect(planned.getAllByText(t('plan.measured'))).toHaveLength(8);

  await runToResult();
  tell({ type: 'command-failed', lines: ['what the command wrote'] });
  await unfold(t('result.why'));
  const failed = await region(t('result.problems'));
  expect(failed.element).not.toHaveTextContent('what the command wrote');
  expect(failed.getAllByText(t('live.log')).length).toBeGreaterThan(0);
  expect(failed.element).toHaveTextContent(
    'bind mount via bridge network (client in a container), rounds 1, 2, 3, 4, 5',
  );
  expect(failed.element).toHaveTextContent(errors.DATADIR_OWNERSHIP.message);
  expect(failed.element).toHaveTextContent(errors.DATADIR_OWNERSHIP.hint);
  await region(t('result.excluded'));

  // The setting that costs is advice, with the page that documents it.
  const advice = await region(english('report:advice.title'));
  expect(advice.element).toHaveTextContent(english('report:advice.use-virtiofs.title'));
  const links = advice.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toContain(ADVICE['use-virtiofs'].link);

  // The answer comes first.
  const sure = await region(english('report:advice.sure'));
  expect(sure.element).toHaveTextContent(t('result.failed', { count: 6 }));
  const [lost] = sure.getAllByRole('listitem');
  expect(lost).toHaveTextContent('6 of');
  expect(sure.element).toHaveTextContent('is used instead');
  const [answer] = screen.getAllByRole('heading', { level: 1 });
  expect(answer?.compareDocumentPosition(advice.element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(advice.element.compareDocumentPosition(sure.element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('a plan that the engine’s memory can’t hold is refused with the field and the largest size', async () => {
  const { press, button, screen } = await openApp({ story: 'small' });
  await press(t('home.options'));
  const refused = await screen.findByRole('alert');
  const largest = String(largestPoolMiB(600 * 2 ** 20));
  expect(refused).toHaveTextContent(`server.settings.bufferPool to ${largest}`);
  expect(within(refused).getByText('POOL_TOO_LARGE')).toBeInTheDocument();
  expect(await button(t('plan.start'))).toBeDisabled();
});

it('a result that could not be saved is shown all the same, and that it is not saved stands above it', async () => {
  const { press, screen, user, runToResult } = await openApp({ story: 'unsaved' });
  await press(t('home.options'));
  const numbers = await runToResult();
  const unsaved = await screen.findByRole('alert');
  expect(unsaved).toHaveTextContent('ENOSPC: no space left on device, write');
  expect(unsaved).toHaveTextContent(errors.RESULT_UNSAVED.hint);
  const more = within(unsaved).getByText(t('errors.learnMore'));
  expect(more).toHaveTextContent('RESULT_UNSAVED');
  await user.click(more);
  // The error's page opens.
  await within(unsaved).findByText('whalemark resume RUN');
  expect(unsaved.compareDocumentPosition(numbers.element)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

it('when the measuring process has died, what was measured is shown, and home is usable again', async () => {
  const { press, button, behavior, runToResult, screen } = await openApp({ story: 'dies' });
  await press(t('home.options'));
  await runToResult();
  expect(screen.getByText(t('result.failedRun'))).toBeInTheDocument();
  behavior.story = 'plain';
  await press(t('app.name'));
  await waitFor(async () => expect(await button(t('plan.start'))).toBeEnabled());
});
