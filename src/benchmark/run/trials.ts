import { measuredMs } from '../../shared/run/progress.ts';
import { hasOpenPasses, passesOf } from '../../shared/run/planned-time.ts';
import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import { sampleOf } from '../../shared/analysis/samples.ts';
import { type Scenario, trialId } from '../../shared/model/plan.ts';
import { ignoredUnlessLost, isEngineLost } from '../runtime/engine/engine-error.ts';
import { requireRoom, type Room } from './room.ts';
import { createRandom, shuffled } from '../random.ts';
import { checkStopped } from '../stop.ts';
import type { WholeRun } from '../context/context.ts';
import { Cleanup, cleanupNotices } from '../context/cleanup.ts';
import { attemptError, mayRepeatAfter } from './attempt-error.ts';
import { completeTrials } from './complete-trials.ts';
import type { EngineBenches } from './servers/engine-bench.ts';
import { firstLookOf } from './first-look.ts';
import { type Outcome, takePass } from './pass.ts';
import { makeServer } from './servers/make-servers.ts';
import { type After, StopRule } from './stop-rule.ts';
import { Trial, type Turn } from './trial.ts';
import { ownHost } from '../host/host-source.ts';
import { OtherCores } from '../interference/other-cores.ts';

/** Effects then have their first figures. */
const PASSES_BEFORE_FACTS = 3;
const GIVE_UP_AFTER = 2;
/** Attempts in a row that end a trial. */
const MOST_LOST = 2;
const MOST_UNFINISHED = 4;

/** A failed trial costs only itself; a stop or the last engine's loss ends everything. */
export class TrialRunner {
  readonly #stopRule: StopRule;
  readonly #failures = new Map<string, { count: number; error: BenchmarkError }>();
  readonly #isSideBySide: boolean;
  readonly #otherCores: OtherCores;
  #rooms: readonly Room[] = [];
  #startingMs = 0;

  /** `timeHostFlush` is called once, after the first passes. */
  constructor(
    private readonly context: WholeRun,
    private readonly benches: EngineBenches,
    private timeHostFlush?: () => Promise<void>,
  ) {
    const { plan, earlier } = context;
    this.#isSideBySide = plan.schedule.sliceSeconds !== undefined;
    this.#otherCores = new OtherCores(ownHost(), context.engines, context.runId);
    this.#stopRule = new StopRule(plan, earlier === undefined ? 0 : measuredMs(earlier));
    this.#stopRule.addEarlier(earlier?.trials ?? []);
  }

  async runAll(): Promise<void> {
    const { plan, earlier, emit } = this.context;
    this.#rooms = await this.benches.rooms();
    const kept = new Set(
      earlier?.trials.flatMap(({ round, status }) => (status === 'pending' ? [] : [round])),
    );
    for (const [index, ids] of plan.rounds.entries()) {
      const round = index + 1;
      if (kept.has(round)) continue;
      const because = await this.#runRound(round, ids);
      if (because !== undefined && because !== 'again') {
        emit({ type: 'rounds-ended', after: round, because });
        return;
      }
      const scenarioIds = this.#stopRule.leaveOut(plan.task === null ? [] : (plan.rounds[round] ?? []));
      if (scenarioIds.length > 0) emit({ type: 'scenarios-decided', after: round, scenarioIds });
    }
  }

