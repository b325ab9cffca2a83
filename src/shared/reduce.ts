import type { RunEvent } from './model/events.ts';
import type { RunState, ServerState, StepState, TrialState } from './model/run-state.ts';
import { trialId } from './model/plan.ts';

/** Log lines kept per server; the whole log is the engine's to keep. */
export const LOG_LINES_KEPT = 200;

/**
 * The fold that every view of a run is made by: live screens, terminal, journal recovery and the result file.
 * Pure; a state is never changed in place. Events before `run-started` are ignored, so is whatever follows
 * `run-finished` (a torn journal may repeat its tail).
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
      trials: event.plan.rounds.flatMap((ids, index) =>
        ids.map((scenarioId): TrialState => ({
          id: trialId(index + 1, scenarioId),
          scenarioId,
          round: index + 1,
          status: 'pending',
          phase: null,
          startedAt: null,
          finishedAt: null,
          windows: [],
          totals: null,
          error: null,
        })),
      ),
      notices: event.plan.notices,
      error: null,
    };
  }
  if (state === undefined || state.status === 'finished') return state;
  return reduceRunning(state, event);
}

/** Folds many events at once. */
export function reduceAll(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined;
  for (const event of events) state = reduce(state, event);
  return state;
}

function reduceRunning(state: RunState, event: Exclude<RunEvent, { type: 'run-started' }>): RunState {
  switch (event.type) {
    case 'image-resolved':
      return {
        ...state,
        plan: {
          ...state.plan,
          setups: state.plan.setups.map((setup) =>
            setup.image.requested === event.image.requested ? { ...setup, image: event.image } : setup,
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
      return withServer(state, event.facts.serverId, (server) => ({ ...server, facts: event.facts }));
    case 'consistency':
      return withServer(state, event.consistency.serverId, (server) => ({
        ...server,
        consistency: event.consistency,
      }));
    case 'server-log':
      return withServer(state, event.serverId, (server) => ({
        ...server,
        log: [...server.log, ...event.lines].slice(-LOG_LINES_KEPT),
      }));
    case 'dataset-loaded':
      return { ...state, dataset: { bytes: event.bytes, rows: event.rows } };
    case 'trial-started':
      return withTrial(state, event.trialId, () => ({ status: 'running', startedAt: event.at }));
    case 'trial-phase':
      return withTrial(state, event.trialId, () => ({ phase: event.phase }));
    case 'window':
      return withTrial(state, event.trialId, (trial) => ({ windows: [...trial.windows, event.window] }));
    case 'trial-finished':
      return withTrial(state, event.trialId, () => ({
        status: 'measured',
        finishedAt: event.at,
        totals: event.totals,
      }));
    case 'trial-failed':
      return withTrial(state, event.trialId, () => ({
        status: event.error.code === 'STOPPED' ? 'cancelled' : 'failed',
        finishedAt: event.at,
        error: event.error,
      }));
    case 'notice':
      return { ...state, notices: [...state.notices, event.notice] };
    case 'stop-requested':
      return { ...state, status: 'stopping' };
    case 'run-finished':
      return {
        ...state,
        status: 'finished',
        outcome: event.outcome,
        finishedAt: event.at,
        error: event.error,
        trials: state.trials.map((trial) =>
          trial.status === 'pending' || trial.status === 'running'
            ? { ...trial, status: 'cancelled', finishedAt: trial.startedAt === null ? null : event.at }
            : trial,
        ),
      };
  }
}

function withStep(state: RunState, id: string, change: Partial<StepState>): RunState {
  return { ...state, steps: state.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
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

function withServer(state: RunState, id: string, change: (server: ServerState) => ServerState): RunState {
  const server = state.servers[id] ?? { facts: null, consistency: null, log: [] };
  return { ...state, servers: { ...state.servers, [id]: change(server) } };
}
