import { describe, expect, it, vi } from 'vitest';
import { makePlan } from '../../builders.ts';
import { CLIENT, RUNNING, runTrialsOn, SHAPE } from './trial-bench.ts';

vi.mock('../../../../src/benchmark/run/servers/make-servers.ts', () => ({
  makeServer: (
    _: unknown,
    { servers }: { servers: Map<string, unknown> },
    { serverId }: { serverId: string },
  ) => Promise.resolve(servers.get(serverId)),
}));

/** Storage types whose migrations take these ms, with 2% noise that is another for tmpfs. */
const TIMES = { 'named-volume': 1000, 'bind-mount': 3000, tmpfs: 990 } as const;

async function timed(graces: number[] = []) {
  const scenarios = Object.keys(TIMES).map((storage) => ({
    storage: storage as keyof typeof TIMES,
    path: 'published-port' as const,
  }));
  const plan = makePlan({ ...SHAPE, scenarios, rounds: 8 });
  plan.task = { kind: 'migrations', count: 1 };
  plan.schedule = { ...plan.schedule, untilConclusive: { budgetMinutes: 60 } };
  const counts = new Map<string, number>();
  const stop = (graceSeconds: number): Promise<number> => Promise.resolve(graces.push(graceSeconds));
  const run = runTrialsOn(plan, {
    client: ({ id, storage: { kind } }) => ({
      ...CLIENT,
      script: () => {
        const count = (counts.get(id) ?? 0) + 1;
        counts.set(id, count);
        const isEven = count % 2 === 0;
        return Promise.resolve(
          TIMES[kind as keyof typeof TIMES] * (isEven === (kind === 'tmpfs') ? 1.02 : 1),
        );
      },
    }),
    server: { start: () => Promise.resolve({ ...RUNNING, stop }) },
  });
  expect(await run.error).toBeUndefined();
  return { ...run, plan };
}

describe('a run of tasks', () => {
  it('measures only the baseline and what is open, once it has decided something', async () => {
    const { events, state } = await timed();
    expect(events.filter(({ type }) => type === 'scenarios-decided')).toEqual([
      { type: 'scenarios-decided', after: 3, scenarioIds: ['bind-mount.published-port'] },
    ]);
    const rounds = (storage: string): number[] =>
      state().trials.flatMap(({ scenarioId, round, status }) =>
        scenarioId.startsWith(storage) && status === 'measured' ? [round] : [],
      );
    expect(rounds('bind-mount')).toEqual([1, 2, 3]);
    expect(rounds('tmpfs').length).toBeGreaterThan(3);
    expect(rounds('named-volume')).toEqual(rounds('tmpfs'));
    expect(state().trials.every(({ status }) => status === 'measured')).toBe(true);
  });

  it('kills each server once its task has ended', async () => {
    const graces: number[] = [];
    const { state } = await timed(graces);
    expect(graces).toEqual(state().trials.map(() => 0));
  });
});
