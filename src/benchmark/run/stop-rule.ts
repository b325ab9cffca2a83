import { compareRates, CONFIDENCE } from '../../shared/analysis/compare-rates.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { isInterimCheck } from '../../shared/statistics/claims.ts';

type Planned = {
  scenarios: readonly Pick<Scenario, 'id' | 'baselineId' | 'isAaRepeat'>[];
} & Pick<Plan, 'schedule' | 'equivalence'>;

export class StopRule {
  readonly #plan: Planned;
  readonly #beganMs: number;
  readonly #speeds = new Map<string, Map<number, number>>();

  constructor(plan: Planned, nowMs: number) {
    this.#plan = plan;
    this.#beganMs = nowMs;
  }

  add(scenarioId: string, round: number, achieved: number): void {
    const rounds = this.#speeds.get(scenarioId) ?? new Map<number, number>();
    this.#speeds.set(scenarioId, rounds.set(round, achieved));
  }

  /** Why `round` is the last; undefined if it is not, or if the plan fixes the number of rounds. */
  endsAfter(round: number, nowMs: number): RoundsEnded | undefined {
    const { untilConclusive, rounds } = this.#plan.schedule;
    if (untilConclusive === undefined || round >= rounds) return undefined;
    if (isInterimCheck(round, rounds) && this.#isConclusive()) return 'conclusive';
    const elapsed = nowMs - this.#beganMs;
    const another = elapsed / round;
    return elapsed + another > untilConclusive.budgetMinutes * 60_000 ? 'budget' : undefined;
  }

  /** Ignores comparisons without numbers, which would never settle. */
  #isConclusive(): boolean {
    const compared = compareRates(this.#plan, this.#speeds, {
      confidence: CONFIDENCE,
      equivalence: this.#plan.equivalence,
      baselineOf: ({ baselineId }) => baselineId,
    });
    const verdicts = this.#plan.scenarios.flatMap(({ id, baselineId, isAaRepeat }) => {
      const one = compared.get(id);
      return isAaRepeat || id === baselineId || one === undefined || one.ratio === null ? [] : [one.verdict];
    });
    return verdicts.length > 0 && verdicts.every((verdict) => verdict !== 'inconclusive');
  }
}