  get #nowMs(): number {
    return performance.now() - this.context.control.pausedMs;
  }

  async #runRound(round: number, ids: readonly string[]): Promise<After> {
    const { plan } = this.context;
    const open = ids.filter((id) => !this.#stopRule.leftOut.has(id));
    const scenarios = open.flatMap((id) => plan.scenarios.find((one) => one.id === id) ?? []);
    if (this.#isSideBySide) return this.#takeTurns(round, scenarios);
    const began = this.#nowMs;
    if (plan.task !== null) for (const scenario of scenarios) await this.#measureOnCopy(round, scenario);
    else await this.#measureEachAlone(round, scenarios);
    return this.#stopRule.after(this.#nowMs - began);
  }

  async #measureEachAlone(round: number, scenarios: readonly Scenario[]): Promise<void> {
    const lost: Scenario[] = [];
    for (const scenario of scenarios)
      if (await this.#measureAlone(round, scenario, true)) lost.push(scenario);
    for (const scenario of lost) await this.#measureAlone(round, scenario, false);
  }

  async #measureOnCopy(round: number, scenario: Scenario): Promise<void> {
    const { emit, signal } = this.context;
    await this.#pausePoint();
    const bench = this.benches.of(scenario);
    const { context, living } = bench;
    const own = new Cleanup();
    try {
      await this.benches.unlessLost(bench, async () => {
        if (this.#isGivenUp(scenario)) return;
        const { environment } = bench;
        const server = await makeServer(context, environment, scenario, own);
        environment.servers.set(scenario.serverId, server);
      });
      await this.#measureAlone(round, scenario, false);
    } finally {
      // The server's data goes, too.
      living.endAll(0);
      try {
        if (!signal.aborted) await this.benches.unlessLost(bench, () => living.ended());
      } finally {
        for (const notice of cleanupNotices(await own.run())) emit(notice);
      }
    }
  }

  #isGivenUp({ id }: Scenario): boolean {
    return (this.#failures.get(id)?.count ?? 0) >= GIVE_UP_AFTER;
  }

  /** True if the trial may be repeated. */
  async #measureAlone(round: number, scenario: Scenario, mayRepeat: boolean): Promise<boolean> {
    await this.#pausePoint();
    const trial = this.#trialOf(round, scenario);
    if (trial === undefined) return false;
    const outcome = await this.#attempt(trial, round, { mayRepeat });
    if (outcome === 'measured') {
      try {
        await completeTrials(this.context, this.benches, round, [trial]);
      } finally {
        if (!this.context.signal.aborted) await trial.release();
      }
    }
    return outcome === 'again';
  }

  async #takeTurns(round: number, scenarios: readonly Scenario[]): Promise<After> {
    const { plan } = this.context;
    const trials = scenarios.flatMap((one) => this.#trialOf(round, one) ?? []);
    const began = this.#nowMs;
    let next: After;
    let taken = 0;
    for (const [index, servers] of plan.groups.entries()) {
      const inGroup = trials.filter(({ server, isOver }) => servers.includes(server.id) && !isOver);
      if (inGroup.length === 0) continue;
      const firstLook = firstLookOf(this.context, this.benches, round, inGroup);
      const costMs = await this.#starting(() => this.benches.start(round, inGroup, firstLook));
      const isLastRound = round === plan.rounds.length;
      this.#stopRule.begin({ costMs, groupsLeft: plan.groups.length - index, isLastRound });
      ({ next, taken } = await this.#takePasses(round, inGroup, { taken, began }));
      const later = new Set(plan.groups.slice(index + 1).flat());
      const ended = inGroup.filter(({ server, isOver }) => !isOver && !later.has(server.id));
      await completeTrials(this.context, this.benches, round, ended);
      await Promise.all(ended.map((trial) => trial.release()));
    }
    return next;
  }

  /** Milliseconds, which don't count as measuring. */
  async #starting(start: () => Promise<void>): Promise<number> {
    const began = this.#nowMs;
    await start();
    await this.#otherCores.learn();
    const tookMs = this.#nowMs - began;
    this.#startingMs += tookMs;
    return tookMs;
  }

  async #takePasses(
    round: number,
    trials: readonly Trial[],
    { taken, began }: { taken: number; began: number },
  ): Promise<{ next: After; taken: number }> {
    const { plan, emit } = this.context;
    const open = (): Trial[] => trials.filter((trial) => !trial.isOver && !this.#isOverWithEngine(trial));
    const last = hasOpenPasses(plan) ? Infinity : taken + passesOf(plan);
    let next: After;
    let pass = taken;
    while (next === undefined && pass < last && open().length > 0) {
      pass += 1;
      const before = this.#nowMs - this.#startingMs;
      const random = createRandom(plan.seed, sampleOf(round, pass));
      await takePass(shuffled(open(), random), emit, async (trial, position, isAgain) => {
        await this.#pausePoint(round, open());
        const bench = this.benches.of(trial.scenario);
        if (bench.living.areDown) await this.#starting(() => this.benches.startOn(bench, round, open()));
        if (this.#isOverWithEngine(trial)) return 'over';
        const turn = { pass, position, atMs: this.#nowMs - began };
        const mayRepeat = !isAgain || trial.totals !== undefined || pass !== last;
        const outcome = await this.#attempt(trial, round, { turn, mayRepeat });
        trial.isOver = outcome === 'over';
        return outcome;
      });
      next = this.#stopRule.after(this.#nowMs - this.#startingMs - before);
      const isAnswered = pass >= PASSES_BEFORE_FACTS || next !== undefined || pass === last;
      if (!isAnswered) continue;
      await this.timeHostFlush?.();
      this.timeHostFlush = undefined;
      await this.benches.readFacts(round, open());
    }
    return { next, taken: pass };
  }

  #isOverWithEngine(trial: Trial): boolean {
    const { lost } = this.benches.of(trial.scenario);
    if (lost === undefined || trial.isOver) return trial.isOver;
    const { emit } = this.context;
    if (!trial.hasStarted) emit({ type: 'trial-started', trialId: trial.id });
    emit({ type: 'trial-failed', trialId: trial.id, error: toErrorData(lost) });
    trial.isOver = true;
    return true;
  }

  async #pausePoint(round = 0, trials: readonly Trial[] = []): Promise<void> {
    const { control, signal } = this.context;
    checkStopped(signal);
    if (control.isPauseRequested) {
      for (const trial of trials) await this.benches.count(round, trial).catch(ignoredUnlessLost);
      await this.benches.halt();
    }
    await control.pausePoint(signal);
    await requireRoom(this.#rooms);
  }

  /** Undefined if the scenario can't be measured. */
  #trialOf(round: number, scenario: Scenario): Trial | undefined {
    const { emit } = this.context;
    const bench = this.benches.of(scenario);
    const server = bench.lost ?? bench.environment.servers.get(scenario.serverId);
    const error =
      bench.lost ??
      bench.environment.clients.lacking(scenario) ??
      (this.#isGivenUp(scenario) ? this.#failures.get(scenario.id)?.error : undefined) ??
      (server instanceof BenchmarkError ? server : undefined);
    if (error === undefined && server !== undefined && !(server instanceof BenchmarkError)) {
      return new Trial(bench.context, bench.environment, { scenario, round, server });
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
    const { control, emit, signal } = this.context;
    const { living } = this.benches.of(trial.scenario);
    const current = control.beginTrial(signal);
    if (!trial.hasStarted) emit({ type: 'trial-started', trialId: trial.id });
    trial.hasStarted = true;
    try {
      emit({ type: 'trial-phase', trialId: trial.id, phase: 'start' });
      if (turn === undefined) await living.use(round, [trial.server]);
      await trial.prepare(await living.get(round, trial.server), current.signal);
      checkStopped(current.signal);
      const awake = this.benches.awakeBeside(trial.server);
      const before = turn && this.#otherCores.read();
      const measured = await trial.measure(turn, current.signal);
      const others = this.#otherCores.between(before, turn && this.#otherCores.read());
      current.end();
      trial.missed = 0;
      this.#failures.delete(trial.scenario.id);
      this.#stopRule.add(trial.scenario.id, sampleOf(round, turn?.pass), { ...measured, others });
      if (trial.totals !== undefined && turn !== undefined) {
        const { pass, position } = turn;
        const { transactions, durationMs } = measured;
        const slice = {
          ...{ pass, position, transactions, durationMs },
          ...(awake > 0 ? { awake } : {}),
          ...(others === undefined ? {} : { others }),
        };
        emit({ type: 'slice-finished', trialId: trial.id, slice, totals: trial.totals });
        await trial.rest();
        await living.rest(trial.server);
      }
      return 'measured';
    } catch (thrown) {
      const found = await trial.diagnosed(thrown);
      const isSlice = turn !== undefined && (trial.totals !== undefined || trial.isPrepared);
      return await this.#failed(trial, found, { mayRepeat, isSlice, isSkipped: current.isSkipped() });
    } finally {
      current.end();
    }
  }

  async #failed(
    trial: Trial,
    thrown: unknown,
    { mayRepeat, isSlice, isSkipped }: { mayRepeat: boolean; isSlice: boolean; isSkipped: boolean },
  ): Promise<Outcome> {
    const { emit, signal } = this.context;
    const bench = this.benches.of(trial.scenario);
    const isUnfinished =
      isSlice && thrown instanceof BenchmarkError && thrown.code === 'NOTHING_FINISHED' && !signal.aborted;
    if (isUnfinished) {
      trial.forget();
      await bench.living.rest(trial.server);
    } else {
      if (!signal.aborted) await trial.release().catch(() => undefined);
      bench.living.end(trial.server);
    }
    const isBack = isEngineLost(thrown) && (await bench.reconnect([trial.server]));
    const error = attemptError(thrown, { isStopped: signal.aborted, isBack, isSkipped });
    const data = toErrorData(error);
    const hasAnother = ++trial.missed < (isUnfinished ? MOST_UNFINISHED : MOST_LOST);
    if (mayRepeat && hasAnother && mayRepeatAfter(error, isSlice)) {
      trial.hasStarted = trial.totals !== undefined;
      trial.why = data;
      emit({ type: 'trial-lost', trialId: trial.id, error: data });
      return 'again';
    }
    emit({ type: 'trial-failed', trialId: trial.id, error: data });
    if (signal.aborted) throw error;
    if (isEngineLost(error)) this.benches.lose(bench, error);
    else if (error instanceof BenchmarkError && error.code !== 'SKIPPED') {
      const count = (this.#failures.get(trial.scenario.id)?.count ?? 0) + 1;
      this.#failures.set(trial.scenario.id, { count, error });
    }
    return 'over';
  }
}
