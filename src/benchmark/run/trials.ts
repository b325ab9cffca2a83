import { msg } from '../../shared/message.ts';
import { isLeft, measuredMs } from '../../shared/run/continuing.ts';
import { isSkipped } from '../../shared/run/progress.ts';
import { BenchmarkError, type ErrorCode, errorMessage, toErrorData } from '../../shared/errors.ts';
import type { RoundsEnded } from '../../shared/model/events.ts';
import { sampleOf, samplesOf } from '../../shared/analysis/speeds.ts';
import { speed } from '../../shared/model/measurements.ts';
import { type Scenario, trialId } from '../../shared/model/plan.ts';
import { isTpcc } from '../../shared/model/workload.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { returnsSoon } from '../runtime/engine/engine-client.ts';
import { createRandom, shuffled } from '../random.ts';
import { checkStopped, unlessStopped } from '../stop.ts';
import type { TargetServer } from '../servers/target-server.ts';
import type { Environment } from './environment.ts';
import { type RunContext, step } from './context.ts';
import { lastTrials } from './consistency.ts';
import { LivingServers } from './living-servers.ts';
import { endsQuickLook } from './quick-look.ts';
import { StopRule } from './stop-rule.ts';
import { brokenConnection, Trial, type Turn } from './trial.ts';

/** Consecutive failures after which a scenario is not tried again. */
const GIVE_UP_AFTER = 2;
const CLIENT_ENDED: ReadonlySet<ErrorCode> = new Set(['CLIENT_LOST', 'CLIENT_CRASHED']);

/** `quick-look`: the rest can be continued. */
type Ending = RoundsEnded | 'quick-look';
type Outcome = 'measured' | 'again' | 'over';

/** Runs the rounds of a prepared plan. A failed trial costs only itself; a lost engine or a stop ends everything. */
export class TrialRunner {
  readonly #context: RunContext;
  readonly #environment: Environment;
  readonly #living: LivingServers;
  readonly #rounds: string[][];
  readonly #lastTrials: Set<string>;
  readonly #stopRule: StopRule;
  readonly #failures = new Map<string, { count: number; error: BenchmarkError }>();
  readonly #isSideBySide: boolean;
  readonly #beganMs = performance.now();
  #lastMeasuredRound = 0;

