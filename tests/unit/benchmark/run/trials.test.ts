import { promises as fs } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { diagnoseLostConnection } from '../../../../src/benchmark/context/clients.ts';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { LoadEvent, LoadSpec } from '../../../../src/benchmark/load/load-client.ts';
import type { RunningServer } from '../../../../src/benchmark/servers/target-server.ts';
import { BenchmarkError, type ErrorCode } from '../../../../src/shared/errors.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import { reduce } from '../../../../src/shared/run/reduce.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePlan } from '../../plan-builder.ts';
import { makeState } from '../../builders.ts';
import { CLIENT, RUNNING, runTrialsOn, SHAPE, TOTALS } from './trial-bench.ts';

/** Behavior of the parts of a trial. */
interface Parts {
  query?: () => Promise<unknown>;
  stop?: () => Promise<never>;
  /** A failure of the load; undefined: it measures. */
  load?: () => Promise<never> | undefined;
  /** Transactions of the load's last window. */
  last?: number;
  /** Failures of the path's later checks; undefined: it works. */
  recheck?: () => Promise<never> | undefined;
  runtime?: FakeRuntime;
  /** A failure of the server's start; undefined: it starts. */
  start?: () => Promise<never> | undefined;
  halt?: (() => Promise<void>) | undefined;
}

/** Runs one trial whose parts do what `parts` says, and folds its events. */
async function trialOf(parts: Parts, stop?: AbortController) {
  const plan = { ...makePlan(SHAPE), workload: workloadSchema.parse({ kind: 'tpcc' }) };
  const { error, state } = await runTrials(plan, parts, stop);
  return { error, trial: state.trials[0] };
}

/** Runs all trials of a plan, or what an earlier session has left of them. */
async function runTrials(plan: Plan, parts: Parts, stop?: AbortController, earlier?: RunState) {
  const { windows: [window] = [] } = makeState(SHAPE).trials[0] ?? {};
  let checks = 0;
  const client = {
    ...CLIENT,
    check: () => ((checks += 1) > 1 ? parts.recheck?.() : undefined) ?? CLIENT.check(),
    query: parts.query ?? CLIENT.query,
    run: (_: LoadSpec, on: (event: LoadEvent) => void) => {
      if (window !== undefined && parts.last !== undefined) {
        on({ type: 'window', window: { ...window, transactions: parts.last } });
      }
      return parts.load?.() ?? Promise.resolve(TOTALS);
    },
  };
  const running = { ...RUNNING, stop: parts.stop ?? RUNNING.stop };
  const server = { halt: parts.halt, start: () => parts.start?.() ?? Promise.resolve(running) };
  const { runtime = new FakeRuntime() } = parts;
  const run = runTrialsOn(plan, { client, server, runtime, stop, earlier });
  return { error: await run.error, state: run.state(), events: run.events };
}

const rejecting = (code: ErrorCode) => () => Promise.reject(new BenchmarkError(code));

describe('a trial whose last second has no answer', () => {
  it('does not count when nothing answers any more: a path that is gone is not slow', async () => {
    const { trial } = await trialOf({ last: 0, recheck: rejecting('PATH_NO_TRAFFIC') });
    expect([trial?.status, trial?.error?.code]).toEqual(['failed', 'PATH_NO_TRAFFIC']);
  });

  it('was interrupted when its engine stood still, too, and both answer again', async () => {
    const answers = [rejecting('PATH_NO_TRAFFIC')];
    const { trial } = await trialOf({ last: 0, recheck: () => answers.shift()?.() });
    expect([trial?.status, trial?.error?.code]).toEqual(['failed', 'INTERRUPTED']);
  });

  it('counts when the server still answers: its storage may well be that slow', async () => {
    expect((await trialOf({ last: 0 })).trial?.status).toBe('measured');
  });
});

