import { compareRates, CONFIDENCE } from '../../shared/analysis/compare-rates.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { isLook } from '../../shared/statistics/looks.ts';

/** What it needs of a plan. */
type Planned = {
  scenarios: readonly Pick<Scenario, 'id' | 'baselineId' | 'isNoiseFloor'>[];
} & Pick<Plan, 'schedule' | 'equivalence'>;

/** Decides after each round whether a run that goes on until it is settled needs another one. */
export class Settling {
  readonly #plan: Planned;
  readonly #beganMs: number;
  readonly #speeds = new Map<string, Map<number, number>>();

  /** `nowMs`: when measuring begins, on a clock that never jumps. */
  constructor(plan: Planned, nowMs: number) {
    this.#plan = plan;
    this.#beganMs = nowMs;
  }

  /** What a scenario achieved in a round, see `speed`. */
  add(scenarioId: string, round: number, achieved: number): void {
    const rounds = this.#speeds.get(scenarioId) ?? new Map<number, number>();
    this.#speeds.set(scenarioId, rounds.set(round, achieved));
  }

  /** Why no round follows `round`; undefined when one does, or when the plan's own number of rounds decides. */
  endsAfter(round: number, nowMs: number): RoundsEnded | undefined {
    const { untilSettled, rounds } = this.#plan.schedule;
    if (untilSettled === undefined || round >= rounds) return undefined;
    if (isLook(round, rounds) && this.#isSettled()) return 'settled';
    const elapsed = nowMs - this.#beganMs;
    const another = elapsed / round;
    return elapsed + another > untilSettled.budgetMinutes * 60_000 ? 'budget' : undefined;
  }

  /** Every comparison that has numbers at all; what fails in every round would never be settled. */
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
