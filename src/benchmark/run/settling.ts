import { compareRates, CONFIDENCE } from '../../shared/analysis/compare-rates.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { isLook } from '../../shared/statistics/claims.ts';

type Planned = {
  scenarios: readonly Pick<Scenario, 'id' | 'baselineId' | 'isNoiseFloor'>[];
} & Pick<Plan, 'schedule' | 'equivalence'>;

/** Decides after each round whether a run until settled continues. */
export class Settling {
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
    const { untilSettled, rounds } = this.#plan.schedule;
    if (untilSettled === undefined || round >= rounds) return undefined;
    if (isLook(round, rounds) && this.#isSettled()) return 'settled';
    const elapsed = nowMs - this.#beganMs;
    const another = elapsed / round;
    return elapsed + another > untilSettled.budgetMinutes * 60_000 ? 'budget' : undefined;
  }

  /** Ignores comparisons without numbers, which would never settle. */
  #isSettled(): boolean {
    const compared = compareRates(this.#plan, this.#speeds, {
      confidence: CONFIDENCE,
      equivalence: this.#plan.equivalence,
      baselineOf: ({ baselineId }) => baselineId,
    });
    const verdicts = this.#plan.scenarios.flatMap(({ id, baselineId, isNoiseFloor }) => {
      const one = compared.get(id);
      return isNoiseFloor || id === baselineId || one === undefined || one.ratio === null
        ? []
        : [one.verdict];
    });
    return verdicts.length > 0 && verdicts.every((verdict) => verdict !== 'unsettled');
  }
}
