import { reduceAll } from '../../../helpers/journals.ts';
import type { RunContext, UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { Environment } from '../../../../src/benchmark/context/environment.ts';
import { RunControl } from '../../../../src/benchmark/context/run-control.ts';
import { TrialRunner } from '../../../../src/benchmark/run/trials.ts';
import { EngineBench, EngineBenches } from '../../../../src/benchmark/run/servers/engine-bench.ts';
import { type Plan, plansOn, type Scenario } from '../../../../src/shared/model/plan.ts';
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

interface FakeServer {
  start: () => Promise<unknown>;
  halt?: (() => Promise<void>) | undefined;
}

interface Bench {
  /** One client for all scenarios, or one for each. */
  client: object | ((scenario: Scenario) => object);
  /** One server for all ids, or one for each. */
  server: FakeServer | ((id: string) => FakeServer);
  runtime?: FakeRuntime;
  stop?: AbortController | undefined;
  earlier?: RunState | undefined;
  on?: (event: UntimedEvent, control: RunControl) => void;
}

/** Runs the trials of a plan, or what an earlier session has left of them. */
export function runTrialsOn(plan: Plan, bench: Bench) {
  const { client, server, stop = new AbortController(), on } = bench;
  const events: UntimedEvent[] = [];
  const emit = (event: UntimedEvent): void => {
    events.push(event);
    on?.(event, control);
  };
  const control = new RunControl(emit);
  const only = { id: 's', options: [], account: {}, ...server };
  const ids = [...new Set(plan.scenarios.map(({ serverId }) => serverId))];
  const own = new Map(
    ids.map((id) => [id, server instanceof Function ? { ...only, id, ...server(id) } : only]),
  );
  const environment = {
    factsKnown: new Set(),
    flushesKnown: new Set(),
    servers: own,
    clients: {
      lacking: () => undefined,
      for: (scenario: Scenario) => Promise.resolve(client instanceof Function ? client(scenario) : client),
      release: () => Promise.resolve(),
      forgetAll: () => undefined,
    },
  } as unknown as Environment;
  const { runtime = new FakeRuntime() } = bench;
  const context = {
    ...{ plan, emit, control, signal: stop.signal, earlier: bench.earlier },
    ...{ runtime, engines: [runtime] },
    budgets: { readyMs: 1000, pathMs: 1000, awayMs: 0 },
  } as unknown as RunContext;
  const plans = plansOn(plan);
  const benches = new EngineBenches(
    plans.map((part) => new EngineBench({ ...context, plan: part }, environment, plans.length > 1)),
  );
  const error = new TrialRunner(context, benches).runAll().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const started: UntimedEvent = { type: 'run-started', runId: 'r', appVersion: '0', plan };
  const state = () => reduceAll([started, ...events].map((event, at) => ({ ...event, at })));
  return { error, events, control, state };
}
