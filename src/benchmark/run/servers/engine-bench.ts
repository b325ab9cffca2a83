import { BenchmarkError } from '../../../shared/errors.ts';
import type { Scenario } from '../../../shared/model/plan.ts';
import { type Room, watchedRooms } from '../room.ts';
import { returnsSoon } from '../../runtime/engine/engine-client.ts';
import { ignoredUnlessLost, isEngineLost } from '../../runtime/engine/engine-error.ts';
import { flushPageCache } from '../../servers/helper-container.ts';
import type { TargetServer } from '../../servers/target-server.ts';
import { unlessStopped } from '../../stop.ts';
import type { RunContext } from '../../context/context.ts';
import type { Environment } from '../../context/environment.ts';
import type { Trial } from '../trial.ts';
import { LivingServers } from './living-servers.ts';
import { type FirstLook, startTogether } from './start-together.ts';

export class EngineBench {
  readonly living: LivingServers;
  readonly #prepared: Environment | undefined;
  lost: BenchmarkError | undefined;

  constructor(
    readonly context: RunContext,
    prepared: Environment | BenchmarkError,
    isOneOfMany = false,
  ) {
    this.living = new LivingServers(context, isOneOfMany);
    if (prepared instanceof BenchmarkError) this.lost = prepared;
    else this.#prepared = prepared;
  }

  /** Throws if the engine wasn't prepared. */
  get environment(): Environment {
    if (this.#prepared === undefined) throw this.lost ?? new Error('an engine that was not prepared');
    return this.#prepared;
  }

  async start(round: number, trials: readonly Trial[], firstLook?: FirstLook): Promise<void> {
    try {
      await startTogether(this.context, this.living, { round, trials, firstLook });
    } catch (error) {
      const servers = trials.map(({ server }) => server);
      if (!isEngineLost(error) || !(await this.reconnect(servers))) throw error;
      await startTogether(this.context, this.living, { round, trials });
    }
  }

  /** Whether a lost engine is back with its servers at rest. */
  async reconnect(servers: readonly TargetServer[]): Promise<boolean> {
    const { runtime, budgets, signal } = this.context;
    if (!(await returnsSoon(runtime, signal, budgets.awayMs))) return false;
    this.environment.clients.forgetAll();
    return unlessStopped(signal, this.living.halt(servers)).catch(() => false);
  }
}

/** A lost engine costs its own trials; the last one's loss ends the run. */
export class EngineBenches {
  constructor(private readonly all: readonly EngineBench[]) {}

  of({ engine }: Pick<Scenario, 'engine'>): EngineBench {
    const found = this.all.find(({ context }) => context.plan.scenarios.some((one) => one.engine === engine));
    if (found === undefined) throw new Error(`no engine ${engine}`);
    return found;
  }

  async rooms(): Promise<Room[]> {
    const left = this.all.filter(({ lost }) => lost === undefined);
    const rooms = left.map(({ context, environment }) => watchedRooms(context, environment.helper));
    return (await Promise.all(rooms)).flat();
  }

  async start(round: number, trials: readonly Trial[], firstLook?: FirstLook): Promise<void> {
    for (const bench of this.all) await this.startOn(bench, round, trials, firstLook);
  }

  async startOn(
    bench: EngineBench,
    round: number,
    trials: readonly Trial[],
    firstLook?: FirstLook,
  ): Promise<void> {
    const own = trials.filter(({ scenario }) => this.of(scenario) === bench);
    if (own.length > 0) await this.unlessLost(bench, () => bench.start(round, own, firstLook));
  }

  /** Call before the trial's server ends. */
  async count(round: number, trial: Trial): Promise<void> {
    const { living } = this.of(trial.scenario);
    if (living.running(trial.server) === undefined) return;
    await trial.count(() => living.get(round, trial.server));
    await living.rest(trial.server);
  }

  /** Servers' writes would slow down the timed flushes. */
  async flushPageCaches(): Promise<void> {
    for (const bench of this.all) {
      const helper = bench.lost === undefined ? bench.environment.helper : undefined;
      if (helper !== undefined) await this.unlessLost(bench, () => flushPageCache(helper));
    }
  }

  async readFacts(round: number, trials: readonly Trial[]): Promise<void> {
    for (const trial of trials) {
      const bench = this.of(trial.scenario);
      if (bench.lost !== undefined || bench.environment.factsKnown.has(trial.server.id)) continue;
      await this.unlessLost(bench, async () => {
        // The next turn finds a server that has ended.
        const running = await bench.living.get(round, trial.server).catch(ignoredUnlessLost);
        if (running !== undefined) await trial.readFacts(running);
        await bench.living.rest(trial.server);
      });
    }
  }

  /** Servers that should be frozen, and are not. */
  awakeBeside(server: TargetServer): number {
    return this.all.reduce((sum, { living }) => sum + living.awakeBeside(server), 0);
  }

  async halt(): Promise<void> {
    for (const bench of this.all) {
      await this.unlessLost(bench, () => {
        bench.living.endAll();
        return bench.living.ended();
      });
    }
  }

  /** Rejects unless only this engine was lost. */
  async unlessLost(bench: EngineBench, work: () => Promise<void>): Promise<void> {
    if (bench.lost !== undefined) return;
    try {
      await work();
    } catch (error) {
      this.lose(bench, error);
    }
  }

  /** Throws the error unless an engine was lost, and another is left. */
  lose(bench: EngineBench, error: unknown): void {
    const isLoss = error instanceof BenchmarkError && isEngineLost(error);
    if (bench.context.signal.aborted || !isLoss) throw error;
    bench.lost = error;
    if (this.all.every(({ lost }) => lost !== undefined)) throw error;
  }
}
