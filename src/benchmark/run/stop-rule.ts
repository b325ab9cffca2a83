import { compareSpeeds, CONFIDENCE, levelOfLook, looksOf } from '../../shared/analysis/speeds.ts';
import { passOf, pooledSpeeds, roundOf, sampleCount, samplesOf } from '../../shared/analysis/samples.ts';
import { estimatorOf } from '../../shared/analysis/servers-apart.ts';
import { type CrossedScenario, effectsOf, marginBetween } from '../../shared/analysis/effects.ts';
import { referenceOf } from '../../shared/model/factors.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Amount } from '../../shared/model/measurements.ts';
import type { Plan, Scenario } from '../../shared/model/plan.ts';
import type { TrialState } from '../../shared/model/run-state.ts';
import { passesOf } from '../../shared/run/progress.ts';
import { canSettle } from '../../shared/statistics/estimate.ts';
import { isLook } from '../../shared/statistics/spending.ts';

type Planned = {
  scenarios: readonly (CrossedScenario & Pick<Scenario, 'baselineId'>)[];
  groups?: Plan['groups'];
} & Pick<Plan, 'schedule' | 'equivalence' | 'baselineId'>;

export class StopRule {
  readonly #plan: Planned;
  readonly #beganMs: number;
  /** By the time limit, or the share of it that the group at work has. */
  #untilMs: number;
  readonly #speeds = new Map<string, Map<number, Amount>>();

  constructor(plan: Planned, nowMs: number) {
    this.#plan = plan;
    this.#beganMs = nowMs;
    this.#untilMs = this.#limitMs;
  }

  get #limitMs(): number {
    return this.#beganMs + (this.#plan.schedule.untilConclusive?.budgetMinutes ?? Infinity) * 60_000;
  }

  get #groups(): number {
    return Math.max(1, this.#plan.groups?.length ?? 1);
  }

  /** Of a comparison: each group has its own passes. */
  get #samples(): number {
    return Math.ceil(sampleCount(this.#speeds) / this.#groups);
  }

  /** The groups that are left of the round, this one among them, share the time that is left. */
  beginGroup(nowMs: number, left: number): void {
    this.#untilMs = nowMs + (this.#limitMs - nowMs) / left;
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

  /** After a pass that isn't the round's last, several groups ask for their share of the time limit alone. */
  endsAfter(sample: number, nowMs: number): RoundsEnded | undefined {
    const { untilConclusive, rounds, sliceSeconds } = this.#plan.schedule;
    if (untilConclusive === undefined) return undefined;
    const samples = this.#samples;
    const looks = looksOf(this.#plan.schedule);
    const round = roundOf(sample);
    if (samples >= looks.planned || (sliceSeconds === undefined && round >= rounds)) return undefined;
    const isRoundOver = sliceSeconds === undefined || passOf(sample) === this.#groups * passesOf(this.#plan);
    const isComparable = this.#groups === 1 || isRoundOver;
    if (isComparable && isLook(samples, looks) && this.#isConclusive()) return 'conclusive';
    const passes = sliceSeconds === undefined ? round : sampleCount(this.#speeds);
    const another = ((nowMs - this.#beganMs) / passes) * (isRoundOver ? this.#groups : 1);
    return nowMs + another > this.#untilMs ? 'budget' : undefined;
  }

  /** Ignores what has no ratio. */
  #isConclusive(): boolean {
    const { scenarios, schedule, equivalence, baselineId } = this.#plan;
    const rates = pooledSpeeds(scenarios, this.#speeds);
    const how = {
      confidence: CONFIDENCE,
      levelOf: levelOfLook(schedule, this.#samples),
      estimate: estimatorOf(scenarios, this.#speeds),
    };
    const effects = effectsOf(scenarios, rates, {
      ...how,
      equivalence,
      referenceId: baselineId,
      findsDependences: false,
    });
    const byId = new Map(scenarios.map((one) => [one.id, one]));
    const cells = compareSpeeds(scenarios, rates, {
      ...how,
      marginOf: (one) => marginBetween(one, byId.get(one.baselineId) ?? one, equivalence),
      baselineOf: (one) => one.baselineId,
    });
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
