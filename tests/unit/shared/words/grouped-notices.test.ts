import { it } from 'vitest';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Notice } from '../../../../src/shared/model/plan.ts';
import { aboutScenarios, groupedNotices } from '../../../../src/shared/words/grouped-notices.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { plain } from '../../../helpers/messages.ts';

const shown = (notices: readonly Notice[]): string[] =>
  groupedNotices(notices, ENGLISH).map(
    ({ message, scenarioIds, isFact }) => `${isFact ? 'fact: ' : ''}${message} [${scenarioIds.join()}]`,
  );
const apart = (...messages: Notice['message'][]): string[] =>
  shown(messages.map((message, index) => ({ code: 'X', message, scenarioId: String(index) })));

it('notices say the same of several scenarios once, and what differs only in figures with the range', async () => {
  const few = { code: 'FEW_ROUNDS', message: plain('Only 2 rounds.') };
  const late = (delay: string, scenarioId: string): Notice => ({
    ...{ code: 'CLIENT_LIMITED', scenarioId },
    message: msg('notice.clientLimitedDelay', { delay, latency: '2.0 ms' }),
  });
  const waiting = (percent: number, scenarioId: string): Notice => ({
    ...{ code: 'CLIENT_LIMITED', scenarioId },
    message: msg('notice.clientLimitedWait', { percent: String(percent) }),
  });
  const order = ['PORT_OPEN', 'HOST_SWAPPING', 'RUN_CONTINUED', 'TRIALS_FAILED', 'AA_CHECK'];
  const same = { code: 'X', message: plain('So it is.') };
  await expectShown('grouped-notices', {
    'the same of two, where it came first': shown([
      { ...few, scenarioId: 'a' },
      { code: 'CLIENT_LIMITED', message: plain('Busy.'), scenarioId: 'a' },
      { ...few, scenarioId: 'b' },
      { code: 'FEW_ROUNDS', message: plain('Only 1 round.'), scenarioId: 'c' },
    ]),
    'other figures': shown([
      ...[late('850 µs', 'a'), late('12 ms', 'b'), late('1.20 ms', 'c')],
      ...[waiting(62, 'a'), waiting(100, 'b'), waiting(336, 'c')],
    ]),
    'other reasons': apart(
      msg('notice.cleanupIncomplete', { what: 'a' }),
      msg('notice.cleanupIncomplete', { what: 'b' }),
    ),
    'other reasons inside': apart(
      msg('notice.notDurable', { reason: msg('durability.memory') }),
      msg('notice.notDurable', { reason: msg('durability.not-sent') }),
    ),
    'other texts': apart(
      msg('notice.clientLimitedWait', { percent: '20' }),
      msg('notice.clientLimitedCpu', { percent: '20' }),
    ),
    'lost trials, then doubts, then facts': shown(order.map((code) => ({ code, message: plain(code) }))),
    'the run apart from a scenario': shown([{ ...same, scenarioId: 'a' }, same]),
    'two scenarios by name, and the number of more': [
      aboutScenarios(['a', 'b'], 9, ENGLISH),
      aboutScenarios(['a', 'b', 'c'], 9, ENGLISH),
    ],
  });
});
