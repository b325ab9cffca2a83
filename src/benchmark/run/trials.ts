import { BenchmarkError, toErrorData } from '../../shared/errors.ts';
import { trialId, type Scenario } from '../../shared/model/plan.ts';
import type { LoadDriver, LoadEvent } from '../load/driver.ts';
import { HostNodeDriver } from '../load/node/node-driver.ts';
import { checkStopped, unlessStopped } from '../stop.ts';
import { PATHS } from '../target/paths.ts';
import { readServerFacts } from '../target/server-facts.ts';
import type { RunningServer, Server } from '../target/server.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import { startClientContainer } from './client-container.ts';
import { isEngineLost, type RunContext } from './context.ts';

/** After so many failures in a row a scenario is not tried again: the same cause would only cost the same time. */
const GIVE_UP_AFTER = 2;
const SHUTDOWN_SECONDS = 60;

/** Runs the rounds of a prepared plan. One trial that fails is only that; a lost engine or a stop ends it all. */
export class TrialRunner {
  readonly #context: RunContext;
  readonly #bench: Bench;
  readonly #cleanup: Cleanup;
  readonly #hostDriver: LoadDriver;
  #containerDriver: LoadDriver | undefined;
  #clients = 0;
  readonly #factsKnown = new Set<string>();
  readonly #failures = new Map<string, { count: number; error: BenchmarkError }>();

  constructor(context: RunContext, bench: Bench, cleanup: Cleanup) {
    this.#context = context;
    this.#bench = bench;
    this.#cleanup = cleanup;
    this.#hostDriver = new HostNodeDriver({ workerFile: context.clientFile });
  }

  async runAll(): Promise<void> {
    const { plan, signal } = this.#context;
    const byId = new Map(plan.scenarios.map((scenario) => [scenario.id, scenario]));
    for (const [index, ids] of plan.rounds.entries()) {
      for (const id of ids) {
        checkStopped(signal);
        const scenario = byId.get(id);
        if (scenario !== undefined) await this.#tryTrial(scenario, index + 1);
      }
    }
  }

  async #tryTrial(scenario: Scenario, round: number): Promise<void> {
    const { emit, signal } = this.#context;
    const id = trialId(round, scenario.id);
    emit({ type: 'trial-started', trialId: id });
    try {
      const server = this.#bench.servers.get(scenario.serverId);
      if (server === undefined) throw new Error(`server ${scenario.serverId} was never prepared`);
      if (server instanceof BenchmarkError) throw server;
      const before = this.#failures.get(scenario.id);
      if (before !== undefined && before.count >= GIVE_UP_AFTER) throw before.error;
      await this.#runTrial(id, scenario, round, server);
      this.#failures.delete(scenario.id);
    } catch (thrown) {
      const error = signal.aborted ? new BenchmarkError('STOPPED') : thrown;
      emit({ type: 'trial-failed', trialId: id, error: toErrorData(error) });
      if (signal.aborted || isEngineLost(error)) throw error;
      if (error instanceof BenchmarkError) {
        if (error.code === 'CLIENT_LOST') this.#containerDriver = undefined;
        const count = (this.#failures.get(scenario.id)?.count ?? 0) + 1;
        this.#failures.set(scenario.id, { count, error });
      }
    }
  }

  async #runTrial(id: string, scenario: Scenario, round: number, server: Server): Promise<void> {
    const { emit, plan, signal } = this.#context;
    emit({ type: 'trial-phase', trialId: id, phase: 'start' });
    const driver = await this.#driver(scenario);
    const running = await server.start('start', signal);
    try {
      const target = { ...server.address(scenario.path, running.state), ...this.#bench.credentials };
      emit({ type: 'trial-phase', trialId: id, phase: 'connect' });
      await Promise.race([
        running.failed,
        driver.check(target, {
          path: PATHS[scenario.path].name,
          budgetMs: this.#context.budgets.pathMs,
          times: 3,
          signal,
        }),
      ]);
      await this.#readFacts(server, running);
      const totals = await Promise.race([
        running.failed,
        driver.run(
          {
            target,
            workload: plan.workload,
            connections: scenario.connections,
            warmupMs: plan.schedule.warmupSeconds * 1000,
            durationMs: plan.schedule.durationSeconds * 1000,
            // The same ids for every scenario of a round: what differs is the scenario.
            seed: (plan.seed + round) >>> 0,
          },
          (event) => this.#forward(id, event),
          signal,
        ),
      ]);
      emit({ type: 'trial-finished', trialId: id, totals });
    } catch (error) {
      throw await this.#betterReason(error, running);
    } finally {
      // Stopped by the user: the cleanup kills it, faster than a clean shutdown would.
      if (!signal.aborted) {
        emit({ type: 'trial-phase', trialId: id, phase: 'stop' });
        await unlessStopped(signal, running.stop(SHUTDOWN_SECONDS)).catch((error: unknown) => {
          if (isEngineLost(error)) throw error;
        });
      }
    }
  }

  #forward(id: string, event: LoadEvent): void {
    const { emit } = this.#context;
    if (event.type === 'phase') emit({ type: 'trial-phase', trialId: id, phase: event.phase });
    else emit({ type: 'window', trialId: id, window: event.window });
  }

  /** A client sees a dead server only as lost connections; the server's own end says more. */
  async #betterReason(error: unknown, running: RunningServer): Promise<unknown> {
    const { runtime, signal } = this.#context;
    if (signal.aborted || isEngineLost(error)) return error;
    try {
      const alive = await runtime.inspectContainer(running.containerId);
      if (alive.running) return error;
    } catch (lost) {
      return isEngineLost(lost) ? lost : error;
    }
    return running.failed.catch((reason: unknown) => reason);
  }

  async #readFacts(server: Server, running: RunningServer): Promise<void> {
    const { emit } = this.#context;
    if (this.#factsKnown.has(server.spec.id)) return;
    this.#factsKnown.add(server.spec.id);
    const path = server.spec.attach === 'host' ? 'host-network' : 'published-port';
    const target = { ...server.address(path, running.state), ...this.#bench.credentials };
    try {
      emit({ type: 'server-facts', facts: await readServerFacts(server, target) });
    } catch (error) {
      if (isEngineLost(error)) throw error;
      emit({
        type: 'notice',
        notice: {
          code: 'FACTS_UNREADABLE',
          message: `The settings of server ${server.spec.id} could not be read back: ${toErrorData(error).message}`,
        },
      });
    }
  }

  async #driver(scenario: Scenario): Promise<LoadDriver> {
    if (scenario.placement === 'host') return this.#hostDriver;
    if (this.#containerDriver === undefined) {
      this.#clients += 1;
      this.#containerDriver = await startClientContainer(
        this.#context,
        this.#bench,
        this.#cleanup,
        this.#clients,
      );
    }
    return this.#containerDriver;
  }
}
