import { reduceAll } from '../helpers/journals.ts';
import { plain } from '../helpers/messages.ts';
import { BenchmarkError, type ErrorCode } from '../../src/shared/errors.ts';
import type { HostCondition, TrialEvidence } from '../../src/shared/model/evidence.ts';
import type { FlushTimes, RunEvent } from '../../src/shared/model/events.ts';
import type { ClientHealth, Totals, Window } from '../../src/shared/model/measurements.ts';
import { trialId, type ImageChoice, type Plan } from '../../src/shared/model/plan.ts';
import type { RunState } from '../../src/shared/model/run-state.ts';
import type { RatioEstimate } from '../../src/shared/statistics/estimate.ts';
import { createRandom, shuffled } from '../../src/benchmark/random.ts';
import { makePlan, type PlanShape } from './plan-builder.ts';
import { makeSlice, makeTotals, makeWindows } from './trial-builder.ts';

export * from './plan-builder.ts';

/** Transactions per second, an error code, or nothing since the run had ended by then. */
export type TrialOutcome = number | ErrorCode | 'canceled';

export interface StateShape extends PlanShape {
  /** Outcomes per scenario id, one per round. A scenario that is not named gets 500 TPS in every round. */
  outcomes?: Record<string, TrialOutcome[]>;
  runId?: string;
  client?: Partial<ClientHealth>;
  /** Time of a flush by scenario id, or by storage type, µs; default: 110. */
  flushUs?: Partial<Record<string, number>>;
  /** Ignored server errors in every measured trial, code → count. */
  errors?: Record<string, number>;
  /** How the run ended; default: completed. `null`: it still continues. */
  outcome?: 'completed' | 'stopped' | 'failed' | null;
}

/** Fills the places of any error that a trial can end with. */
const ERROR_PARAMS = {
  reason: 'connect ETIMEDOUT',
  path: 'published port',
  address: '127.0.0.1:49160',
  exitCode: '137',
  phase: 'start',
  storage: 'tmpfs',
  seconds: '120',
};

/** A run as the app would have folded it. */
export function makeState(shape: StateShape = {}): RunState {
  return reduceAll(makeEvents(shape));
}

/** The events of such a run, in order, one second of clock per window. */
export function makeEvents(shape: StateShape = {}): RunEvent[] {
  const plan = makePlan(shape);
  const events: RunEvent[] = [];
  const random = createRandom(11);
  let at = Date.UTC(2026, 5, 1, 9, 30);
  const push = (event: RunEvent, seconds = 0): void => {
    events.push(event);
    at += seconds * 1000;
  };
  push(
    { type: 'run-started', at, runId: shape.runId ?? '20260601-093000-a1b2', appVersion: '0.1.0', plan },
    1,
  );
  push({ type: 'step-started', at, stepId: 'load dataset', kind: 'load', subject: imageOf(plan).used }, 6);
  push({ type: 'dataset-loaded', at, bytes: plan.estimate.dataBytes, rows: 100_000 });
  push({ type: 'step-finished', at, stepId: 'load dataset', error: null });
  for (const serverId of new Set(plan.scenarios.map((one) => one.serverId))) {
    const own = plan.scenarios.filter((one) => one.serverId === serverId);
    const [us] = own.flatMap(({ id, storage }) => shape.flushUs?.[id] ?? shape.flushUs?.[storage.kind] ?? []);
    push({ type: 'server-facts', at, facts: serverFacts(serverId, plan, us) });
  }
  plan.rounds.forEach((ids, index) => {
    if (plan.schedule.sliceSeconds !== undefined) {
      for (const event of sideBySide(plan, index, shape, at, random)) push(event);
      at = (events.at(-1)?.at ?? at) + 1000;
      return;
    }
    for (const scenarioId of ids) {
      const id = trialId(index + 1, scenarioId);
      const outcome = outcomeOf(shape, scenarioId, index);
      if (outcome === 'canceled') continue;
      push({ type: 'trial-started', at, trialId: id });
      push({ type: 'trial-phase', at, trialId: id, phase: 'start' }, 2);
      if (typeof outcome === 'string') {
        const error = new BenchmarkError(outcome, ERROR_PARAMS);
        push({ type: 'trial-failed', at, trialId: id, error: error.toData() });
        continue;
      }
      const windows = makeWindows(plan, outcome, random, shape.errors ?? {});
      for (const phase of ['warmup', 'measure'] as const) {
        push({ type: 'trial-phase', at, trialId: id, phase });
        for (const window of windows) {
          if (window.phase === phase) push({ type: 'window', at, trialId: id, window }, 1);
        }
      }
      const totals = makeTotals(windows, plan.connections, shape.client ?? {});
      push({ type: 'trial-finished', at, trialId: id, totals }, 1);
    }
  });
  const outcome = shape.outcome === undefined ? 'completed' : shape.outcome;
  if (outcome === 'stopped') push({ type: 'stop-requested', at });
  if (outcome !== null) push({ type: 'run-finished', at, outcome, error: null });
  return events;
}