  constructor(context: RunContext, environment: Environment) {
    this.#context = context;
    this.#environment = environment;
    const { plan, earlier } = context;
    this.#isSideBySide = plan.schedule.sliceSeconds !== undefined;
    this.#rounds = plan.rounds.map((ids, index) => this.#leftOf(index + 1, ids));
    this.#lastTrials = lastTrials({ ...plan, rounds: this.#rounds });
    this.#living = new LivingServers(context);
    this.#stopRule = new StopRule(
      plan,
      performance.now() - (earlier === undefined ? 0 : measuredMs(earlier)),
    );
    for (const { scenarioId, round, totals, slices } of earlier?.trials ?? []) {
      if (totals === null) continue;
      for (const [sample, achieved] of samplesOf({ round, totals, slices })) {
        this.#stopRule.add(scenarioId, sample, achieved);
      }
      this.#lastMeasuredRound = Math.max(this.#lastMeasuredRound, round);
    }
  }

  async runAll(): Promise<void> {
    const { emit } = this.#context;
    for (const [index, ids] of this.#rounds.entries()) {
      const round = index + 1;
      const ended = await this.#runRound(round, ids);
      if (!this.#isSideBySide && round < this.#lastMeasuredRound) continue;
      const because = ended ?? (this.#isSideBySide ? undefined : this.#endsAfter(sampleOf(round)));
      if (because === undefined) continue;
      if (because !== 'quick-look') emit({ type: 'rounds-ended', after: round, because });
      return;
    }
  }

  /** After a round or a pass. */
  #endsAfter(sample: number): Ending | undefined {
    const { control, plan } = this.#context;
    const nowMs = performance.now() - control.pausedMs;
    const because = this.#stopRule.endsAfter(sample, nowMs);
    return because ?? (endsQuickLook(plan, nowMs - this.#beganMs) ? 'quick-look' : undefined);
  }

  /** Rounds of slices continue with all of their scenarios: what is compared is measured in the same passes. */
  #leftOf(round: number, ids: readonly string[]): string[] {
    const { earlier } = this.#context;
    if (earlier === undefined) return [...ids];
    const own = earlier.trials.filter((trial) => trial.round === round);
    const left = own.filter(isLeft);
    const again = this.#isSideBySide && left.length > 0 ? own.filter((trial) => !isSkipped(trial)) : left;
    return ids.filter((id) => again.some(({ scenarioId }) => scenarioId === id));
  }

  async #runRound(round: number, ids: readonly string[]): Promise<Ending | undefined> {
    const { plan } = this.#context;
    const scenarios = ids.flatMap((id) => plan.scenarios.find((one) => one.id === id) ?? []);
    if (this.#isSideBySide) return this.#takeTurns(round, scenarios);
    const lost: Scenario[] = [];
    for (const scenario of scenarios)
      if (await this.#measureAlone(round, scenario, true)) lost.push(scenario);
    for (const scenario of lost) await this.#measureAlone(round, scenario, false);
    return undefined;
  }

  /** Whether it lost its client, and may be measured once more. */
  async #measureAlone(round: number, scenario: Scenario, mayRepeat: boolean): Promise<boolean> {
    await this.#pausePoint();
    const trial = this.#trialOf(round, scenario);
    if (trial === undefined) return false;
    const outcome = await this.#attempt(trial, round, { mayRepeat });
    if (outcome === 'measured') await this.#finish(trial, round);
    return outcome === 'again';
  }

  /** Passes in which each scenario gets a slice. Ends early as the stop rule says. */
  async #takeTurns(round: number, scenarios: readonly Scenario[]): Promise<Ending | undefined> {
    const { plan } = this.#context;
    const trials = scenarios.flatMap((one) => this.#trialOf(round, one) ?? []);
    const over = new Set<Trial>();
    const began = performance.now();
    let because: Ending | undefined;
    for (const [index, servers] of plan.groups.entries()) {
      const open = new Set(trials.filter((one) => servers.includes(one.server.id) && !over.has(one)));
      if (open.size === 0) continue;
      await this.#prepare(round, [...open]);
      for (const pass of this.#passesOf(round, index)) {
        const random = createRandom(plan.seed, sampleOf(round, pass));
        for (const [index, trial] of shuffled([...open], random).entries()) {
          await this.#pausePoint();
          const turn = { pass, position: index + 1, atMs: performance.now() - began };
          const outcome = await this.#attempt(trial, round, { turn, mayRepeat: trial.misses === 0 });
          if (outcome !== 'over') continue;
          open.delete(trial);
          over.add(trial);
        }
        because = this.#endsAfter(sampleOf(round, pass));
        if (because !== undefined || open.size === 0) break;
      }
      if (because !== undefined) break;
    }
    for (const trial of trials.filter((one) => !over.has(one))) {
      await this.#finish(trial, round, because !== 'quick-look');
    }
    return because;
  }

  /** Starts the servers of a group together and brings all to the same state. What fails here fails again in its turn. */
  async #prepare(round: number, trials: readonly Trial[]): Promise<void> {
    const { signal } = this.#context;
    const servers = [...new Set(trials.map(({ server }) => server))];
    const unlessFatal = async (work: Promise<unknown>): Promise<void> => {
      await work.catch((error: unknown) => {
        if (signal.aborted || isEngineLost(error)) throw error;
      });
    };
    await step(this.#context, 'start', String(round), async (progress) => {
      await this.#living.use(round, servers);
      // On idle servers, one after the other; then all warm up at the same time.
      for (const server of servers) {
        const [first] = trials.filter((one) => one.server === server);
        if (first !== undefined)
          await unlessFatal(this.#living.get(round, server).then((running) => first.readFacts(running)));
      }
      let done = 0;
      const warmed = servers.map(async (server) => {
        for (const trial of trials.filter((one) => one.server === server)) {
          await unlessFatal(
            this.#living.get(round, server).then((running) => trial.prepare(running, signal)),
          );
          progress({ fraction: ++done / trials.length, detail: '' });
        }
      });
      await Promise.all(warmed);
      for (const server of servers) await this.#living.rest(server);
    });
  }

  /** Numbers of the passes that are left of a group in a round; those of later groups follow. */
  #passesOf(round: number, group: number): number[] {
    const { earlier, plan } = this.#context;
    const { durationSeconds, sliceSeconds = durationSeconds } = plan.schedule;
    const all = Math.max(1, Math.round(durationSeconds / sliceSeconds));
    const own = earlier?.trials.filter((trial) => trial.round === round && !isSkipped(trial)) ?? [];
    const before = Math.max(0, ...own.flatMap(({ slices }) => slices.map(({ pass }) => pass)));
    const least = own.length === 0 ? 0 : Math.min(...own.map(({ slices }) => slices.length));
    const length = Math.max(1, all - least);
    return Array.from({ length }, (_, index) => before + group * length + index + 1);
  }

  async #pausePoint(): Promise<void> {
    const { control, signal } = this.#context;
    checkStopped(signal);
    if (control.isPauseRequested) {
      this.#living.endAll();
      await this.#living.ended();
    }
    await control.pausePoint(signal);
  }

  /** Undefined: it can't be measured, which is its result. */
  #trialOf(round: number, scenario: Scenario): Trial | undefined {
    const { emit } = this.#context;
    const failure = this.#failures.get(scenario.id);
    const lacking = this.#environment.clients.lacking(scenario);
    const server = this.#environment.servers.get(scenario.serverId);
    const isGivenUp = failure !== undefined && failure.count >= GIVE_UP_AFTER;
    const error =
      lacking ?? (server instanceof BenchmarkError ? server : isGivenUp ? failure.error : undefined);
    if (error === undefined && server !== undefined && !(server instanceof BenchmarkError)) {
      return new Trial(this.#context, this.#environment, { scenario, round, server });
    }
    if (error === undefined) throw new Error(`server ${scenario.serverId} was never prepared`);
    const id = trialId(round, scenario.id);
    emit({ type: 'trial-started', trialId: id });
    emit({ type: 'trial-failed', trialId: id, error: toErrorData(error) });
    return undefined;
  }

  async #attempt(
    trial: Trial,
    round: number,
    { turn, mayRepeat }: { turn?: Turn; mayRepeat: boolean },
  ): Promise<Outcome> {
    const { control, emit, signal } = this.#context;
    const current = control.beginTrial(signal);
    emit({ type: 'trial-started', trialId: trial.id });
    try {
      emit({ type: 'trial-phase', trialId: trial.id, phase: 'start' });
      if (turn === undefined) await this.#living.use(round, [trial.server]);
      await trial.prepare(await this.#living.get(round, trial.server), current.signal);
      checkStopped(current.signal);
      const measured = await trial.measure(turn, current.signal);
      current.end();
      trial.misses = 0;
      this.#failures.delete(trial.scenario.id);
      this.#stopRule.add(trial.scenario.id, sampleOf(round, turn?.pass), speed(measured));
      if (trial.totals !== undefined && turn !== undefined) {
        emit({ type: 'slice-finished', trialId: trial.id, totals: trial.totals });
        await trial.rest();
        await this.#living.rest(trial.server);
      }
      return 'measured';
    } catch (thrown) {
      const found = await trial.diagnosed(thrown);
      return await this.#failed(trial, found, { mayRepeat, isSkipped: current.isSkipped() });
    } finally {
      current.end();
    }
  }

  async #failed(
    trial: Trial,
    thrown: unknown,
    { mayRepeat, isSkipped }: { mayRepeat: boolean; isSkipped: boolean },
  ): Promise<Outcome> {
    const { emit, signal } = this.#context;
    if (!signal.aborted) await trial.release().catch(() => undefined);
    // In an unknown state: it is started again for its next turn.
    this.#living.end(trial.server);
    const isBack = isEngineLost(thrown) && (await this.#reconnect(trial.server));
    const error = signal.aborted
      ? new BenchmarkError('STOPPED')
      : isBack
        ? brokenConnection(thrown)
        : isSkipped && !isEngineLost(thrown)
          ? new BenchmarkError('SKIPPED')
          : thrown;
    const data = toErrorData(error);
    const hasClientEnded = error instanceof BenchmarkError && CLIENT_ENDED.has(error.code);
    const isOnlyASlice = trial.totals !== undefined && !signal.aborted && data.code !== 'SKIPPED';
    if (mayRepeat && !isEngineLost(error) && (hasClientEnded || isOnlyASlice)) {
      trial.misses += 1;
      emit({ type: 'trial-lost', trialId: trial.id, error: data });
      if (isOnlyASlice) this.#noteLostSlice(trial, data);
      return 'again';
    }
    emit({ type: 'trial-failed', trialId: trial.id, error: data });
    if (signal.aborted || isEngineLost(error)) throw error;
    if (error instanceof BenchmarkError && error.code !== 'SKIPPED') {
      const count = (this.#failures.get(trial.scenario.id)?.count ?? 0) + 1;
      this.#failures.set(trial.scenario.id, { count, error });
    }
    return 'over';
  }

  #noteLostSlice({ id, scenario }: Trial, error: ReturnType<typeof toErrorData>): void {
    this.#context.emit({
      type: 'notice',
      notice: {
        code: 'SLICE_LOST',
        message: msg('notice.sliceLost', { scenario: scenario.name, reason: errorMessage(error) }),
        scenarioId: scenario.id,
        trialId: id,
      },
    });
  }

  /** What breaks from here on (a check, a shutdown) keeps the measured trial. */
  async #finish(trial: Trial, round: number, isWhole = true): Promise<void> {
    const { emit, plan, signal } = this.#context;
    if (trial.totals === undefined) return;
    if (isWhole) emit({ type: 'trial-finished', trialId: trial.id, totals: trial.totals });
    const isLast = this.#lastTrials.has(trial.id);
    try {
      if (isLast && isTpcc(plan.workload)) await this.#living.get(round, trial.server);
      await trial.complete(isLast);
    } catch (error) {
      this.#living.end(trial.server);
      if (signal.aborted || isEngineLost(error)) throw error;
    } finally {
      if (!signal.aborted) {
        emit({ type: 'trial-phase', trialId: trial.id, phase: 'stop' });
        await trial.release();
      }
    }
  }

  /** Whether a lost engine is back with its servers at rest, so that a sleep costs one trial or slice. */
  async #reconnect(server: TargetServer): Promise<boolean> {
    const { runtime, budgets, signal } = this.#context;
    if (!(await returnsSoon(runtime, signal, budgets.awayMs))) return false;
    this.#environment.clients.forgetAll();
    return unlessStopped(signal, this.#living.halt(server)).catch(() => false);
  }
}
