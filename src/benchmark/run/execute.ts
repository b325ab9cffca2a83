import { msg } from '../../shared/message.ts';
import { toErrorData, type ErrorData, errorMessage } from '../../shared/errors.ts';
import { prepareEnvironment } from './prepare-environment.ts';
import { Cleanup } from './cleanup.ts';
import { step, type RunContext, type UntimedEvent } from './context.ts';
import { TrialRunner } from './trials.ts';

/**
 * Executes a plan: prepares, measures, cleans up, and tells all of it as events; it does nothing else with them. Of a
 * run that goes on only what is left of it.
 * Never rejects: the last event, `run-finished`, says how it ended.
 */
export async function executeRun(context: RunContext): Promise<void> {
  const { emit, plan, signal } = context;
  if (context.earlier === undefined) {
    emit({ type: 'run-started', runId: context.runId, appVersion: context.appVersion, plan });
  }
  const onStop = (): void => emit({ type: 'stop-requested' });
  signal.addEventListener('abort', onStop, { once: true });
  const cleanup = new Cleanup();
  let outcome: 'completed' | 'stopped' | 'failed' = 'completed';
  let error: ErrorData | null = null;
  try {
    const environment = await prepareEnvironment(context, cleanup);
    await new TrialRunner(context, environment).runAll();
  } catch (thrown) {
    outcome = signal.aborted ? 'stopped' : 'failed';
    error = signal.aborted ? null : toErrorData(thrown);
  }
  signal.removeEventListener('abort', onStop);
  const leftovers = await step(context, 'cleanup', plan.preset.id, () => cleanup.run());
  for (const left of leftovers) emit(cleanupNotice(left));
  emit({ type: 'run-finished', outcome, error });
}

/** What is told of a thing that could not be removed. */
export function cleanupNotice(left: ErrorData): UntimedEvent {
  return {
    type: 'notice',
    notice: {
      code: 'CLEANUP_INCOMPLETE',
      message: msg('notice.cleanupIncomplete', { what: errorMessage(left) }),
    },
  };
}
