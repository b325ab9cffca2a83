import { compareSpeeds, CONFIDENCE, pooledSpeeds } from '../../shared/analysis/speeds.ts';
import { type CrossedScenario, effectsOf, referenceOf } from '../../shared/analysis/effects.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import { isInterimCheck } from '../../shared/statistics/claims.ts';
import { canSettle } from '../../shared/statistics/paired-ratio.ts';

type Planned = {
  scenarios: readonly (CrossedScenario & Pick<Scenario, 'baselineId'>)[];
} & Pick<Plan, 'schedule' | 'equivalence' | 'baselineId'>;

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

  endsAfter(round: number, nowMs: number): RoundsEnded | undefined {
    const { untilConclusive, rounds } = this.#plan.schedule;
    if (untilConclusive === undefined || round >= rounds) return undefined;
    if (isInterimCheck(round, rounds) && this.#isConclusive()) return 'conclusive';
    const elapsed = nowMs - this.#beganMs;
    const another = elapsed / round;
    return elapsed + another > untilConclusive.budgetMinutes * 60_000 ? 'budget' : undefined;
  }

  /** Ignores what has no numbers or finished nothing in a round, which would never settle. */
  #isConclusive(): boolean {
    const { scenarios, equivalence, baselineId } = this.#plan;
    const rates = pooledSpeeds(scenarios, this.#speeds);
    const how = { confidence: CONFIDENCE, equivalence };
    const effects = effectsOf(this.#plan, rates, { ...how, referenceId: baselineId });
    const cells = compareSpeeds(this.#plan, rates, { ...how, baselineOf: (one) => one.baselineId });
    const covered = new Set(
      effects.flatMap(({ pairs }) =>
        pairs.flatMap(({ scenarioId, referenceId }) => [scenarioId, referenceId]),
      ),
    );
    const docker = referenceOf(scenarios, baselineId)?.id;
    const alone = scenarios.filter(
      ({ id, isAaRepeat, baselineId: own }) =>
        !isAaRepeat && id !== own && (!covered.has(id) || id === docker),
    );
    const settled = [...effects, ...alone.flatMap(({ id }) => cells.get(id) ?? [])].filter(canSettle);
    return settled.length > 0 && settled.every(({ verdict }) => verdict !== 'inconclusive');
  }
}
