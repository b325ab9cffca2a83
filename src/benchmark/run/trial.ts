import { BenchmarkError, type ErrorData } from '../../shared/errors.ts';
import type { TrialEvidence } from '../../shared/model/evidence.ts';
import type { Totals, Window } from '../../shared/model/measurements.ts';
import { configOf, type Scenario, trialId } from '../../shared/model/plan.ts';
import { pathName } from '../../shared/words/labels.ts';
import { ignoredUnlessLost } from '../runtime/engine/engine-error.ts';
import { ownHost } from '../host/host-source.ts';
import type {
  LoadClient,
  LoadEvent,
  LoadTarget,
  OpenLoad,
  OpenSpec,
  SliceTiming,
} from '../load/load-client.ts';
import { linkedTo } from '../stop.ts';
import type { RunningServer, TargetServer } from '../servers/target-server.ts';
import { checkAgain, diagnoseLostConnection } from '../context/clients.ts';
import type { RunContext } from '../context/context.ts';
import type { Environment } from '../context/environment.ts';
import { runTask, taskTotals } from '../tasks/run-task.ts';
import { emitFacts } from './facts.ts';
import { addTotals, lengthened, unmeasured } from './totals.ts';
import { TrialWatch } from './trial-watch.ts';
import { warmUp } from './warm-up.ts';

/** The time for a silent server's login. */
const ANSWER_MS = 15_000;
/** Caches fill again: as fast after 20 ms as after 100 (1.03 ± 0.05 in 40 slices each). */
const SETTLE_MS = 40;

export interface Turn {
  pass: number;
  position: number;
  /** Since the round's first slice. */
  atMs: number;
}

interface Reach {
  running: RunningServer;
  client: LoadClient;
  target: LoadTarget;
  load: OpenLoad | undefined;
  readyMs: number;
}

/** One trial warms each server; if it fails, another does. */
const warmed = new WeakMap<RunningServer, Promise<void>>();

export class Trial {
  readonly id: string;
  readonly scenario: Scenario;
  readonly server: TargetServer;
  readonly #round: number;
  #running: RunningServer | undefined;
  #reach: Reach | undefined;
  #watch: TrialWatch | undefined;
  #windows = 0;
  #sliceMs: number;
  totals: Totals | undefined;
  hasStarted = false;
  /** Attempts in a row that measured nothing. */
  missed = 0;
  why: ErrorData | undefined;
  isOver = false;
  unprepared: unknown;

  constructor(
    private readonly context: RunContext,
    private readonly environment: Environment,
    { scenario, round, server }: { scenario: Scenario; round: number; server: TargetServer },
  ) {
    this.id = trialId(round, scenario.id);
    this.scenario = scenario;
    this.server = server;
    this.#round = round;
    this.#sliceMs = 1000 * (context.plan.schedule.sliceSeconds ?? 0);
  }

