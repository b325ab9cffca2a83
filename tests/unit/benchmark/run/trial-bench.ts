import { reduceAll } from '../../../helpers/journals.ts';
import type { RunContext, UntimedEvent } from '../../../../src/benchmark/run/context.ts';
import type { Environment } from '../../../../src/benchmark/run/environment.ts';
import { RunControl } from '../../../../src/benchmark/run/run-control.ts';
import { TrialRunner } from '../../../../src/benchmark/run/trials.ts';
import type { Plan } from '../../../../src/shared/model/plan.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { makeState } from '../../builders.ts';
import { FakeRuntime } from '../../fake-runtime.ts';

export const SHAPE = {
  scenarios: [{ storage: 'named-volume' as const, path: 'published-port' as const }],
  aaCheck: false,
  rounds: 1,
};

/** A server that runs and answers nothing by itself. */
export const RUNNING = {
  failed: new Promise<never>(() => undefined),
  address: () => ({ host: 'h', port: 1 }),
  mounts: () => Promise.resolve(undefined),
  flush: () => Promise.resolve(undefined),
  isAlive: () => Promise.resolve(true),
  stop: () => Promise.resolve(0),
};

/** A client whose checks and questions succeed, and whose open load measures `TOTALS`. */
export const TOTALS = makeState(SHAPE).trials[0]?.totals;
export const CLIENT = {
  check: () => Promise.resolve({ connectUs: 1, roundTripUs: 1 }),
  query: (): Promise<unknown> => Promise.resolve([]),
  open: () => Promise.resolve({ slice: () => Promise.resolve(TOTALS), close: () => Promise.resolve() }),
};

interface Bench {
  client: object;
  server: { start: () => Promise<unknown>; halt?: (() => Promise<void>) | undefined };
  runtime?: FakeRuntime;
  stop?: AbortController | undefined;
  earlier?: RunState | undefined;
  on?: (event: UntimedEvent, control: RunControl) => void;
}

/** Runs the trials of a plan, or what an earlier session has left of them, with one client and one server for all. */
export function runTrialsOn(plan: Plan, bench: Bench) {
  const { client, server, stop = new AbortController(), on } = bench;
  const events: UntimedEvent[] = [];
  const emit = (event: UntimedEvent): void => {
    events.push(event);
    on?.(event, control);
  };
  const control = new RunControl(emit);
  const only = { id: 's', options: [], account: {}, ...server };
  const environment = {
    factsKnown: new Set(),
    servers: new Map(plan.scenarios.map(({ serverId }) => [serverId, only])),
    clients: {
      lacking: () => undefined,
      for: () => Promise.resolve(client),
      release: () => Promise.resolve(),
      forgetAll: () => undefined,
    },
  } as unknown as Environment;
  const context = {
    ...{ plan, emit, control, signal: stop.signal, earlier: bench.earlier },
    runtime: bench.runtime ?? new FakeRuntime(),
    budgets: { readyMs: 1000, pathMs: 1000 },
  } as unknown as RunContext;
  const error = new TrialRunner(context, environment).runAll().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const started: UntimedEvent = { type: 'run-started', runId: 'r', appVersion: '0', plan };
  const state = () => reduceAll([started, ...events].map((event, at) => ({ ...event, at })));
  return { error, events, control, state };
}
