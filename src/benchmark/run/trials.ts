import { msg } from '../../shared/message.ts';
import { isLeft, measuredMs } from '../../shared/run/continuing.ts';
import { BenchmarkError, type ErrorCode, toErrorData, errorMessage } from '../../shared/errors.ts';
import { speed, type Window } from '../../shared/model/measurements.ts';
import { type Scenario, startKey, trialId } from '../../shared/model/plan.ts';
import type { RunState } from '../../shared/model/run-state.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { returnsSoon } from '../runtime/engine/engine-client.ts';
import { ownHost } from '../host/host-source.ts';
import type { LoadClient, LoadEvent, LoadTarget } from '../load/load-client.ts';
import { checkStopped, linkedTo, unlessStopped } from '../stop.ts';
import { readServerFacts } from '../servers/server-facts.ts';
import type { RunningServer, TargetServer } from '../servers/target-server.ts';
import type { Environment } from './environment.ts';
import { diagnoseLostConnection } from './clients.ts';
import type { RunContext } from './context.ts';
import type { RunControl } from './run-control.ts';
import { checkConsistency, lastTrials } from './consistency.ts';
import { ServerInUse } from './server-in-use.ts';
import { StopRule } from './stop-rule.ts';
import { TrialWatch } from './trial-watch.ts';
import { pathName } from '../../shared/words/labels.ts';

/** Consecutive failures after which a scenario is not tried again. */
const GIVE_UP_AFTER = 2;
const CLIENT_ENDED: ReadonlySet<ErrorCode> = new Set(['CLIENT_LOST', 'CLIENT_CRASHED']);
/** For a silent server to accept a login, ms. */
const ANSWER_MS = 15_000;

/** Runs the rounds of a prepared plan. A failed trial costs only itself; a lost engine or a stop ends everything. */
export class TrialRunner {
  readonly #context: RunContext;
  readonly #environment: Environment;
  readonly #rounds: string[][];
  #lastMeasuredRound = 0;
  readonly #lastTrials: Set<string>;
  readonly #stopRule: StopRule;
  readonly #inUse: ServerInUse;
  readonly #measured = new Set<string>();
  readonly #factsKnown = new Set<string>();
  readonly #failures = new Map<string, { count: number; error: BenchmarkError }>();

