import type { RunEvent, ServerFacts } from '../model/events.ts';
import { tps, type Window } from '../model/measurements.ts';
import type { RunState, ServerState, StepState, TrialState } from '../model/run-state.ts';
import { steadinessOf } from './steadiness.ts';
import { type Plan, trialId } from '../model/plan.ts';
import { settingsReadBack } from '../model/server-settings.ts';
import { ENOUGH_SAMPLES } from '../statistics/estimate.ts';
import { firstRoundLeft } from './continuing.ts';
import { isOpen } from './progress.ts';

export const LOG_LINES_KEPT = 200;

/**
 * The given state's windows are appended to, as copying a long run's is slow. Events outside of a session are
 * ignored, as a torn journal may repeat its tail.
 */
export function reduce(state: RunState | undefined, event: RunEvent): RunState | undefined {
  if (event.type === 'run-started') {
    return {
      runId: event.runId,
      appVersion: event.appVersion,
      status: 'running',
      outcome: null,
      startedAt: event.at,
      finishedAt: null,
      plan: event.plan,
      dataset: null,
      steps: [],
      servers: {},
      hostFlush: null,
      trials: trialsOf(event.plan.rounds),
      roundsEnded: null,
      pauseRequested: false,
      pauses: [],
      notices: event.plan.notices,
      error: null,
    };
  }
  if (state === undefined) return state;
  if (event.type === 'run-continued') return continued(state, event);
  if (state.status === 'finished') return state;
  return withoutFirstLook(stepRunning(state, event));
}

/** Server starts disturb the first look, so it counts only until all its trials have an interval. */
function withoutFirstLook(state: RunState): RunState {
  const looked = state.trials.find(({ firstLook }) => firstLook !== undefined);
  if (looked === undefined) return state;
  const isNeeded = state.trials.some(
    (one) => one.round === looked.round && isOpen(one) && one.slices.length < ENOUGH_SAMPLES,
  );
  if (isNeeded && state.status !== 'finished') return state;
  return { ...state, trials: state.trials.map((trial) => ({ ...trial, firstLook: undefined })) };
}

export class RunFold {
  #state: RunState | undefined;

  get state(): RunState | undefined {
    return this.#state;
  }

  push(event: RunEvent): RunState | undefined {
    this.#state = reduce(this.#state, event);
    return this.#state;
  }
}

function stepRunning(
  state: RunState,
  event: Exclude<RunEvent, { type: 'run-started' | 'run-continued' }>,
): RunState {
  switch (event.type) {
    case 'image-resolved':
      return {
        ...state,
        plan: {
          ...state.plan,
          configs: state.plan.configs.map((config) =>
            config.engine === event.engine && config.image.requested === event.image.requested
              ? { ...config, image: event.image }
              : config,
          ),
        },
      };
    case 'step-started': {
      const step: StepState = {
        id: event.stepId,
        kind: event.kind,
        subject: event.subject,
        status: 'running',
        fraction: null,
        detail: '',
        startedAt: event.at,
        finishedAt: null,
        error: null,
      };
      return { ...state, steps: [...state.steps, step] };
    }
    case 'step-progress':
      return withStep(state, event.stepId, { fraction: event.fraction, detail: event.detail });
    case 'step-finished':
      return withStep(state, event.stepId, {
        status: event.error === null ? 'done' : 'failed',
        finishedAt: event.at,
        error: event.error,
      });
    case 'server-facts':
      return withServer(withSettings(state, event.facts), event.facts.serverId, (server) => ({
        ...server,
        facts: event.facts,
      }));
    case 'host-flush':
      return { ...state, hostFlush: event.flush };
    case 'server-log':
      return withServer(state, event.serverId, (server) => ({
        ...server,
        log: [...server.log, ...event.lines].slice(-LOG_LINES_KEPT),
      }));
    case 'dataset-loaded':
      return { ...state, dataset: { bytes: event.bytes, rows: event.rows } };
    case 'trial-started':
      return withTrial(state, event.trialId, ({ startedAt }) => ({
        status: 'running',
        startedAt: startedAt ?? event.at,
        error: null,
      }));
    case 'trial-phase':
      return withTrial(state, event.trialId, () => ({ phase: event.phase }));
    case 'window':
      return withTrial(state, event.trialId, ({ windows }) => {
        windows.push(event.window);
        return { windows };
      });
    case 'slice-finished':
      return withTrial(state, event.trialId, ({ slices }) => ({
        phase: null,
        finishedAt: event.at,
        slices: [...slices, event.slice],
        totals: event.totals,
      }));
    case 'first-look':
      return {
        ...state,
        trials: state.trials.map((trial) => {
          const firstLook = event.slices[trial.id];
          return firstLook === undefined ? trial : { ...trial, firstLook };
        }),
      };
    case 'trial-evidence':
      return withTrial(state, event.trialId, () => ({ evidence: event.evidence }));
    case 'trial-finished':
      return withTrial(state, event.trialId, ({ windows }) => ({
        status: 'measured',
        phase: null,
        finishedAt: event.at,
        totals: event.totals,
        steadiness: steadinessOf(measuredRates(windows)),
      }));
    case 'trial-failed':
      return withTrial(state, event.trialId, () => ({
        status: event.error.code === 'STOPPED' || event.error.code === 'SKIPPED' ? 'canceled' : 'failed',
        finishedAt: event.at,
        error: event.error,
      }));
    case 'trial-lost':
      return withTrial(state, event.trialId, ({ totals }) =>
        totals === null ? { ...untouched(), error: event.error } : { phase: null },
      );
    case 'notice':
      return { ...state, notices: [...state.notices, event.notice] };
    case 'rounds-ended':
      return {
        ...state,
        roundsEnded: event.because,
        plan: { ...state.plan, rounds: state.plan.rounds.slice(0, event.after) },
        trials: state.trials.filter(({ round }) => round <= event.after),
      };
    case 'scenarios-decided': {
      const isLeft = (round: number, id: string): boolean =>
        round <= event.after || !event.scenarioIds.includes(id);
      const rounds = state.plan.rounds.map((ids, index) => ids.filter((id) => isLeft(index + 1, id)));
      return {
        ...state,
        plan: { ...state.plan, rounds },
        trials: state.trials.filter(({ round, scenarioId }) => isLeft(round, scenarioId)),
      };
    }
    case 'pause-requested':
      return { ...state, pauseRequested: true };
    case 'run-paused':
      return {
        ...state,
        pauseRequested: false,
        pauses: [...state.pauses, { from: event.at, until: null, interrupted: false }],
      };
    case 'run-resumed':
      return resumed(state, event.at);
    case 'stop-requested':
      return { ...state, status: 'stopping' };
    case 'run-finished':
      return {
        ...resumed(state, event.at),
        status: 'finished',
        outcome: event.outcome,
        finishedAt: event.at,
        error: event.error,
        trials: state.trials.map((trial) => cutShort(trial, event.at)),
      };
  }
}