  get #hasServerAlone(): boolean {
    const { scenarios } = this.context.plan;
    return scenarios.filter(({ serverId }) => serverId === this.scenario.serverId).length === 1;
  }

  get isPrepared(): boolean {
    return this.#reach !== undefined;
  }

  async prepare(running: RunningServer, signal: AbortSignal): Promise<void> {
    const { unprepared } = this;
    this.unprepared = undefined;
    if (unprepared !== undefined) throw unprepared;
    if (this.#reach?.running === running) return;
    await this.release();
    this.#running = running;
    await Promise.race([running.failed, this.#prepare(running, signal)]);
  }

  async #prepare(running: RunningServer, signal: AbortSignal): Promise<void> {
    const { plan } = this.context;
    const { clients } = this.environment;
    const { scenario, server } = this;
    const client = await clients.for(scenario, running);
    const target = { ...running.address(scenario.path), ...server.account };
    const { pathMs: budgetMs } = this.context.budgets;
    const began = performance.now();
    const times = plan.task === null ? 3 : 1;
    const checked = await client.check(target, { path: pathName(scenario.path), budgetMs, times, signal });
    const readyMs = (running.startedMs ?? 0) + performance.now() - began;
    const isAlone = plan.schedule.sliceSeconds === undefined;
    if (isAlone) await this.readFacts(running);
    const load = isAlone ? undefined : await client.open(this.#spec(target), signal);
    try {
      if (plan.task === null) {
        const warm = (): Promise<void> => this.#warm(client, target, load, signal);
        warmed.set(running, warmed.get(running)?.catch(warm) ?? warm());
        await warmed.get(running);
      }
      const { runtime, engines, runId, signal: stop } = this.context;
      const watched = {
        source: ownHost(),
        runtime,
        engines,
        runId,
        running,
        loadGenerator: client,
        target,
        signal: stop,
        hasServerAlone: !isAlone && this.#hasServerAlone,
      };
      if (this.#watch === undefined) this.#watch = await TrialWatch.begin(watched, checked);
      else this.#watch.move(watched);
      this.#reach = { running, client, target, load, readyMs };
    } catch (error) {
      await load?.close().catch(() => undefined);
      throw error;
    }
  }

  async readAhead(): Promise<void> {
    await this.#watch?.readAhead();
  }

  /** A short slice that counts nowhere else. */
  async look(signal: AbortSignal): Promise<Totals> {
    const { running, load } = this.#reach ?? {};
    if (running === undefined || load === undefined) throw new Error('a trial that was not prepared');
    const timing: SliceTiming = { warmupMs: SETTLE_MS, durationMs: this.#sliceMs / 2 };
    const linked = linkedTo(signal);
    try {
      const totals = await Promise.race([running.failed, load.slice(timing, () => undefined, linked.signal)]);
      const reason = unmeasured(totals, timing, true);
      if (reason !== undefined) throw new BenchmarkError('NOTHING_FINISHED', { reason });
      return totals;
    } finally {
      linked.end();
      this.#watch?.forgetReading();
    }
  }

  async measure(turn: Turn | undefined, signal: AbortSignal): Promise<Totals> {
    const { emit, plan } = this.context;
    const watch = this.#watch;
    if (this.#reach === undefined || watch === undefined) throw new Error('a trial that was not prepared');
    if (plan.task !== null) return this.#measureTask(this.#reach, watch, signal);
    const { running, client, target, load } = this.#reach;
    const { warmupSeconds, durationSeconds } = plan.schedule;
    const timing: SliceTiming =
      turn === undefined
        ? { warmupMs: warmupSeconds * 1000, durationMs: durationSeconds * 1000 }
        : { warmupMs: SETTLE_MS, durationMs: this.#sliceMs };
    let last: Window | undefined;
    let isOver = false;
    // A slice's windows count only if it does.
    const held: LoadEvent[] = [];
    const on = (event: LoadEvent): void => {
      if (isOver) return;
      if (event.type === 'window') last = event.window;
      watch.see(event);
      if (turn === undefined || event.type === 'phase') this.#forward(event, turn);
      else held.push(event);
    };
    const linked = linkedTo(signal);
    try {
      await watch.wake(turn !== undefined);
      if (turn === undefined) emit({ type: 'trial-phase', trialId: this.id, phase: 'connect' });
      const totals = await Promise.race([
        running.failed,
        load === undefined
          ? client.run({ ...this.#spec(target), ...timing }, on, linked.signal)
          : load.slice(timing, on, linked.signal),
      ]);
      // A broken path must not count as slow.
      if (last?.transactions === 0) {
        const again = { path: pathName(this.scenario.path), budgetMs: ANSWER_MS, times: 1, signal };
        await checkAgain(running, () => client.check(target, again));
      }
      watch.addUncounted(totals.uncounted);
      const reason = unmeasured(totals, timing, turn !== undefined);
      if (reason !== undefined) {
        // A single slice may have been a stall.
        if (this.missed > 0) this.#sliceMs = lengthened(this.#sliceMs, totals);
        throw new BenchmarkError('NOTHING_FINISHED', { reason });
      }
      for (const event of held) this.#forward(this.#numbered(event, turn), turn);
      this.totals = addTotals(this.totals, totals);
      this.#sliceMs = lengthened(this.#sliceMs, totals);
      return totals;
    } finally {
      isOver = true;
      linked.end();
    }
  }

  async #measureTask(reach: Reach, watch: TrialWatch, signal: AbortSignal): Promise<Totals> {
    const { emit, plan } = this.context;
    const { scenario } = this;
    // Counters of a started server say nothing about its start.
    if (plan.task?.kind !== 'ready') await watch.wake();
    emit({ type: 'trial-phase', trialId: this.id, phase: 'measure' });
    const linked = linkedTo(signal);
    try {
      const task = runTask(this.context, this.environment, { ...reach, scenario }, linked.signal);
      const { totals, window } = taskTotals(await Promise.race([reach.running.failed, task]));
      const event: LoadEvent = { type: 'window', window };
      watch.see(event);
      this.#forward(event, undefined);
      this.totals = totals;
      return totals;
    } finally {
      linked.end();
    }
  }

  async rest(): Promise<void> {
    await this.#watch?.rest();
  }

  /** Call before the server may end. */
  async count(wake: () => Promise<unknown>): Promise<void> {
    if (this.#watch?.isCounting !== true) return;
    await wake();
    await this.#watch.count();
  }

  /** Call after a slice that counts nowhere. */
  forget(): void {
    this.#watch?.pause();
  }

  async diagnosed(error: unknown): Promise<unknown> {
    const { signal } = this.context;
    if (this.#running === undefined || signal.aborted) return error;
    return diagnoseLostConnection(error, this.#running, signal);
  }

  async complete(): Promise<void> {
    const { emit } = this.context;
    if (this.#watch === undefined) return;
    const ended = this.#watch.end();
    const evidence = await (this.#reach === undefined
      ? ended
      : Promise.race([this.#reach.running.failed, ended]));
    emit({ type: 'trial-evidence', trialId: this.id, evidence: { ...evidence, ...this.#startParts() } });
  }

  #startParts(): Pick<TrialEvidence, 'start' | 'initScripts'> {
    const { running, readyMs } = this.#reach ?? {};
    const { startParts, initScripts = [], startedMs = 0 } = running ?? {};
    if (this.context.plan.task?.kind !== 'ready' || startParts === undefined || readyMs === undefined)
      return {};
    return {
      start: { ...startParts, login: readyMs - startedMs },
      ...(initScripts.length === 0 ? {} : { initScripts: [...initScripts] }),
    };
  }

  async release(): Promise<void> {
    const reach = this.#reach;
    this.#reach = undefined;
    this.#watch?.drop();
    if (reach === undefined) return;
    await reach.load?.close().catch(() => undefined);
    await this.environment.clients.release(reach.client).catch(ignoredUnlessLost);
  }

  #spec(target: LoadTarget): OpenSpec {
    const { plan } = this.context;
    return {
      loadGenerator: this.scenario.loadGenerator,
      transport: plan.transport,
      target,
      workload: plan.workload,
      connections: this.scenario.connections,
      seed: (plan.seed + this.#round) >>> 0,
    };
  }

  async #warm(
    client: LoadClient,
    target: LoadTarget,
    open: OpenLoad | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { plan } = this.context;
    const spec = { ...this.#spec(target), loadGenerator: 'builtin' as const };
    const load = open ?? (await client.open(spec, signal));
    try {
      const config = configOf(plan, this.scenario);
      await warmUp({ client, target, load, config, plan, signal });
    } finally {
      if (open === undefined) await load.close().catch(() => undefined);
    }
  }

  #numbered(event: LoadEvent, turn: Turn | undefined): LoadEvent {
    if (event.type !== 'window' || turn === undefined || event.window.phase === 'warmup') return event;
    const { pass, position } = turn;
    return { ...event, window: { ...event.window, index: this.#windows++, pass, position } };
  }

  #forward(event: LoadEvent, turn: Turn | undefined): void {
    const { emit } = this.context;
    if (event.type === 'phase') emit({ type: 'trial-phase', trialId: this.id, phase: event.phase });
    else if (turn === undefined || event.window.phase === 'measure') {
      const { window } = event;
      const startMs = window.startMs + (turn?.atMs ?? 0);
      emit({ type: 'window', trialId: this.id, window: { ...window, startMs } });
    }
  }

  async readFacts(running: RunningServer): Promise<void> {
    const { server, scenario } = this;
    const { factsKnown } = this.environment;
    if (factsKnown.has(server.id)) return;
    factsKnown.add(server.id);
    await this.#watch?.count();
    await emitFacts(this.context, this.environment, { server, scenario, running });
    await this.#watch?.readAhead();
  }
}
