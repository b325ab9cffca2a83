import { describe, expect, it } from 'vitest';
import { decodeHistogram } from '../../../../src/shared/histogram/histogram.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { twoEngines } from '../../builders.ts';
import { TWO } from '../../shared/analysis/analysis-helpers.ts';
import { finished, runSide, sidePlan } from './side-bench.ts';

const [VOLUME, BRIDGE, BIND] = [
  'named-volume.published-port',
  'named-volume.container-ip',
  'bind-mount.published-port',
] as const;

/** Passes of the slices that count, by scenario, of the first round. */
function passesOf(state: RunState): Record<string, number[]> {
  const first = state.trials.filter(({ round }) => round === 1);
  return Object.fromEntries(
    first.map(({ scenarioId, slices }) => [scenarioId, slices.map(({ pass }) => pass)]),
  );
}

function statusOf(state: RunState): Record<string, string> {
  return Object.fromEntries(
    state.trials.map(({ scenarioId, status, error }) => [scenarioId, error?.code ?? status]),
  );
}

const failing = (code: 'INTERRUPTED' | 'CLIENT_LOST' | 'ENGINE_LOST') =>
  Promise.reject(new BenchmarkError(code, { reason: 'x', action: 'x' }));
const noticesOf = (events: UntimedEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));

