import type { RunEvent } from '../../src/shared/model/events.ts';

/** Where in a run a fault strikes, in order. */
export const PHASES = ['create', 'init', 'load', 'clone', 'warm-up', 'measure', 'teardown'] as const;
export type Phase = (typeof PHASES)[number];
/** When a fault strikes: in a phase of the run, or before the program starts. */
export type Moment = 'start' | Phase;
export const MOMENTS: readonly Moment[] = ['start', ...PHASES];

/** The moment of each phase, for the report. */
export const PHASE_NAMES: Record<Moment, string> = {
  start: 'before the program starts',
  create: 'when network, volumes, and containers are created',
  init: 'when a server initializes its data directory',
  load: 'when rows go into the tables',
  clone: 'when a helper container copies the dataset',
  'warm-up': 'when a trial of round 2 is warming up',
  measure: 'when a trial of round 2 has its first window',
  teardown: 'when the last server is shut down',
};

/** The run that a cell looks at: which trial the fault waits for in the phases of a trial. */
export interface Awaited {
  phase: Moment;
  /** Scenario of the trial that is struck. */
  scenarioId: string;
  /** Id of the run's last trial. */
  lastTrialId: () => string | undefined;
}

/** True for the event at which a phase's fault strikes. */
export function isMoment(event: RunEvent, { phase, scenarioId, lastTrialId }: Awaited): boolean {
  const trial = `r2.${scenarioId}`;
  switch (phase) {
    case 'start':
      return false;
    case 'create':
      // The network comes next.
      return event.type === 'step-finished' && /^(build|pull):/.test(event.stepId);
    case 'init':
      return event.type === 'step-started' && event.kind === 'init';
    case 'load':
      return event.type === 'step-progress' && event.stepId.startsWith('load:');
    case 'clone':
      return event.type === 'step-started' && event.kind === 'clone';
    case 'warm-up':
      return event.type === 'window' && event.trialId === trial && event.window.phase === 'warmup';
    case 'measure':
      return event.type === 'window' && event.trialId === trial && event.window.phase === 'measure';
    case 'teardown':
      return event.type === 'trial-phase' && event.phase === 'stop' && event.trialId === lastTrialId();
  }
}
