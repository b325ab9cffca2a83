import {
  compareSpeeds,
  CONFIDENCE,
  levelOfLook,
  looksOf,
  pooledSpeeds,
  roundOf,
  sampleCount,
  samplesOf,
} from '../../shared/analysis/speeds.ts';
import { type CrossedScenario, effectsOf, referenceOf } from '../../shared/analysis/effects.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Amount } from '../../shared/model/measurements.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import type { TrialState } from '../../shared/model/run-state.ts';
import { canSettle } from '../../shared/statistics/paired-ratio.ts';
import { isLook } from '../../shared/statistics/spending.ts';

type Planned = {
  scenarios: readonly (CrossedScenario & Pick<Scenario, 'baselineId'>)[];
} & Pick<Plan, 'schedule' | 'equivalence' | 'baselineId'>;

export class StopRule {
  readonly #plan: Planned;
  readonly #beganMs: number;
  readonly #speeds = new Map<string, Map<number, Amount>>();

  constructor(plan: Planned, nowMs: number) {
    this.#plan = plan;
    this.#beganMs = nowMs;
  }

  add(scenarioId: string, sample: number, achieved: Amount): void {
    const own = this.#speeds.get(scenarioId) ?? new Map<number, Amount>();
    this.#speeds.set(scenarioId, own.set(sample, achieved));
  }

  addEarlier(trials: readonly TrialState[]): void {
    for (const { scenarioId, round, totals, slices } of trials) {
      if (totals === null) continue;
      for (const [sample, amount] of samplesOf({ round, totals, slices }))
        this.add(scenarioId, sample, amount);
    }
  }

  endsAfter(sample: number, nowMs: number): RoundsEnded | undefined {
    const { untilConclusive, rounds, sliceSeconds } = this.#plan.schedule;
    if (untilConclusive === undefined) return undefined;
    const samples = sampleCount(this.#speeds);
    const looks = looksOf(this.#plan.schedule);
    const round = roundOf(sample);
    if (samples >= looks.planned || (sliceSeconds === undefined && round >= rounds)) return undefined;
    if (isLook(samples, looks) && this.#isConclusive()) return 'conclusive';
    const elapsed = nowMs - this.#beganMs;
    const another = elapsed / (sliceSeconds === undefined ? round : samples);
    return elapsed + another > untilConclusive.budgetMinutes * 60_000 ? 'budget' : undefined;
  }

  /** Ignores what has no ratio. */
  #isConclusive(): boolean {
    const { scenarios, schedule, equivalence, baselineId } = this.#plan;
    const rates = pooledSpeeds(scenarios, this.#speeds);
    const levelOf = levelOfLook(schedule, sampleCount(this.#speeds));
    const how = { confidence: CONFIDENCE, equivalence, levelOf };
    const effects = effectsOf(scenarios, rates, {
      ...how,
      referenceId: baselineId,
      findsDependences: false,
    });
    const cells = compareSpeeds(scenarios, rates, { ...how, baselineOf: (one) => one.baselineId });
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