/** A second measurement comes to the same as the first where nothing else is given. */
function outcomeOf({ outcomes: all }: StateShape, scenarioId: string, index: number): TrialOutcome {
  const outcomes = all?.[scenarioId] ?? all?.[scenarioId.replace(/~again$/, '')];
  return outcomes === undefined ? 500 : (outcomes[index] ?? 'canceled');
}

/** A round of servers that take turns; its starts take 8 s. */
function sideBySide(
  plan: Plan,
  index: number,
  shape: StateShape,
  begin: number,
  random: () => number,
): RunEvent[] {
  const events: RunEvent[] = [];
  const { sliceSeconds = 1, durationSeconds } = plan.schedule;
  const began = begin + 8_000;
  const windows = new Map<string, Window[]>();
  const totalsOf = (id: string): Totals =>
    makeTotals(windows.get(id) ?? [], plan.connections, shape.client ?? {});
  const failed = new Set<string>();
  const stepId = `start ${index + 1}`;
  events.push({ type: 'step-started', at: begin, stepId, kind: 'start', subject: String(index + 1) });
  events.push({ type: 'step-finished', at: began, stepId, error: null });
  let at = began;
  for (let pass = 1; pass <= Math.round(durationSeconds / sliceSeconds); pass += 1) {
    for (const [position, scenarioId] of shuffled(plan.rounds[index] ?? [], random).entries()) {
      const id = trialId(index + 1, scenarioId);
      const outcome = outcomeOf(shape, scenarioId, index);
      if (outcome === 'canceled' || failed.has(id)) continue;
      events.push({ type: 'trial-started', at, trialId: id });
      if (typeof outcome === 'string') {
        failed.add(id);
        const error = new BenchmarkError(outcome, ERROR_PARAMS).toData();
        events.push({ type: 'trial-failed', at, trialId: id, error });
        continue;
      }
      events.push({ type: 'trial-phase', at, trialId: id, phase: 'warmup' });
      at += 100;
      events.push({ type: 'trial-phase', at, trialId: id, phase: 'measure' });
      const window = makeSlice(plan, outcome * (0.97 + 0.06 * random()), {
        pass,
        position: position + 1,
        startMs: at - began,
      });
      at += window.durationMs;
      windows.set(id, [...(windows.get(id) ?? []), window]);
      events.push({ type: 'window', at, trialId: id, window });
      const { transactions, durationMs } = window;
      const slice = { pass, position: position + 1, transactions, durationMs };
      events.push({ type: 'slice-finished', at, trialId: id, slice, totals: totalsOf(id) });
    }
  }
  for (const id of windows.keys())
    events.push({ type: 'trial-finished', at, trialId: id, totals: totalsOf(id) });
  return events;
}

/** Evidence of a trial of which nothing else was seen. */
export function makeEvidence(seen: Partial<TrialEvidence>): TrialEvidence {
  return {
    ...{ transactions: 1, trend: null, path: { connectUs: 1, roundTripUs: 1 } },
    ...{ server: null, container: null, memoryBytes: null, hostBytesWritten: null, host: null },
    ...seen,
  };
}

/** The same run, with what else continued in some of its trials, by their ids. */
export function withHost(state: RunState, conditions: Record<string, HostCondition[]>): RunState {
  const trials = state.trials.map((trial) => ({
    ...trial,
    evidence: makeEvidence({ host: { conditions: conditions[trial.id] ?? [] } }),
  }));
  return { ...state, trials };
}

