import { describe, expect, it } from 'vitest';
import type { Bench } from '../../../../src/benchmark/run/bench.ts';
import { betterReason } from '../../../../src/benchmark/run/better-reason.ts';
import type { RunContext, UntimedEvent } from '../../../../src/benchmark/run/context.ts';
import type { LoadEvent, LoadSpec } from '../../../../src/benchmark/load/driver.ts';
import { RunControl } from '../../../../src/benchmark/run/run-control.ts';
import { TrialRunner } from '../../../../src/benchmark/run/trials.ts';
import type { RunningServer } from '../../../../src/benchmark/target/target-server.ts';
import { BenchmarkError, type ErrorCode } from '../../../../src/shared/errors.ts';
import { workloadSchema } from '../../../../src/shared/model/workload.ts';
import { reduceAll } from '../../../../src/shared/reduce.ts';
import { FakeRuntime } from '../../fake-runtime.ts';
import { makePlan } from '../../plan-builder.ts';
import { makeState } from '../../builders.ts';

const SHAPE = {
  scenarios: [{ storage: 'named-volume' as const, path: 'published-port' as const }],
  noiseFloor: false,
  rounds: 1,
};

/** Runs one trial whose parts do what `parts` says, and folds what was told. */
async function trialOf(
  parts: {
    query?: () => Promise<never>;
    stop?: () => Promise<never>;
    /** Transactions of the load's last window. */
    last?: number;
    /** Answers after the first check of the path. */
    recheck?: () => Promise<never>;
  },
  stop?: AbortController,
) {
  const plan = { ...makePlan(SHAPE), workload: workloadSchema.parse({ kind: 'tpcc' }) };
  const totals = makeState(SHAPE).trials[0]?.totals;
  const events: UntimedEvent[] = [];
  const emit = (event: UntimedEvent): void => void events.push(event);
  let checks = 0;
  const client = {
    check: () => {
      checks += 1;
      return (
        (checks > 1 ? parts.recheck?.() : undefined) ?? Promise.resolve({ connectUs: 1, roundTripUs: 1 })
      );
    },
    query: parts.query ?? (() => Promise.resolve([])),
    run: (_: LoadSpec, on: (event: LoadEvent) => void) => {
      const window = makeState(SHAPE).trials[0]?.windows[0];
      if (window !== undefined && parts.last !== undefined) {
        on({ type: 'window', window: { ...window, transactions: parts.last } });
      }
      return Promise.resolve(totals);
    },
  };
  const running = {
    failed: new Promise<never>(() => undefined),
    address: () => ({ host: 'h', port: 1 }),
    mounts: () => Promise.resolve(undefined),
    flush: () => Promise.resolve(undefined),
    isAlive: () => Promise.resolve(true),
    stop: parts.stop ?? (() => Promise.resolve(0)),
  };
  const server = { id: 's', options: [], account: {}, start: () => Promise.resolve(running) };
  const bench = {
    servers: new Map(plan.scenarios.map(({ serverId }) => [serverId, server])),
    clients: { for: () => Promise.resolve(client), release: () => Promise.resolve() },
  } as unknown as Bench;
  const context = {
    plan,
    runtime: new FakeRuntime(),
    emit,
    control: new RunControl(emit),
    signal: (stop ?? new AbortController()).signal,
    budgets: { readyMs: 1000, pathMs: 1000 },
  } as unknown as RunContext;
  const started: UntimedEvent = { type: 'run-started', runId: 'r', appVersion: '0', plan };
  const error: unknown = await new TrialRunner(context, bench).runAll().catch((thrown: unknown) => thrown);
  const state = reduceAll([started, ...events].map((event) => ({ ...event, at: 1 })));
  return { error, trial: state?.trials[0] };
}

const rejecting = (code: ErrorCode) => () => Promise.reject(new BenchmarkError(code));

describe('a trial whose last second has no answer', () => {
  it('does not count when nothing answers any more: a path that is gone is not slow', async () => {
    const { trial } = await trialOf({ last: 0, recheck: rejecting('PATH_NO_TRAFFIC') });
    expect([trial?.status, trial?.error?.code]).toEqual(['failed', 'PATH_NO_TRAFFIC']);
  });

  it('counts when the server still answers: its storage may well be that slow', async () => {
    expect((await trialOf({ last: 0 })).trial?.status).toBe('measured');
  });

  it('is not asked for where something was answered', async () => {
    const { trial } = await trialOf({ last: 1, recheck: rejecting('PATH_NO_TRAFFIC') });
    expect(trial?.status).toBe('measured');
  });
});

describe('a trial that was measured', () => {
  it('is none when the engine is lost before the load', async () => {
    const { error, trial } = await trialOf({
      query: rejecting('ENGINE_LOST'),
      stop: rejecting('ENGINE_LOST'),
    });
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
    // The first question is for the server's settings, before the load: nothing was measured then.
    expect(trial?.status).toBe('failed');
  });

  it('stays so when the engine is lost at its shutdown', async () => {
    const { error, trial } = await trialOf({ stop: rejecting('ENGINE_LOST') });
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
    expect(trial?.status).toBe('measured');
  });

  it('stays so when its counters can’t be read after the load', async () => {
    let questions = 0;
    const { error, trial } = await trialOf({
      query: () => {
        questions += 1;
        return Promise.reject(
          new BenchmarkError(questions > 2 ? 'ENGINE_LOST' : 'QUERY_FAILED', { reason: 'x' }),
        );
      },
    });
    expect(error).toMatchObject({ code: 'ENGINE_LOST' });
    expect(trial).toMatchObject({ status: 'measured', evidence: null });
  });

  it('stays so when the user stops while its data is checked', async () => {
    const stop = new AbortController();
    let questions = 0;
    const { trial } = await trialOf(
      {
        query: () => {
          questions += 1;
          // First come the server's settings, its counters before the load and after it.
          if (questions > 3) stop.abort();
          return Promise.reject(
            new BenchmarkError(questions > 3 ? 'STOPPED' : 'QUERY_FAILED', { reason: 'x' }),
          );
        },
      },
      stop,
    );
    expect(trial?.status).toBe('measured');
    expect(trial?.error).toBeNull();
  });
});

describe('the reason of a load that lost its connections', () => {
  const lost = new BenchmarkError('LOAD_FAILED', { reason: 'ECONNRESET' });
  const running = (failed: Promise<never>) =>
    ({ failed, isAlive: () => Promise.resolve(true) }) as unknown as RunningServer;

  it('is the end of the server, which its engine notices a moment later', async () => {
    const end = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new BenchmarkError('SERVER_OUT_OF_MEMORY')), 50),
    );
    expect(await betterReason(lost, running(end))).toMatchObject({ code: 'SERVER_OUT_OF_MEMORY' });
  });

  it('is what the client says where the server goes on', async () => {
    expect(await betterReason(lost, running(new Promise<never>(() => undefined)))).toBe(lost);
  });
});
