import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { groupedNotices } from '../../../../src/shared/words/grouped-notices.ts';
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

  it('begin with lost trials, then what makes a verdict doubtful', () => {
    const codes = ['FIXED_RATE', 'HOST_SWAPPING', 'RUN_CONTINUED', 'TRIALS_FAILED', 'AA_CHECK'];
    const notices = codes.map((code) => ({ code, message: plain(code) }));
    expect(groupedNotices(notices, ENGLISH).map(({ message, isFact }) => [message, isFact])).toEqual([
      ['TRIALS_FAILED', false],
      ['HOST_SWAPPING', false],
      ['AA_CHECK', false],
      ['FIXED_RATE', true],
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
