import { describe, expect, it } from 'vitest';
import { failureGroups } from '../../../../src/shared/run/failures.ts';
import { GRID, makeState } from '../../builders.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { labelsText } from '../../../../src/shared/words/labels.ts';

const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 3 };

describe('failures', () => {
  it('of a scenario are told once, with the rounds they happened in', () => {
    const state = makeState({
      ...shape,
      outcomes: {
        'named-volume.published-port': ['SERVER_EXITED', 500, 'SERVER_EXITED'],
        'named-volume.user-bridge': ['PATH_NO_TRAFFIC', 'SERVER_EXITED', 'canceled'],
      },
    });
    expect(
      failureGroups(state).map(({ labels, error, rounds }) => [
        labelsText(labels, ENGLISH),
        error.code,
        rounds,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['named volume via published port', 'SERVER_EXITED', [1, 3]],
        ['named volume via bridge network (client in a container)', 'PATH_NO_TRAFFIC', [1]],
        ['named volume via bridge network (client in a container)', 'SERVER_EXITED', [2]],
      ]),
    );
    expect(failureGroups(state)).toHaveLength(3);
  });

  it.each(['TASK_FAILED', 'COMMAND_ELSEWHERE'] as const)(
    'of a task are told once for all scenarios: %s',
    (code) => {
      const state = makeState({
        ...shape,
        outcomes: {
          'named-volume.published-port': [code, 500, code],
          'named-volume.user-bridge': [code, 500, 500],
        },
      });
      const [only, ...others] = failureGroups(state);
      expect(only).toMatchObject({ rounds: [1, 3] });
      const names = labelsText(only?.labels ?? [], ENGLISH);
      expect(names).toContain('named volume via published port');
      expect(names).toContain('named volume via bridge network');
      expect(others).toEqual([]);
    },
  );
});