describe('a trial that was measured', () => {
  it('stays so when the engine is lost at its shutdown', async () => {
    const { error, state } = await runTrials(makePlan({ ...SHAPE, rounds: 2 }), {
      stop: rejecting('ENGINE_LOST'),
    });
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
    expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'failed']);
  });

  it('stays so when its counters can’t be read after the load', async () => {
    let isLoaded = false;
    const { error, trial } = await trialOf({
      load: () => void (isLoaded = true),
      query: () => (isLoaded ? Promise.reject(new BenchmarkError('ENGINE_LOST')) : CLIENT.query()),
    });
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
    expect(trial).toMatchObject({ status: 'measured', evidence: null });
  });

  it('stays so when the user stops while its data is checked', async () => {
    const stop = new AbortController();
    let isLoaded = false;
    let questions = 0;
    const { trial } = await trialOf(
      {
        load: () => void (isLoaded = true),
        query: () => {
          // First come the counters after the load.
          if (!isLoaded || ++questions === 1) return CLIENT.query();
          stop.abort();
          return Promise.reject(new BenchmarkError('STOPPED'));
        },
      },
      stop,
    );
    expect(trial?.status).toBe('measured');
    expect(trial?.error).toBeNull();
  });
});

describe('a disk that gets full', () => {
  afterEach(() => vi.restoreAllMocks());

  it('ends the run between two trials, and what was measured stays', async () => {
    const runtime = new FakeRuntime();
    runtime.root = '/var/lib/docker';
    let isMeasured = false;
    vi.spyOn(fs, 'statfs').mockImplementation(() =>
      Promise.resolve({ bsize: 2 ** 20, bavail: isMeasured ? 400 : 4000 } as never),
    );
    const { error, state } = await runTrials(makePlan({ ...SHAPE, rounds: 2 }), {
      runtime,
      load: () => void (isMeasured = true),
    });
    expect(error).toMatchObject({ code: 'STORAGE_FULL', params: { storage: '/var/lib/docker' } });
    expect(state.trials.map(({ status }) => status)).toEqual(['measured', 'pending']);
  });
});

describe('a trial that loses its client', () => {
  const plan = makePlan({
    ...SHAPE,
    scenarios: [...SHAPE.scenarios, { storage: 'bind-mount', path: 'published-port' }],
    rounds: 4,
  });
  const evidence = ['Illegal instruction'];
  const lost = () => Promise.reject(new BenchmarkError('CLIENT_LOST', { reason: 'SIGTRAP' }, { evidence }));
  const startsOf = (events: UntimedEvent[]) =>
    events.flatMap((event) => (event.type === 'trial-started' ? [event.trialId] : []));

  it('is measured once more at the end of its round', async () => {
    let loads = 0;
    const { events, state } = await runTrials(plan, {
      load: () => ((loads += 1) === 1 ? lost() : undefined),
    });
    const [first, second] = plan.rounds[0]?.map((id) => `r1.${id}`) ?? [];
    expect(startsOf(events).slice(0, 3)).toEqual([first, second, first]);
    expect(events.filter(({ type }) => type === 'trial-lost')).toMatchObject([
      { trialId: first, error: { code: 'CLIENT_LOST', evidence } },
    ]);
    expect(new Set(state.trials.map(({ status }) => status))).toEqual(new Set(['measured']));
  });

  it('fails where it loses it again, with the evidence, and is given up after two rounds', async () => {
    const { events, state } = await runTrials(plan, { load: lost });
    const { status, error } = state.trials[0] ?? {};
    expect({ status, error }).toMatchObject({ status: 'failed', error: { code: 'CLIENT_LOST', evidence } });
    // Two scenarios: twice in two rounds, then a look only.
    expect(startsOf(events)).toHaveLength(2 * (2 + 2 + 1 + 1));
  });
});

