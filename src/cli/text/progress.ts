import type { RunEvent } from '../../shared/model/events.ts';
import { tps } from '../../shared/model/measurements.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { progressOf } from '../../shared/run/progress.ts';
import { formatDuration, formatLatency, formatRate } from '../../shared/words/units.ts';

/** What a terminal is told of an event, given the state that it led to; undefined for most events. */
export function progressLine(event: RunEvent, state: RunState): string | undefined {
  switch (event.type) {
    case 'step-finished': {
      if (event.error !== null) {
        return `${event.stepId} — failed: ${event.error.message} [${event.error.code}]`;
      }
      const began = state.steps.find(({ id }) => id === event.stepId)?.startedAt ?? event.at;
      return `${event.stepId} — ${formatDuration(event.at - began)}`;
    }
    case 'notice':
      return `! ${event.notice.message.text}`;
    case 'trial-finished': {
      const p95 = formatLatency(event.totals.latency?.p95Us ?? null);
      return trialLine(event, state, `${formatRate(tps(event.totals))} TPS, p95 ${p95}`);
    }
    case 'trial-failed':
      return event.error.code === 'SKIPPED'
        ? trialLine(event, state, 'skipped')
        : trialLine(event, state, `failed: ${event.error.message} [${event.error.code}]`);
    case 'rounds-ended':
      return event.because === 'settled'
        ? `Settled after ${event.after} rounds.`
        : `Time is up after ${event.after} rounds.`;
    case 'pause-requested':
      return 'Pausing after this trial …';
    case 'run-paused':
      return 'Paused.';
    case 'run-resumed':
      return 'Going on.';
    case 'stop-requested':
      return 'Stopping … (Ctrl+C once more ends it at once; the next start then removes what is left)';
    default:
      return undefined;
  }
}

function trialLine({ at, trialId }: { at: number; trialId: string }, state: RunState, text: string): string {
  const { done, all, leftMs } = progressOf(state, at);
  const number = String(done).padStart(String(all).length);
  const name = trialId.padEnd(Math.max(...state.trials.map(({ id }) => id.length)));
  const left = leftMs === null || done === all ? '' : ` — about ${formatDuration(leftMs)} left`;
  return `[${number}/${all}] ${name} ${text}${left}`;
}
