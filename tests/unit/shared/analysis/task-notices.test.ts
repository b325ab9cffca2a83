import { it } from 'vitest';
import { taskNotices } from '../../../../src/shared/analysis/task-notices.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { expectShown } from '../../../helpers/shown.ts';
import { makeState } from '../../builders.ts';
import { BASE as VOLUME, BIND, noticeLines, TWO } from './analysis-helpers.ts';

/** A run of a task whose trials took these seconds. */
function timed(seconds: Record<string, number[]>): Pick<RunState, 'plan' | 'trials'> {
  const { plan, trials } = makeState({
    scenarios: TWO,
    aaCheck: false,
    rounds: Math.max(...Object.values(seconds).map(({ length }) => length)),
  });
  return {
    plan: { ...plan, task: { kind: 'ready' } },
    trials: trials.map((trial) => {
      const own = seconds[trial.scenarioId]?.[trial.round - 1];
      const { totals } = trial;
      return {
        ...trial,
        totals: own === undefined || totals === null ? null : { ...totals, durationMs: 1000 * own },
      };
    }),
  };
}

it('a task says what its typical time leaves out, and what was decided early', async () => {
  const decided = timed({ [VOLUME]: [1, 1, 1, 1], [BIND]: [4, 4, 4, 4] });
  const rounds = decided.plan.rounds.map((ids, index) => ids.filter((id) => index < 3 || id !== BIND));
  const load = timed({ [VOLUME]: [1, 9, 1], [BIND]: [1, 1, 1] });
  const told = (run: ReturnType<typeof timed>): string[] => noticeLines(taskNotices(run));
  await expectShown('task-notices', {
    'one far slower time, and one less than that': told(
      timed({ [VOLUME]: [6, 6.2, 24.8, 6.1, 6.3], [BIND]: [6, 6.2, 6.4, 15.4, 6.1] }),
    ),
    'two of them': told(timed({ [VOLUME]: [1, 9, 1, 8, 1], [BIND]: [1, 1, 1, 1, 1] })),
    'fewer than three times': told(timed({ [VOLUME]: [1, 9], [BIND]: [1, 1] })),
    'no task': told({ ...load, plan: { ...load.plan, task: null } }),
    'later rounds left one out': told({ ...decided, plan: { ...decided.plan, rounds } }),
  });
});