describe('scenarios that take turns', () => {
  it('each get a slice in every pass, in a new order that is stored', async () => {
    const plan = sidePlan({ rounds: 2, durationSeconds: 6 });
    const { state, measured } = await finished(plan);
    const orders = new Set<string>();
    for (const round of [1, 2]) {
      const trials = state.trials.filter((one) => one.round === round);
      expect(trials.map(({ status }) => status)).toEqual(['measured', 'measured', 'measured']);
      for (let pass = 1; pass <= 6; pass++) {
        const positions = trials.map(({ slices }) => slices.find((one) => one.pass === pass)?.position);
        expect([...positions].sort()).toEqual([1, 2, 3]);
        orders.add(positions.join());
      }
      for (const { slices, windows } of trials) {
        const counted = windows.filter(({ phase }) => phase === 'measure');
        expect(counted.map(({ pass, position }) => ({ pass, position }))).toEqual(
          slices.map(({ pass, position }) => ({ pass, position })),
        );
        expect(counted.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
      }
    }
    expect(orders.size).toBeGreaterThan(3);
    expect(measured()).toHaveLength(2 * 6 * 3);
  });

  it('add up to trials, and have the machine to themselves: every other server is frozen', async () => {
    const { state, events, measured, asked } = await finished(sidePlan());
    for (const { slices, totals } of state.trials) {
      // 101, 102, and 103 transactions.
      expect(totals).toMatchObject({ transactions: 306, durationMs: 3000 });
      expect(totals?.client.cpuSeconds).toBeCloseTo(6.3);
      expect(slices.map(({ transactions }) => transactions)).toEqual([101, 102, 103]);
      expect(decodeHistogram(totals?.histogram ?? '').totalCount).toBe(306);
    }
    // Nothing ends before the last pass.
    const kinds = events.flatMap(({ type }) => (/^(slice|trial)-finished$/.test(type) ? [type] : []));
    expect(kinds.indexOf('trial-finished')).toBe(9);
    expect(events.filter(({ type }) => type === 'trial-started')).toHaveLength(3);
    for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
    // Warming up, both run at the same time, and only once for each start.
    const warmUps = asked.filter(({ number }) => number === 0);
    expect(warmUps.map(({ awake }) => awake.length)).toContain(2);
    expect(new Set(warmUps.map(({ scenarioId }) => scenarioId)).size).toBe(2);
  });

  it('get longer slices where their connections finish little', async () => {
    const { measured, state } = await finished(sidePlan({ durationSeconds: 5 }), { transactions: 1 });
    const own = measured().filter(({ scenarioId }) => scenarioId === BIND);
    expect(own.map(({ durationMs }) => durationMs)).toEqual([1000, 1000, 4000, ...Array(4).fill(10_000)]);
    // Fewer than eight transactions count only if no slice can be longer.
    expect(passesOf(state)[BIND]).toEqual([2, 3, 4, 5]);
  });
});

describe('a slice that is lost', () => {
  it.each([
    ['before its first slice', 1],
    ['later', 2],
  ])('because its server died while frozen, %s, costs only itself, with the reason', async (_, pass) => {
    let isDead = false;
    const { events, state, told } = await finished(sidePlan(), {
      slice: ({ serverId, number }, servers) => {
        if (serverId === 'bind-mount.bridge' || number !== pass || isDead) return undefined;
        isDead = true;
        servers.die('bind-mount.bridge');
        return undefined;
      },
    });
    expect(statusOf(state)).toEqual({ [VOLUME]: 'measured', [BRIDGE]: 'measured', [BIND]: 'measured' });
    expect(passesOf(state)[VOLUME]).toEqual([1, 2, 3]);
    expect(passesOf(state)[BIND]).toEqual([1, 2, 3]);
    expect(events.filter(({ type }) => type === 'trial-lost')).toMatchObject([
      { error: { code: 'SERVER_OUT_OF_MEMORY' } },
    ]);
    expect(noticesOf(events)).toEqual(['SLICE_LOST']);
    expect(told.filter((one) => one === 'start bind-mount.bridge')).toHaveLength(2);
  });

  it('restarts the server also for the other scenario on it, which loses nothing', async () => {
    const { state, measured } = await finished(sidePlan(), {
      slice: ({ scenarioId, number }) =>
        scenarioId === VOLUME && number === 2 ? failing('INTERRUPTED') : undefined,
    });
    expect(passesOf(state)).toEqual({ [VOLUME]: [1, 2, 3], [BRIDGE]: [1, 2, 3], [BIND]: [1, 2, 3] });
    for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
  });

  it('twice in a row ends the trial, which keeps its other slices', async () => {
    const { state, measured } = await finished(sidePlan({ durationSeconds: 5 }), {
      slice: ({ scenarioId, number }) =>
        scenarioId === BIND && [2, 4, 5].includes(number) ? failing('INTERRUPTED') : undefined,
    });
    expect(statusOf(state)).toMatchObject({ [VOLUME]: 'measured', [BIND]: 'INTERRUPTED' });
    expect(passesOf(state)[BIND]).toEqual([1, 2]);
    expect(measured().filter(({ scenarioId }) => scenarioId === BIND)).toHaveLength(5);
    expect(state.trials.find(({ scenarioId }) => scenarioId === BIND)?.totals?.transactions).toBe(101 + 103);
  });
});

describe('a slice in which too little ended', () => {
  it.each(['isCut', 'isEmpty'] as const)(
    'is missing, never zero, and measured again on the same server at the end of its pass: %s',
    async (what) => {
      const { state, measured, events, told } = await finished(sidePlan(), {
        [what]: ({ scenarioId, number }: { scenarioId: string; number: number }) =>
          scenarioId === BIND && number === 2,
      });
      expect(passesOf(state)).toEqual({ [VOLUME]: [1, 2, 3], [BRIDGE]: [1, 2, 3], [BIND]: [1, 2, 3] });
      const own = state.trials.find(({ scenarioId }) => scenarioId === BIND);
      expect(own?.slices.map(({ transactions }) => transactions)).toEqual([101, 103, 104]);
      expect(own?.windows.map(({ transactions }) => transactions)).toEqual([101, 103, 104]);
      expect(own?.totals?.transactions).toBe(101 + 103 + 104);
      expect(events.filter(({ type }) => type === 'trial-lost')).toMatchObject([
        { error: { code: 'NOTHING_FINISHED' } },
      ]);
      expect(noticesOf(events)).toEqual(['SLICE_LOST']);
      expect(told.filter((one) => one === 'start bind-mount.bridge')).toHaveLength(1);
      for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
      expect(measured().every(({ durationMs }) => durationMs === 1000)).toBe(true);
    },
  );

  it('again at the end of its pass is missing there, which is said, and gets more time', async () => {
    const { state, events, measured } = await finished(sidePlan(), {
      isEmpty: ({ scenarioId, number }) => scenarioId === BIND && [2, 3].includes(number),
    });
    expect(passesOf(state)[BIND]).toEqual([1, 3]);
    expect(statusOf(state)[BIND]).toBe('measured');
    expect(noticesOf(events)).toEqual(['SLICE_LOST']);
    const own = measured().filter(({ scenarioId }) => scenarioId === BIND);
    expect(own.map(({ durationMs }) => durationMs)).toEqual([1000, 1000, 1000, 4000]);
  });

  it('four times in a row ends the trial with the reason', async () => {
    const { state, measured } = await finished(sidePlan(), {
      isEmpty: ({ scenarioId }) => scenarioId === BIND,
    });
    expect(statusOf(state)).toMatchObject({ [VOLUME]: 'measured', [BIND]: 'NOTHING_FINISHED' });
    expect(measured().filter(({ scenarioId }) => scenarioId === BIND)).toHaveLength(4);
  });
});

it('a slice next to a server that could not be frozen is marked as long as that fails, and the others are still frozen', async () => {
  const { state, events } = await finished(sidePlan(), {
    freeze: (id) =>
      id === 'bind-mount.bridge'
        ? Promise.reject(new BenchmarkError('ENGINE_REFUSED', { action: 'x', reason: 'busy' }))
        : undefined,
  });
  expect(noticesOf(events)).toEqual(['NOT_FROZEN']);
  const marked = state.trials.map(({ scenarioId, slices }) => [scenarioId, slices.map(({ awake }) => awake)]);
  expect(Object.fromEntries(marked)).toEqual({
    [VOLUME]: [1, 1, 1],
    [BRIDGE]: [1, 1, 1],
    [BIND]: [undefined, undefined, undefined],
  });
});

describe('a scenario that can’t be prepared', () => {
  it('fails in its turn without a second try, and the others go on', async () => {
    const { state, told } = await finished(sidePlan(), {
      check: ({ id }) =>
        id === BIND
          ? Promise.reject(new BenchmarkError('PATH_NO_TRAFFIC', { path: 'x', address: 'y', reason: 'z' }))
          : undefined,
    });
    expect(statusOf(state)).toEqual({
      [VOLUME]: 'measured',
      [BRIDGE]: 'measured',
      [BIND]: 'PATH_NO_TRAFFIC',
    });
    expect(told.filter((one) => one === `check ${BIND}`)).toHaveLength(1);
  });

  it('because its server does not start is told after one start, and given up after two rounds', async () => {
    const { state, told } = await finished(sidePlan({ rounds: 4 }), {
      start: (id) =>
        id === 'bind-mount.bridge'
          ? Promise.reject(new BenchmarkError('SERVER_NOT_READY', { seconds: '1' }))
          : undefined,
    });
    const own = state.trials.filter(({ scenarioId }) => scenarioId === BIND);
    expect(own.map((one) => one.error?.code)).toEqual(Array(4).fill('SERVER_NOT_READY'));
    expect(told.filter((one) => one === 'start bind-mount.bridge')).toHaveLength(2);
  });
});

describe('an engine whose connection breaks', () => {
  it('with servers frozen costs a slice: all are halted, and start together again', async () => {
    let isLost = false;
    const { state, told, measured, events } = await finished(sidePlan(), {
      slice: ({ scenarioId, number }) => {
        if (scenarioId !== BRIDGE || number !== 2 || isLost) return undefined;
        isLost = true;
        return failing('ENGINE_LOST');
      },
    });
    expect(passesOf(state)).toEqual({ [VOLUME]: [1, 2, 3], [BRIDGE]: [1, 2, 3], [BIND]: [1, 2, 3] });
    expect(events.filter(({ type }) => type === 'trial-lost')).toMatchObject([
      { error: { code: 'INTERRUPTED' } },
    ]);
    expect(told.filter((one) => one.startsWith('halt')).sort()).toEqual([
      'halt bind-mount.bridge',
      'halt named-volume.bridge',
    ]);
    for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
  });

  it('while servers start is tried once more, then ends the run', async () => {
    const once = runSide(sidePlan(), {
      start: (_, told) => (told.length === 1 ? failing('ENGINE_LOST') : undefined),
    });
    expect(await once.error).toBeUndefined();
    expect(statusOf(once.state())[VOLUME]).toBe('measured');
    const always = runSide(sidePlan(), { start: () => failing('ENGINE_LOST') });
    expect(await always.error).toMatchObject({ code: 'ENGINE_LOST' });
  });
});

describe('one of two engines', () => {
  /** Both storages on their own engine. */
  const onTwoEngines = (): Plan => {
    const plan = sidePlan({ rounds: 2 });
    const ids = ['first', 'second'];
    return {
      ...plan,
      engines: twoEngines(plan, ['first', 'second']),
      configs: ids.flatMap((id) => plan.configs.map((one) => ({ ...one, id, engine: id }))),
      scenarios: plan.scenarios.map((one) => {
        const engine = one.storage.kind === 'bind-mount' ? 'second' : 'first';
        return { ...one, engine, configId: engine };
      }),
    };
  };
  const away = (): FakeRuntime => {
    const runtime = new FakeRuntime();
    runtime.failing.set('ping', new BenchmarkError('ENGINE_LOST', { action: 'x', reason: 'x' }));
    return runtime;
  };

  it('rests while the other works', async () => {
    const { measured } = await finished(onTwoEngines());
    expect(measured()).toHaveLength(2 * 3 * 3);
    for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
  });

  it('that is lost costs its own slices', async () => {
    const { state } = await finished(onTwoEngines(), {
      runtime: away(),
      slice: ({ scenarioId, number }) =>
        scenarioId === BIND && number === 2 ? failing('ENGINE_LOST') : undefined,
    });
    expect(passesOf(state)).toEqual({ [VOLUME]: [1, 2, 3], [BRIDGE]: [1, 2, 3], [BIND]: [1] });
    expect(statusOf(state)).toEqual({ [VOLUME]: 'measured', [BRIDGE]: 'measured', [BIND]: 'ENGINE_LOST' });
  });

  it('that is lost last ends the run', async () => {
    const { error } = runSide(onTwoEngines(), { runtime: away(), slice: () => failing('ENGINE_LOST') });
    expect(await error).toMatchObject({ code: 'ENGINE_LOST' });
  });
});

describe('a run side by side that is', () => {
  it.each([
    ['starting', 'step-started', 1],
    ['starting its second server', 'step-progress', 1],
    ['warming up', 'step-progress', 3],
    ['at a turn’s begin', 'trial-started', 2],
    ['in a slice', 'trial-phase', 4],
    ['between two slices', 'slice-finished', 4],
  ] as const)('stopped while %s ends at once, and does nothing more to a server', async (_, type, count) => {
    const stop = new AbortController();
    let seen = 0;
    let toldThen = 0;
    const told: string[] = [];
    const run = runSide(sidePlan(), {
      ...{ stop, told },
      slice: ({ signal }) => (signal.aborted ? Promise.reject(new BenchmarkError('STOPPED')) : undefined),
      on: (event) => {
        if (event.type !== type || ++seen !== count) return;
        stop.abort();
        toldThen = told.length;
      },
    });
    expect(await run.error).toMatchObject({ code: 'STOPPED' });
    expect(told.slice(toldThen).filter((one) => !one.startsWith('check'))).toEqual([]);
    const statuses = Object.values(statusOf(run.state()));
    expect(statuses.filter((one) => one !== 'STOPPED' && one !== 'running' && one !== 'pending')).toEqual([]);
  });

  it('paused holds no server, and goes on with all of them together', async () => {
    let atPause: number | undefined;
    const told: string[] = [];
    const { state, measured } = await finished(sidePlan(), {
      told,
      on: (event, control, servers) => {
        if (event.type === 'slice-finished' && event.slice.pass === 2 && event.slice.position === 1) {
          control.pause();
        }
        if (event.type !== 'run-paused') return;
        atPause = servers.state.size;
        told.length = 0;
        setTimeout(() => control.resume(), 0);
      },
    });
    expect(atPause).toBe(0);
    expect(told.slice(0, 2).map((one) => one.split(' ')[0])).toEqual(['start', 'start']);
    expect(passesOf(state)).toEqual({ [VOLUME]: [1, 2, 3], [BRIDGE]: [1, 2, 3], [BIND]: [1, 2, 3] });
    for (const { serverId, awake } of measured()) expect(awake).toEqual([serverId]);
    // A trial's earlier transactions count in its evidence, too.
    expect(state.trials.map(({ evidence }) => evidence?.transactions)).toEqual([306, 306, 306]);
  });

  it('told to skip a slice leaves out the rest of its trial', async () => {
    const { state } = await finished(sidePlan(), {
      slice: ({ scenarioId, number, signal }) =>
        scenarioId === VOLUME && number === 2
          ? new Promise((_, reject) =>
              signal.addEventListener('abort', () => reject(new BenchmarkError('STOPPED'))),
            )
          : undefined,
      on: (event, control) => {
        if (event.type !== 'trial-phase' || event.phase !== 'measure') return;
        if (event.trialId === `r1.${VOLUME}`) setTimeout(() => control.skip(), 0);
      },
    });
    expect(statusOf(state)).toEqual({ [VOLUME]: 'SKIPPED', [BRIDGE]: 'measured', [BIND]: 'measured' });
    expect(passesOf(state)).toEqual({ [VOLUME]: [1], [BRIDGE]: [1, 2, 3], [BIND]: [1, 2, 3] });
  });
});

describe('groups', () => {
  const plan = sidePlan({
    scenarios: [...TWO, { storage: 'tmpfs', path: 'published-port' }],
  });
  const [base = '', bind = '', tmpfs = ''] = plan.scenarios.map(({ serverId }) => serverId);
  const twoGroups: Plan = {
    ...plan,
    groups: [
      [base, bind],
      [base, tmpfs],
    ],
  };
  const passesIn = (state: RunState) => {
    const passes = passesOf(state);
    return plan.scenarios.map(({ id }) => passes[id]);
  };

  it('take their turns one after another, and of the one before only the baseline’s server stays', async () => {
    const { state, told, events } = await finished(twoGroups);
    expect(events.filter(({ type }) => type === 'trial-finished')).toHaveLength(3);
    expect(passesIn(state)).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(told.filter((one) => one.startsWith('start')).sort()).toEqual(
      [base, bind, tmpfs].map((id) => `start ${id}`).sort(),
    );
    expect(told).toContain(`stop ${bind}`);
    expect(told).not.toContain(`stop ${base}`);
    expect(state.trials.map(({ evidence }) => evidence === null)).toEqual([false, false, false]);
  });

  it('are all measured within a time limit, however short', async () => {
    const schedule = { ...plan.schedule, rounds: 9, untilConclusive: { budgetMinutes: 1e-6 } };
    const { state, told } = await finished({ ...twoGroups, schedule });
    expect(passesIn(state)).toEqual([[1, 2], [1], [2]]);
    expect(statusOf(state)).toEqual(Object.fromEntries(plan.scenarios.map(({ id }) => [id, 'measured'])));
    expect(state.roundsEnded).toBe('budget');
    expect(told).toContain(`stop ${bind}`);
  });
});
