import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { msg } from '../../../../src/shared/message.ts';
import type { Notice } from '../../../../src/shared/model/plan.ts';
import { aboutScenarios, groupedNotices } from '../../../../src/shared/words/grouped-notices.ts';
import { plain } from '../../../helpers/messages.ts';

describe('notices as they are shown', () => {
  it('say the same of several scenarios once, where it came first', () => {
    const few = { code: 'FEW_ROUNDS', message: plain('Only 2 rounds.') };
    expect(
      groupedNotices(
        [
          { ...few, scenarioId: 'a' },
          { code: 'CLIENT_LIMITED', message: plain('Busy.'), scenarioId: 'a' },
          { ...few, scenarioId: 'b' },
          { code: 'FEW_ROUNDS', message: plain('Only 1 round.'), scenarioId: 'c' },
        ],
        ENGLISH,
      ),
    ).toEqual([
      { message: 'Only 2 rounds.', scenarioIds: ['a', 'b'], isFact: false },
      { message: 'Busy.', scenarioIds: ['a'], isFact: false },
      { message: 'Only 1 round.', scenarioIds: ['c'], isFact: false },
    ]);
  });

  it('say what differs only in figures once, with the range', () => {
    const late = (params: Record<string, string>, scenarioId: string): Notice => ({
      ...{ code: 'CLIENT_LIMITED', scenarioId, message: msg('notice.clientLimitedDelay', params) },
    });
    const found = groupedNotices(
      [
        late({ delay: '850 µs', latency: '2.0 ms' }, 'a'),
        late({ delay: '12 ms', latency: '2.0 ms' }, 'b'),
        late({ delay: '1.20 ms', latency: '2.0 ms' }, 'c'),
        ...[62, 100, 336].map((percent, index): Notice => {
          const message = msg('notice.clientLimitedWait', { percent: String(percent) });
          return { code: 'CLIENT_LIMITED', scenarioId: 'abc'[index] ?? '', message };
        }),
      ],
      ENGLISH,
    );
    expect(found.map(({ scenarioIds }) => scenarioIds)).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
    expect(found[0]?.message).toContain('850 µs–12 ms');
    expect(found[0]?.message).toContain('2.0 ms');
    expect(found[1]?.message).toContain('62–336%');
  });

  it.each<[string, Notice['message'], Notice['message']]>([
    [
      'reasons',
      msg('notice.cleanupIncomplete', { what: 'a' }),
      msg('notice.cleanupIncomplete', { what: 'b' }),
    ],
    [
      'reasons inside',
      msg('notice.notDurable', { reason: msg('durability.memory') }),
      msg('notice.notDurable', { reason: msg('durability.not-sent') }),
    ],
    [
      'texts',
      msg('notice.clientLimitedWait', { percent: '20' }),
      msg('notice.clientLimitedCpu', { percent: '20' }),
    ],
  ])('keep different %s apart', (_, one, other) => {
    const notices = [one, other].map((message, index) => ({ code: 'X', message, scenarioId: String(index) }));
    expect(groupedNotices(notices, ENGLISH)).toHaveLength(2);
  });

  it('name two scenarios, and count more of them', () => {
    expect(aboutScenarios(['a', 'b'], 9, ENGLISH)).toContain('b');
    expect(aboutScenarios(['a', 'b', 'c'], 9, ENGLISH)).toBe(
      ENGLISH('report:text.scenariosOf', { some: 3, all: 9 }),
    );
  });

  it('begin with lost trials, then what makes a verdict doubtful', () => {
    const codes = ['PORT_OPEN', 'HOST_SWAPPING', 'RUN_CONTINUED', 'TRIALS_FAILED', 'AA_CHECK'];
    const notices = codes.map((code) => ({ code, message: plain(code) }));
    expect(groupedNotices(notices, ENGLISH).map(({ message, isFact }) => [message, isFact])).toEqual([
      ['TRIALS_FAILED', false],
      ['HOST_SWAPPING', false],
      ['AA_CHECK', false],
      ['PORT_OPEN', true],
      ['RUN_CONTINUED', true],
    ]);
  });

  it('keep what concerns the run apart from what concerns a scenario', () => {
    const notice = { code: 'X', message: plain('So it is.') };
    expect(groupedNotices([{ ...notice, scenarioId: 'a' }, notice], ENGLISH)).toEqual([
      { message: 'So it is.', scenarioIds: ['a'], isFact: false },
      { message: 'So it is.', scenarioIds: [], isFact: false },
    ]);
  });
});