describe('the reason of a load that lost its connections', () => {
  const lost = new BenchmarkError('LOAD_FAILED', { reason: 'ECONNRESET' });
  const running = (failed: Promise<never>, alive = true) =>
    ({ failed, isAlive: () => Promise.resolve(alive) }) as unknown as RunningServer;
  const { signal } = new AbortController();

  it('is the end of the server, which its engine notices a moment later', async () => {
    const end = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new BenchmarkError('SERVER_OUT_OF_MEMORY')), 50),
    );
    expect(await diagnoseLostConnection(lost, running(end), signal)).toMatchObject({
      code: 'SERVER_OUT_OF_MEMORY',
    });
  });

  it('is waited for by nobody once the run is stopped', async () => {
    const stopped = new AbortController();
    const reason = diagnoseLostConnection(
      lost,
      running(new Promise<never>(() => undefined), false),
      stopped.signal,
    );
    stopped.abort();
    expect(await reason).toMatchObject({ code: 'STOPPED' });
  });

  it('is what the client says where the server goes on', async () => {
    expect(await diagnoseLostConnection(lost, running(new Promise<never>(() => undefined)), signal)).toBe(
      lost,
    );
  });
});

describe('the trials of a run that goes on', () => {
  const shape = {
    ...SHAPE,
    scenarios: [...SHAPE.scenarios, { storage: 'bind-mount' as const, path: 'published-port' as const }],
    rounds: 3,
  };

  it('are those of the rounds that are left, and count together with those of before', async () => {
    const stopped = makeState({
      ...shape,
      rounds: 8,
      // The same, with hardly any noise, as what is measured now: conclusive at the first look.
      outcomes: {
        'named-volume.published-port': [500, 501, 502, 'canceled'],
        'bind-mount.published-port': [501, 500, 'canceled'],
      },
      outcome: 'stopped',
    });
    const schedule = { ...stopped.plan.schedule, untilConclusive: { budgetMinutes: 60 } };
    const at = stopped.finishedAt ?? 0;
    const earlier = reduce(
      { ...stopped, plan: { ...stopped.plan, schedule } },
      { type: 'run-continued', at, from: at, owner: 'o' },
    );
    if (earlier === undefined) throw new Error('no state');
    const { error, events } = await runTrials(earlier.plan, {}, undefined, earlier);
    expect(error).toBeUndefined();
    const started = events.flatMap((event) => (event.type === 'trial-started' ? [event.trialId] : []));
    expect(started.slice(0, 2).sort()).toEqual([
      'r3.bind-mount.published-port',
      'r3.named-volume.published-port',
    ]);
    expect(events.find(({ type }) => type === 'rounds-ended')).toMatchObject({ because: 'conclusive' });
    expect(started.length).toBeLessThan(11);
  });
});

describe('an engine that is lost during a trial', () => {
  const twice = { ...SHAPE, rounds: 2 };
  /** Loses its server's engine once, in the first trial; `here` is what answers afterward. */
  async function lostOnce(runtime: FakeRuntime, halt?: () => Promise<void>) {
    let starts = 0;
    return runTrials(makePlan(twice), {
      runtime,
      halt,
      start: () => ((starts += 1) === 1 ? Promise.reject(new BenchmarkError('ENGINE_LOST')) : undefined),
    });
  }

  it('and answers again costs that trial only, once its server is at rest', async () => {
    let halted = 0;
    const { error, state } = await lostOnce(new FakeRuntime(), async () => void (halted += 1));
    expect(error).toBeUndefined();
    expect(state.trials.map(({ status, error: why }) => why?.code ?? status)).toEqual([
      'INTERRUPTED',
      'measured',
    ]);
    expect(halted).toBe(1);
  });

  it('and comes back in another version ends the run', async () => {
    const runtime = new FakeRuntime();
    runtime.ping = async () => ({ engineVersion: '99', kernel: runtime.passport.runtime.kernel });
    const { error } = await lostOnce(runtime, async () => undefined);
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
  });

  it('ends the run where its server can’t be stopped', async () => {
    const halt = () => Promise.reject(new BenchmarkError('ENGINE_LOST'));
    expect((await lostOnce(new FakeRuntime(), halt)).error).toMatchObject({ code: 'ENGINE_LOST' });
  });
});