function imageOf({ configs }: Plan): ImageChoice {
  const [first] = configs;
  if (first === undefined) throw new Error('a plan has a setup');
  return first.image;
}

function serverFacts(serverId: string, plan: Plan, flushUs = 110) {
  const isShared = plan.engines[0].passport.runtime.vm && serverId.includes('bind-mount');
  return {
    serverId,
    version: imageOf(plan).version ?? '',
    versionComment: 'MySQL Community Server - GPL',
    variables: { innodb_buffer_pool_size: '268435456', innodb_flush_log_at_trx_commit: '1' },
    options: ['--skip-log-bin'],
    datadirFileSystem: serverId.includes('container-layer') ? 'overlay' : isShared ? 'fakeowner' : 'ext4',
    startMs: 1_500,
    flushTimes: makeFlush(flushUs),
  };
}

/** A disk whose kernel counts its flushes; those that end at once don't reach it. */
export function makeFlush(medianUs: number, more: Partial<FlushTimes> = {}): FlushTimes {
  return {
    ...{ medianUs, p10Us: 0.9 * medianUs, p99Us: 3 * medianUs, flushes: 400 },
    ...{ mostUs: Math.round(1.1 * medianUs), mostAddedUs: Math.round(1.1 * medianUs) },
    disk: { commands: medianUs < 13 ? 0 : 402, hasCache: true },
    isVirtual: false,
    ...more,
  };
}

/** A ratio of five rounds. */
export function ratio(value: number, low: number | null = null, high: number | null = null): RatioEstimate {
  const standardError = low === null ? null : 0.02;
  return { value, low, high, standardError, degrees: 4, confidence: 0.95, samples: 5, pairedRounds: 5 };
}

/** Speeds as a native Linux engine might give them, with drift from round to round. */
export const DEMO_FACTORS: Record<string, number> = {
  'named-volume.published-port': 1,
  'named-volume.user-bridge': 1.06,
  'named-volume.host-network': 1.19,
  'bind-mount.published-port': 0.99,
  'bind-mount.user-bridge': 1.05,
  'bind-mount.host-network': 1.2,
  'container-layer.published-port': 0.55,
  'container-layer.user-bridge': 0.57,
  'container-layer.host-network': 0.61,
  'named-volume.published-port~again': 1,
};

/** Outcomes from ratios to a baseline of about 800 TPS: a drift that all share and a little noise of each. */
export function demoOutcomes(
  factors: Record<string, number>,
  options: { rounds?: number; noise?: number; seed?: number } = {},
): Record<string, number[]> {
  const random = createRandom(options.seed ?? 22);
  const drift = Array.from({ length: options.rounds ?? 5 }, () => 0.9 + 0.2 * random());
  const noise = options.noise ?? 0.03;
  return Object.fromEntries(
    Object.entries(factors).map(([id, factor]) => [
      id,
      drift.map((own) => Math.round(800 * own * factor * (1 + noise * (2 * random() - 1)))),
    ]),
  );
}

/** A finished run of the built-in preset, as realistic as a made one can be. */
export function demoState(shape: StateShape = {}): RunState {
  const rounds = shape.rounds ?? 5;
  return makeState({ outcomes: demoOutcomes(DEMO_FACTORS, { rounds }), ...shape, rounds });
}

/**
 * Content of `tests/fixtures/results/sample-result.json`: a stand-in image, one failed trial, all else well.
 */
export function sampleState(): RunState {
  const outcomes: Record<string, TrialOutcome[]> = demoOutcomes(DEMO_FACTORS);
  const withFailure = outcomes['bind-mount.host-network'];
  if (withFailure !== undefined) withFailure[3] = 'PATH_NO_TRAFFIC';
  const image = {
    used: 'mysql:8.0',
    version: '8.0.42',
    substituted: true,
    reason: 'registry-1.docker.io: no such host',
  };
  const message =
    'mysql:8.4 could not be fetched (registry-1.docker.io: no such host); the local image mysql:8.0 (mysql 8.0.42) was used instead.';
  return makeState({ outcomes, image, notices: [{ code: 'IMAGE_SUBSTITUTED', message: plain(message) }] });
}
