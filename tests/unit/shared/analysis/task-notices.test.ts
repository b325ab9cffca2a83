import { describe, expect, it } from 'vitest';
import { taskNotices } from '../../../../src/shared/analysis/task-notices.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState } from '../../builders.ts';

const [VOLUME, BIND] = ['named-volume.published-port', 'bind-mount.published-port'];

/** A run of a task whose trials took these seconds. */
function timed(seconds: Record<string, number[]>): Pick<RunState, 'plan' | 'trials'> {
  const { plan, trials } = makeState({
    scenarios: [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'bind-mount', path: 'published-port' },
    ],
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

const told = (run: Pick<RunState, 'plan' | 'trials'>) =>
  taskNotices(run).map(({ code, scenarioId, message }) => [code, scenarioId, message.text]);

describe('what the typical time of a task leaves out', () => {
  it('is said, with how often and how much', () => {
    expect(told(timed({ [VOLUME]: [6, 6.2, 24.8, 6.1, 6.3], [BIND]: [6, 6.2, 6.4, 15.4, 6.1] }))).toEqual([
      ['TASK_OUTLIERS', VOLUME, expect.stringContaining('1 of 5 took 4.0× as long as the median, 6.20 s.')],
    ]);
    expect(told(timed({ [VOLUME]: [1, 9, 1, 8, 1], [BIND]: [1, 1, 1, 1, 1] }))).toEqual([
      ['TASK_OUTLIERS', VOLUME, expect.stringContaining('2 of 5 took up to 9.0× as long')],
    ]);
  });

  it('is nothing with fewer than three, and of load', () => {
    const run = timed({ [VOLUME]: [1, 9], [BIND]: [1, 1] });
    expect(told(run)).toEqual([]);
    expect(
      told({ ...timed({ [VOLUME]: [1, 9, 1], [BIND]: [1, 1, 1] }), plan: { ...run.plan, task: null } }),
    ).toEqual([]);
  });
});

it('a scenario that was decided early is said to be left out of later rounds', () => {
  const run = timed({ [VOLUME]: [1, 1, 1, 1], [BIND]: [4, 4, 4, 4] });
  const rounds = run.plan.rounds.map((ids, index) => ids.filter((id) => index < 3 || id !== BIND));
  expect(told({ ...run, plan: { ...run.plan, rounds } })).toEqual([
    ['ROUNDS_DECIDED', BIND, 'Decided after 3 rounds, so later rounds left it out.'],
  ]);
});