  constructor(context: RunContext, environment: Environment) {
    this.#context = context;
    this.#environment = environment;
    const { plan, earlier } = context;
    this.#rounds = plan.rounds.map((ids, index) =>
      ids.filter((id) => earlier === undefined || isLeftOf(earlier, trialId(index + 1, id))),
    );
    this.#lastTrials = lastTrials({ ...plan, rounds: this.#rounds });
    this.#inUse = new ServerInUse(context.signal);
    this.#stopRule = new StopRule(
      plan,
      performance.now() - (earlier === undefined ? 0 : measuredMs(earlier)),
    );
    for (const { scenarioId, round, totals } of earlier?.trials ?? []) {
      if (totals === null) continue;
      this.#stopRule.add(scenarioId, round, speed(totals));
      this.#lastMeasuredRound = Math.max(this.#lastMeasuredRound, round);
    }
  }

  async runAll(): Promise<void> {
    const { control, emit } = this.#context;
    for (const [index, ids] of this.#rounds.entries()) {
      await this.#runRound(index + 1, ids);
      if (index + 1 < this.#lastMeasuredRound) continue;
      const because = this.#stopRule.endsAfter(index + 1, performance.now() - control.pausedMs);
      if (because !== undefined) {
        emit({ type: 'rounds-ended', after: index + 1, because });
        return;
      }
    }
  }

  async #runRound(round: number, ids: readonly string[]): Promise<void> {
    const { control, plan, signal } = this.#context;
    const scenarios = ids.flatMap((id) => plan.scenarios.find((one) => one.id === id) ?? []);
    const again = new Set<Scenario>();
    // Trials that lost their client are added at the end, each once.
    for (const scenario of scenarios) {
      checkStopped(signal);
      if (control.isPauseRequested) {
        this.#inUse.end();
        await this.#inUse.ended();
      }
      await control.pausePoint(signal);
      if ((await this.#tryTrial(scenario, round, !again.has(scenario))) === 'ended') continue;
      again.add(scenario);
      scenarios.push(scenario);
    }
  }

  /** 'lost': `mayRepeat`, and the trial lost its client. */
  async #tryTrial(scenario: Scenario, round: number, mayRepeat: boolean): Promise<'ended' | 'lost'> {
    const { control, emit, signal } = this.#context;
    const id = trialId(round, scenario.id);
    const before = this.#failures.get(scenario.id);
    const isGivenUp = before !== undefined && before.count >= GIVE_UP_AFTER;
    const trial = control.beginTrial(signal);
    emit({ type: 'trial-started', trialId: id });
    try {
      const lacking = this.#environment.clients.lacking(scenario);
      if (lacking !== undefined) throw lacking;
      const server = this.#environment.servers.get(scenario.serverId);
      if (server === undefined) throw new Error(`server ${scenario.serverId} was never prepared`);
      if (server instanceof BenchmarkError) throw server;
      if (isGivenUp) throw before.error;
      await this.#runTrial(id, scenario, round, server, trial);
      this.#failures.delete(scenario.id);
    } catch (thrown) {
      // In an unknown state: the next trial starts it again.
      this.#inUse.end();
      const isBack = isEngineLost(thrown) && (await this.#reconnect(scenario));
      const error = signal.aborted
        ? new BenchmarkError('STOPPED')
        : isBack
          ? brokenConnection(thrown)
          : trial.isSkipped() && !isEngineLost(thrown)
            ? new BenchmarkError('SKIPPED')
            : thrown;
      const isLost = error instanceof BenchmarkError && CLIENT_ENDED.has(error.code);
      if (isLost && mayRepeat && !isGivenUp && !this.#measured.has(id)) {
        emit({ type: 'trial-lost', trialId: id, error: toErrorData(error) });
        return 'lost';
      }
      // What breaks after the last window (a check, a shutdown, a stop) keeps the measured trial.
      if (!this.#measured.has(id)) emit({ type: 'trial-failed', trialId: id, error: toErrorData(error) });
      if (signal.aborted || isEngineLost(error)) throw error;
      if (error instanceof BenchmarkError && error.code !== 'SKIPPED') {
        this.#failures.set(scenario.id, { count: (before?.count ?? 0) + 1, error });
      }
    } finally {
      trial.end();
    }
    return 'ended';
  }

  /** Whether a lost engine is back with its servers at rest, so that a sleep costs one trial. */
  async #reconnect({ serverId }: Scenario): Promise<boolean> {
    const { runtime, budgets, signal } = this.#context;
    const server = this.#environment.servers.get(serverId);
    if (server === undefined || server instanceof BenchmarkError) return false;
    if (!(await returnsSoon(runtime, signal, budgets.awayMs))) return false;
    this.#environment.clients.forgetAll();
    return unlessStopped(signal, this.#inUse.halt(server)).catch(() => false);
  }

  async #runTrial(
    id: string,
    scenario: Scenario,
    round: number,
    server: TargetServer,
    trial: SkippableTrial,
  ): Promise<void> {
    const { emit, plan, signal } = this.#context;
    emit({ type: 'trial-phase', trialId: id, phase: 'start' });
    const running = await this.#inUse.get(startKey(round, scenario), server);
    const { clients } = this.#environment;
    let loadGenerator: LoadClient | undefined;
    let watch: TrialWatch | undefined;
    const load = linkedTo(trial.signal);
    try {
      checkStopped(trial.signal);
      loadGenerator = await Promise.race([running.failed, clients.for(scenario, running)]);
      const target = { ...running.address(scenario.path), ...server.account };
      emit({ type: 'trial-phase', trialId: id, phase: 'connect' });
      const checked = await Promise.race([
        running.failed,
        loadGenerator.check(target, {
          path: pathName(scenario.path),
          budgetMs: this.#context.budgets.pathMs,
          times: 3,
          signal: trial.signal,
        }),
      ]);
      await Promise.race([running.failed, this.#readFacts(server, running, loadGenerator, target)]);
      const { runtime, runId } = this.#context;
      watch = await TrialWatch.begin(
        { source: ownHost(), runtime, runId, running, loadGenerator, target, signal },
        checked,
      );
      checkStopped(trial.signal);
      let last: Window | undefined;
      const totals = await Promise.race([
        running.failed,
        loadGenerator.run(
          {
            loadGenerator: scenario.loadGenerator,
            transport: plan.transport,
            target,
            workload: plan.workload,
            connections: scenario.connections,
            rate: plan.rate ?? undefined,
            warmupMs: plan.schedule.warmupSeconds * 1000,
            durationMs: plan.schedule.durationSeconds * 1000,
            seed: (plan.seed + round) >>> 0,
          },
          (event) => {
            if (event.type === 'window') last = event.window;
            this.#forward(id, watch?.see(event) ?? event);
          },
          load.signal,
        ),
      ]);
      // No transaction in the last window: slow or gone? A broken path must not count as slow.
      if (last?.transactions === 0) {
        const path = pathName(scenario.path);
        const again = { path, budgetMs: ANSWER_MS, times: 1, signal: trial.signal };
        await Promise.race([running.failed, loadGenerator.check(target, again)]);
      }
      trial.end();
      emit({ type: 'trial-finished', trialId: id, totals });
      this.#measured.add(id);
      this.#stopRule.add(scenario.id, round, speed(totals));
      emit({
        type: 'trial-evidence',
        trialId: id,
        evidence: await Promise.race([running.failed, watch.end()]),
      });
      if (this.#lastTrials.has(id)) await checkConsistency(this.#context, server.id, loadGenerator, target);
    } catch (error) {
      throw signal.aborted ? error : await diagnoseLostConnection(error, running, signal);
    } finally {
      watch?.stop();
      load.end();
      if (!signal.aborted) {
        emit({ type: 'trial-phase', trialId: id, phase: 'stop' });
        if (loadGenerator !== undefined) await clients.release(loadGenerator).catch(ignoredUnlessLost);
      }
    }
  }

  #forward(id: string, event: LoadEvent): void {
    const { emit } = this.#context;
    if (event.type === 'phase') emit({ type: 'trial-phase', trialId: id, phase: event.phase });
    else emit({ type: 'window', trialId: id, window: event.window });
  }

  async #readFacts(
    server: TargetServer,
    running: RunningServer,
    client: LoadClient,
    target: LoadTarget,
  ): Promise<void> {
    const { emit, signal } = this.#context;
    if (this.#factsKnown.has(server.id)) return;
    this.#factsKnown.add(server.id);
    try {
      const facts = await readServerFacts(server, running, client, target, signal);
      emit({ type: 'server-facts', facts });
    } catch (error) {
      if (isEngineLost(error)) throw error;
      emit({
        type: 'notice',
        notice: {
          code: 'FACTS_UNREADABLE',
          message: msg('notice.settingsUnread', {
            server: server.id,
            reason: errorMessage(toErrorData(error)),
          }),
        },
      });
    }
  }
}

function isLeftOf({ trials }: RunState, id: string): boolean {
  return trials.some((trial) => trial.id === id && isLeft(trial));
}

function brokenConnection(lost: unknown): BenchmarkError {
  const { evidence } = toErrorData(lost);
  const reason = msg('load.engineBack');
  return new BenchmarkError('INTERRUPTED', { reason }, { evidence, cause: lost });
}

type SkippableTrial = ReturnType<RunControl['beginTrial']>;

/** Problems after measuring cost the next trial, not this one. */
function ignoredUnlessLost(error: unknown): void {
  if (isEngineLost(error)) throw error;
}
