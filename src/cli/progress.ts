import type { RunEvent } from '../shared/model/events.ts';
import { tps } from '../shared/model/measurements.ts';
import type { Plan } from '../shared/model/plan.ts';
import { formatDuration, formatLatency, formatRate } from '../shared/units.ts';

/** Tells a terminal how a run goes: a line for every step and every trial. */
export class RunProgress {
  readonly #plan: Plan;
  readonly #write: (line: string) => void;
  readonly #total: number;
  #trials = 0;
  #stepStart = 0;
  #firstTrialAt = 0;

  constructor(plan: Plan, write: (line: string) => void) {
    this.#plan = plan;
    this.#write = write;
    this.#total = plan.rounds.reduce((sum, ids) => sum + ids.length, 0);
  }

  tell(event: RunEvent): void {
    switch (event.type) {
      case 'step-started':
        this.#stepStart = event.at;
        break;
      case 'step-finished': {
        const took = formatDuration(event.at - this.#stepStart);
        this.#write(
          event.error === null
            ? `${event.stepId} — ${took}`
            : `${event.stepId} — failed: ${event.error.message} [${event.error.code}]`,
        );
        break;
      }
      case 'notice':
        this.#write(`! ${event.notice.message}`);
        break;
      case 'trial-started':
        if (this.#firstTrialAt === 0) this.#firstTrialAt = event.at;
        break;
      case 'trial-finished':
        this.#trialLine(
          event.at,
          event.trialId,
          `${formatRate(tps(event.totals))} TPS, p95 ${formatLatency(event.totals.latency?.p95Us ?? null)}`,
        );
        break;
      case 'trial-failed':
        this.#trialLine(event.at, event.trialId, `failed: ${event.error.message} [${event.error.code}]`);
        break;
      case 'stop-requested':
        this.#write('Stopping …');
        break;
      default:
        break;
    }
  }

  #trialLine(at: number, trialId: string, text: string): void {
    this.#trials += 1;
    const left = ((at - this.#firstTrialAt) / this.#trials) * (this.#total - this.#trials);
    const width = String(this.#total).length;
    const name = trialId.padEnd(4 + Math.max(...this.#plan.scenarios.map(({ id }) => id.length)));
    this.#write(
      `[${String(this.#trials).padStart(width)}/${this.#total}] ${name} ${text}${left > 0 ? ` — about ${formatDuration(left)} left` : ''}`,
    );
  }
}
