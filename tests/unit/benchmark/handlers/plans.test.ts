import { expect, it } from 'vitest';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { OwnTasks } from '../../../../src/benchmark/handlers/own-tasks.ts';
import { Plans } from '../../../../src/benchmark/handlers/plans.ts';
import { testWhalemark } from '../../whalemark.ts';
import { GRID, makeState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { mysqlEngine } from '../../planned.ts';

const ownTasks = new OwnTasks(() => undefined);

function plansWith(runtime: FakeRuntime, continued?: RunState): Plans {
  const never = (): never => {
    throw new Error('not asked for');
  };
  return new Plans(testWhalemark(), {
    runtimes: { finder: () => () => Promise.resolve({ engines: [runtime] }) },
    databases: { get: never, readAgain: never },
    ownTasks,
    isFromFile: never,
    runs: {
      load: never,
      continuable: () => (continued === undefined ? never() : Promise.resolve(continued)),
    },
  });
}

it('the last plans of a session can be started, and those before them fill no memory', async () => {
  const plans = plansWith(mysqlEngine());
  const made: string[] = [];
  for (let count = 0; count < 25; count++) {
    made.push((await plans.handlers['plan:make']({ presetId: 'docker-options', mode: 'full' })).id);
  }
  expect(plans.get(made.at(-1) ?? '').plan.id).toBe(made.at(-1));
  expect(plans.get(made.at(-5) ?? '').plan.id).toBe(made.at(-5));
  expect(() => plans.get(made[0] ?? '')).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

it('plans the user’s command by its key, with words that are in no plan', async () => {
  const words = ['php', 'artisan', 'migrate'];
  const key = await ownTasks.handlers['core:own-task']({ kind: 'command', words, folder: '/shop' });
  const plans = plansWith(mysqlEngine());
  const plan = await plans.handlers['plan:make']({ presetId: '', ownTask: key, mode: 'full' });
  expect(plan).toMatchObject({ task: { kind: 'command' }, preset: { id: 'time-command' } });
  expect(JSON.stringify(plan)).not.toContain('artisan');
  expect(plans.get(plan.id).own?.command).toMatchObject({ words, folder: '/shop' });
  const later = plans.handlers['plan:make']({ presetId: '', ownTask: 'of-yesterday', mode: 'full' });
  await expect(later).rejects.toMatchObject({ code: 'TASK_UNKNOWN' });
});

it('compares two servers on the first storage type of a task, also of an own one', async () => {
  const runtime = mysqlEngine();
  runtime.addImage('mariadb:11.8', { env: { MARIADB_VERSION: '11.8.6' } });
  const make = plansWith(runtime).handlers['plan:make'];
  const words = ['php', 'artisan', 'migrate'];
  const ownTask = await ownTasks.handlers['core:own-task']({ kind: 'command', words, folder: '/shop' });
  const images = { image: 'mysql:8.4', comparedImage: 'mariadb:11.8' };
  for (const asked of [{ presetId: 'time-import' }, { presetId: 'time-migrations', ownTask }]) {
    const { scenarios } = await make({ ...asked, ...images, mode: 'full' });
    expect(scenarios.filter(({ isAaRepeat }) => !isAaRepeat).map(({ label }) => label.server)).toEqual([
      'MySQL 8.4',
      'MariaDB 11.8',
    ]);
  }
});

it('has the time limit that the user asks for, and a small run is the preset’s small form', async () => {
  const make = plansWith(mysqlEngine()).handlers['plan:make'];
  const minute = await make({ presetId: 'docker-options', mode: 'full', untilConclusiveMinutes: 1 });
  expect(minute.schedule.untilConclusive).toEqual({ budgetMinutes: 1 });
  const small = await make({ presetId: 'smash-mysql-docker-for-mac', mode: 'small' });
  expect(small).toMatchObject({ mode: 'small', schedule: { durationSeconds: 10 } });
});

it('a run that was stopped continues with its own plan, and fetches no image that it has', async () => {
  const runtime = new FakeRuntime();
  const stopped = makeState({
    scenarios: GRID.slice(0, 2),
    aaCheck: false,
    rounds: 6,
    outcome: 'stopped',
    // Two rounds are measured.
    outcomes: Object.fromEntries(
      GRID.slice(0, 2).map(({ storage, path }) => [`${storage}.${path}`, [500, 500]]),
    ),
  });
  const plan: Plan = {
    ...stopped.plan,
    engines: [{ ...stopped.plan.engines[0], passport: runtime.passport }],
    configs: stopped.plan.configs.map((one) => ({ ...one, image: { ...one.image, imageId: null } })),
    toPrepare: ['mysql:8.4', 'node:22'].map((reference) => ({
      kind: 'pull' as const,
      reference,
      bytes: null,
    })),
  };
  const state = { ...stopped, appVersion: '0', plan };
  const answer = await plansWith(runtime, state).handlers['plan:continue']({ runId: state.runId });
  expect(answer.plan).toMatchObject({ mode: 'full', rounds: plan.rounds });
  // Its server's image was never pulled.
  expect(answer.plan.toPrepare.map(({ reference }) => reference)).toEqual(['mysql:8.4']);
  expect(answer.left).toMatchObject({ kept: 4, left: 8 });
});
