import { expect } from 'vitest';
import type { UntimedEvent } from '../../../../src/benchmark/context/context.ts';
import type { RunControl } from '../../../../src/benchmark/context/run-control.ts';
import type { LoadEvent, SliceTiming } from '../../../../src/benchmark/load/load-client.ts';
import type { Plan, Scenario } from '../../../../src/shared/model/plan.ts';
import { BenchmarkError } from '../../../../src/shared/errors.ts';
import { makePlan, type PlanShape } from '../../plan-builder.ts';
import { makeSlice, makeTotals } from '../../trial-builder.ts';
import type { FakeRuntime } from '../../fake-runtime.ts';
import { CLIENT, runTrialsOn } from './trial-bench.ts';

/** Two storages by the published port, and the first of them by the bridge, too: two servers, three scenarios. */
export function sidePlan(shape: PlanShape = {}): Plan {
  const plan = makePlan({
    scenarios: [
      { storage: 'named-volume', path: 'published-port' },
      { storage: 'named-volume', path: 'container-ip' },
      { storage: 'bind-mount', path: 'published-port' },
    ],
    ...{ aaCheck: false, rounds: 1, sliceSeconds: 1, durationSeconds: 3, connections: 2 },
    ...shape,
  });
  return { ...plan, groups: [[...new Set(plan.scenarios.map(({ serverId }) => serverId))]] };
}

/** A slice that a client was asked for. */
interface Asked extends SliceTiming {
  scenarioId: string;
  serverId: string;
  /** Position in its scenario, from 1; 0 is the warm-up of a server. */
  number: number;
  /** The servers that run and aren't frozen. */
  awake: string[];
  signal: AbortSignal;
}

interface Parts {
  /** Instead of what a slice measures; undefined: it is measured. */
  slice?: (asked: Asked, servers: FakeServers) => Promise<never> | undefined;
  /** Transactions of a slice. */
  transactions?: number;
  /** Whether not all transactions of a slice ended. */
  isCut?: (asked: Asked) => boolean;
  isEmpty?: (asked: Asked) => boolean;
  freeze?: (id: string) => Promise<never> | undefined;
  check?: (scenario: Scenario) => Promise<never> | undefined;
  start?: (id: string, told: string[]) => Promise<never> | undefined;
  runtime?: FakeRuntime;
  stop?: AbortController;
  /** The list that everything is written to. */
  told?: string[];
  on?: (event: UntimedEvent, control: RunControl, servers: FakeServers) => void;
}

interface FakeServers {
  state: Map<string, 'awake' | 'frozen'>;
  /** The server ends by itself. */
  die: (id: string) => void;
}

/** Runs the rounds of a plan on servers that write down what happens to them. */
export function runSide(plan: Plan, parts: Parts = {}) {
  const { told = [] } = parts;
  const asked: Asked[] = [];
  const state = new Map<string, 'awake' | 'frozen'>();
  const ends = new Map<string, (error: Error) => void>();
  const counts = new Map<string, number>();
  const servers: FakeServers = {
    state,
    die: (id) => {
      state.delete(id);
      ends.get(id)?.(new BenchmarkError('SERVER_OUT_OF_MEMORY'));
    },
  };
  const gone = (id: string, what: string): Promise<void> => {
    told.push(`${what} ${id}`);
    state.delete(id);
    return Promise.resolve();
  };
  const server = (id: string) => ({
    start: async () => {
      told.push(`start ${id}`);
      await parts.start?.(id, told);
      state.set(id, 'awake');
      const failed = new Promise<never>((_, reject) => ends.set(id, reject));
      failed.catch(() => undefined);
      return {
        failed,
        address: () => ({ host: 'h', port: 1 }),
        mounts: () => Promise.resolve(undefined),
        flush: () => Promise.resolve(undefined),
        isAlive: () => Promise.resolve(state.has(id)),
        freezer: {
          freeze: async () => {
            await parts.freeze?.(id);
            told.push(`freeze ${id}`);
            state.set(id, 'frozen');
          },
          thaw: () => Promise.resolve(void (state.has(id) && state.set(id, 'awake'))),
        },
        stop: () => gone(id, 'stop'),
      };
    },
    halt: () => gone(id, 'halt'),
  });
  const slice = (scenario: Scenario) => async (timing: SliceTiming, on: Tell, signal: AbortSignal) => {
    const number = timing.warmupMs === 0 ? 0 : (counts.get(scenario.id) ?? 0) + 1;
    if (number > 0) counts.set(scenario.id, number);
    const awake = [...state].flatMap(([id, now]) => (now === 'awake' ? [id] : [])).sort();
    const one = {
      ...{ ...timing, scenarioId: scenario.id, serverId: scenario.serverId, number, awake, signal },
    };
    asked.push(one);
    on({ type: 'phase', phase: 'measure' });
    await parts.slice?.(one, servers);
    const transactions = parts.isEmpty?.(one) === true ? 0 : (parts.transactions ?? 100 + number);
    const { durationMs } = timing;
    const window = { ...makeSlice(plan, transactions, { pass: 1, position: 1, startMs: 0 }), durationMs };
    on({ type: 'window', window });
    const totals = makeTotals([window], scenario.connections, {});
    return parts.isCut?.(one) === true ? { ...totals, isCut: true } : totals;
  };
  const client = (scenario: Scenario) => ({
    ...CLIENT,
    check: () => {
      told.push(`check ${scenario.id}`);
      return parts.check?.(scenario) ?? CLIENT.check();
    },
    open: () => Promise.resolve({ slice: slice(scenario), close: () => Promise.resolve() }),
  });
  const { runtime, stop, on } = parts;
  const run = runTrialsOn(plan, {
    ...{ client, server, stop },
    ...(runtime === undefined ? {} : { runtime }),
    on: (event, control) => on?.(event, control, servers),
  });
  const measured = () => asked.filter(({ number }) => number > 0);
  return { ...run, told, asked, measured, servers };
}

/** Runs a plan to its end, which no error brings about. */
export async function finished(plan: Plan, parts: Parts = {}) {
  const { error, state, ...run } = runSide(plan, parts);
  expect(await error).toBeUndefined();
  return { ...run, state: state() };
}

type Tell = (event: LoadEvent) => void;
