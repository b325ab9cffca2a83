import { levelOfLook, looksOf } from '../../shared/analysis/speeds.ts';
import { sampleCount, speedsOf } from '../../shared/analysis/samples.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import type { Amount } from '../../shared/model/measurements.ts';
import type { Plan } from '../../shared/model/plan.ts';
import type { TrialState } from '../../shared/model/run-state.ts';
import { fewestRounds } from '../../shared/run/fewest-rounds.ts';
import { passesOf } from '../../shared/run/planned-time.ts';
import { SERVERS_APART } from '../../shared/statistics/components.ts';
import { isLook } from '../../shared/statistics/spending.ts';
import { areConclusive, type ComparedPlan, type Comparison, comparisonsIn, decidedIn } from './decided.ts';

/** With fewer passes, a start doesn't pay. */
const FEWEST_PASSES = 5;

type Planned = ComparedPlan & Pick<Plan, 'schedule'> & { groups?: Plan['groups'] };

interface Start {
  costMs: number;
  /** Groups left in the round, this one included. */
  groupsLeft: number;
  isLastRound: boolean;
}

/** `again` means that the servers start again. */
export type After = 'again' | RoundsEnded | undefined;

/** Times count measuring alone, without starts. */
export class StopRule {
  readonly leftOut = new Set<string>();
  readonly #speeds = new Map<string, Map<number, Amount>>();
  #start: Start = { costMs: 0, groupsLeft: 1, isLastRound: true };
  #beganMs: number;
  #untilMs: number;
  /** Samples since the start. */
  #taken = 0;

  constructor(
    private readonly plan: Planned,
    private spentMs = 0,
  ) {
    this.#beganMs = spentMs;
    this.#untilMs = this.#budgetMs;
  }

  get #budgetMs(): number {
    return (this.plan.schedule.untilConclusive?.budgetMinutes ?? Infinity) * 60_000;
  }

  get #groups(): number {
    return Math.max(1, this.plan.groups?.length ?? 1);
  }

  /** Each group has its own passes. */
  get #samples(): number {
    return Math.ceil(sampleCount(this.#speeds) / this.#groups);
  }

  begin(start: Start): void {
    this.#start = start;
    this.#taken = 0;
    this.#beganMs = this.spentMs;
    this.#untilMs = this.spentMs + (this.#budgetMs - this.spentMs) / start.groupsLeft;
  }

  add(scenarioId: string, sample: number, achieved: Amount): void {
    const own = this.#speeds.get(scenarioId) ?? new Map<number, Amount>();
    this.#speeds.set(scenarioId, own.set(sample, achieved));
  }

  addEarlier(trials: readonly TrialState[]): void {
    for (const [id, samples] of speedsOf(trials))
      for (const [sample, amount] of samples) this.add(id, sample, amount);
  }

  /** Call after a pass, or a round of separate trials. */
  after(tookMs: number): After {
    const { untilConclusive, sliceSeconds } = this.plan.schedule;
    if (untilConclusive === undefined) return undefined;
    this.spentMs += tookMs;
    this.#taken += 1;
    const looks = looksOf(this.plan);
    if (sliceSeconds === undefined && this.#samples >= looks.planned) return undefined;
    const next = this.#next(looks.planned);
    const isComparable = this.#groups === 1 || (this.#start.groupsLeft === 1 && next !== undefined);
    return isComparable && isLook(this.#samples, looks) && areConclusive(this.#comparisons())
      ? 'conclusive'
      : next;
  }

  #next(planned: number): After {
    const { costMs, isLastRound } = this.#start;
    const passMs = (this.spentMs - this.#beganMs) / this.#taken;
    const leftMs = this.#untilMs - this.spentMs;
    const nextMs = this.#nextRoundMs(passMs);
    const isEnough = Math.max(this.#samples, this.#taken) >= fewestRounds(this.plan);
    if ((leftMs < nextMs && isEnough) || sampleCount(this.#speeds) >= planned * this.#groups) return 'budget';
    const pays = leftMs >= FEWEST_PASSES * passMs && this.#taken >= passesOf(this.plan);
    if (this.plan.schedule.sliceSeconds === undefined || isLastRound || !pays) return undefined;
    // Groups can't be compared before each has had its turn.
    const isNextDue = this.#groups > 1 && leftMs > this.#budgetMs / this.#groups / 2;
    return isNextDue || this.#taken >= this.#passesPerStart(costMs / passMs) ? 'again' : undefined;
  }

  /** Decided tasks no longer count in the next round. */
  #nextRoundMs(passMs: number): number {
    if ((this.plan.task ?? null) === null) return passMs;
    const decided = new Set(this.decided());
    const trials = [...this.#speeds].map(([id, own]) => {
      const tookMs = [...own.values()].reduce((sum, { durationMs }) => sum + durationMs, 0);
      return { id, tookMs, count: own.size };
    });
    const all = trials.reduce((sum, one) => sum + one.count, 0);
    const measuredMs = trials.reduce((sum, one) => sum + one.tookMs, 0);
    const aroundMs = Math.max(0, this.spentMs - measuredMs) / all;
    return trials.reduce(
      (sum, { id, tookMs, count }) => (decided.has(id) ? sum : sum + tookMs / count + aroundMs),
      0,
    );
  }

  /** Source: Kalibera & Jones, Rigorous Benchmarking in Reasonable Time, 2013, doi:10.1145/2464157.2464160, §6. */
  #passesPerStart(cost: number): number {
    const all = this.#comparisons();
    const storage = all.filter(({ factor }) => factor === 'storage');
    const noise = (storage.length > 0 ? storage : all).flatMap(({ ratio }) => {
      const { standardError = null, samples = 0 } = ratio ?? {};
      return standardError === null ? [] : [standardError * Math.sqrt(samples)];
    });
    if (noise.length === 0) return Infinity;
    const ofPass = noise.reduce((sum, one) => sum + one, 0) / noise.length;
    const { variance } = this.plan.serversApart ?? SERVERS_APART;
    return (ofPass * Math.sqrt(cost)) / Math.sqrt(variance);
  }

  /** Verdicts hold from here on. */
  decided(): string[] {
    const { schedule, baselineId } = this.plan;
    const isLookNow = schedule.untilConclusive !== undefined && isLook(this.#samples, looksOf(this.plan));
    return isLookNow ? decidedIn(this.#comparisons()).filter((id) => id !== baselineId) : [];
  }

  /** Returns the scenarios left out; other comparisons keep the levels of all. */
  leaveOut(ids: readonly string[]): string[] {
    const found = this.decided().filter((id) => ids.includes(id) && !this.leftOut.has(id));
    for (const id of found) this.leftOut.add(id);
    return found;
  }

  #comparisons(): Comparison[] {
    return comparisonsIn(this.plan, this.#speeds, levelOfLook(this.plan, this.#samples));
  }
}