function trialsOf(rounds: Plan['rounds']): TrialState[] {
  return rounds.flatMap((ids, index) =>
    ids.map((scenarioId) => ({
      id: trialId(index + 1, scenarioId),
      scenarioId,
      round: index + 1,
      ...untouched(),
    })),
  );
}

function untouched(): Omit<TrialState, 'id' | 'scenarioId' | 'round'> {
  return {
    status: 'pending',
    phase: null,
    startedAt: null,
    finishedAt: null,
    windows: [],
    slices: [],
    totals: null,
    steadiness: null,
    evidence: null,
    error: null,
  };
}

function measuredRates(windows: readonly Window[]): number[] {
  return windows.filter(({ phase, interrupted }) => phase === 'measure' && !interrupted).map(tps);
}

function continued(state: RunState, { at, from }: Extract<RunEvent, { type: 'run-continued' }>): RunState {
  const rested = withoutFirstLook({ ...resumed(state, from), status: 'finished' });
  const first = firstRoundLeft(state);
  return {
    ...rested,
    status: 'running',
    outcome: null,
    finishedAt: null,
    error: null,
    steps: [],
    pauses: [...rested.pauses, { from, until: at, interrupted: true }],
    trials: rested.trials.map((trial) =>
      trial.round < first ? cutShort(trial, from) : { ...trial, ...untouched() },
    ),
  };
}

function cutShort(trial: TrialState, at: number): TrialState {
  if (!isOpen(trial)) return trial;
  return {
    ...trial,
    // A lost trial that wasn't measured again keeps its reason.
    status: trial.error === null ? 'canceled' : 'failed',
    phase: null,
    finishedAt: trial.startedAt === null ? null : (trial.finishedAt ?? at),
  };
}

function resumed(state: RunState, at: number): RunState {
  const pauses = state.pauses.map((pause) => (pause.until === null ? { ...pause, until: at } : pause));
  return { ...state, pauseRequested: false, pauses };
}

function withStep(state: RunState, id: string, change: Partial<StepState>): RunState {
  // Several engines repeat a step one after the other.
  const last = state.steps.map((step) => step.id).lastIndexOf(id);
  return {
    ...state,
    steps: state.steps.map((step, index) => (index === last ? { ...step, ...change } : step)),
  };
}

function withTrial(
  state: RunState,
  id: string,
  change: (trial: TrialState) => Partial<TrialState>,
): RunState {
  return {
    ...state,
    trials: state.trials.map((trial) => (trial.id === id ? { ...trial, ...change(trial) } : trial)),
  };
}

/** The server's report replaces settings that the plan leaves to it. */
function withSettings(state: RunState, { serverId, variables }: ServerFacts): RunState {
  const { plan } = state;
  const own = plan.scenarios.find((one) => one.serverId === serverId);
  if (own === undefined) return state;
  const configs = plan.configs.map((config) =>
    config.id === own.configId
      ? { ...config, settings: settingsReadBack(config.settings, variables) }
      : config,
  );
  return { ...state, plan: { ...plan, configs } };
}

function withServer(state: RunState, id: string, change: (server: ServerState) => ServerState): RunState {
  const server = state.servers[id] ?? { facts: null, log: [] };
  return { ...state, servers: { ...state.servers, [id]: change(server) } };
}
