import { it } from 'vitest';
import { failureGroups } from '../../../../src/shared/run/failures.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { GRID, makeState, type TrialOutcome } from '../../builders.ts';
import { ENGLISH } from '../../../../src/shared/words/i18n.ts';
import { labelsText } from '../../../../src/shared/words/labels.ts';

const shape = { scenarios: GRID.slice(0, 2), aaCheck: false, rounds: 3 };

const told = (outcomes: Record<string, TrialOutcome[]>): string[] =>
  failureGroups(makeState({ ...shape, outcomes })).map(
    ({ labels, error, rounds }) => `${error.code} in ${rounds.join()}: ${labelsText(labels, ENGLISH)}`,
  );

it('failures of a scenario are told once with their rounds, and those of a task once for all scenarios', async () => {
  const ofTask = (code: 'TASK_FAILED' | 'COMMAND_ELSEWHERE'): string[] =>
    told({
      'named-volume.published-port': [code, 500, code],
      'named-volume.user-bridge': [code, 500, 500],
    });
  await expectShown('failures', {
    'two scenarios': told({
      'named-volume.published-port': ['SERVER_EXITED', 500, 'SERVER_EXITED'],
      'named-volume.user-bridge': ['PATH_NO_TRAFFIC', 'SERVER_EXITED', 'canceled'],
    }),
    'a task': ofTask('TASK_FAILED'),
    'a command that went elsewhere': ofTask('COMMAND_ELSEWHERE'),
  });
});
