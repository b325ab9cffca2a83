import { type Message, msg } from '../../../shared/message.ts';
import { errorMessage, toErrorData } from '../../../shared/errors.ts';
import { isEngineLost } from '../../runtime/engine/engine-error.ts';
import { checkStopped, unlessStopped } from '../../stop.ts';
import { SHUTDOWN_SECONDS, type RunningServer, type TargetServer } from '../../servers/target-server.ts';
import type { RunContext } from '../../context/context.ts';

/** An engine may take 10 s to refuse a freeze. */
const MOST_REFUSALS = 3;
const AWHILE_MS = 60_000;

/** All but the server at work are frozen. */
export class LivingServers {
  readonly #living = new Map<TargetServer, { round: number; running: RunningServer }>();
  readonly #frozen = new Set<RunningServer>();
  readonly #ending = new Map<TargetServer, Promise<void>>();
  readonly #notStarted = new Map<TargetServer, unknown>();
  #isGroup = false;
  readonly #refusals = new Map<RunningServer, { count: number; atMs: number }>();
  readonly #noted = new Set<string>();

  /** With `isOneOfMany`, a server that runs alone rests, too. */
  constructor(
    private readonly context: Pick<RunContext, 'signal' | 'emit'>,
    private readonly isOneOfMany = false,
  ) {}

  get areDown(): boolean {
    return this.#living.size === 0 && this.#notStarted.size === 0;
  }

  /** Other servers end before any load. `get` rejects once for a server that doesn't start. */
  async use(
    round: number,
    servers: readonly TargetServer[],
    onStarted = (): void => undefined,
  ): Promise<void> {
    checkStopped(this.context.signal);
    this.#isGroup = servers.length > 1 || this.isOneOfMany;
    this.#notStarted.clear();
    for (const [server, { round: since, running }] of [...this.#living]) {
      const isUsed = since === round && servers.includes(server);
      if (!isUsed || !(await running.isAlive())) this.end(server);
    }
    await this.#startAll(round, servers, onStarted);
  }

  /** Servers that run may work meanwhile. */
  async add(
    round: number,
    servers: readonly TargetServer[],
    onStarted = (): void => undefined,
  ): Promise<void> {
    this.#isGroup = true;
    await this.#startAll(round, servers, onStarted);
  }

  async #startAll(round: number, servers: readonly TargetServer[], onStarted: () => void): Promise<void> {
    const results = await Promise.allSettled(
      servers.map((server) => this.#started(round, server).then(onStarted)),
    );
    await this.ended();
    for (const [index, server] of servers.entries()) {
      const result = results[index];
      if (result?.status !== 'rejected') continue;
      if (this.context.signal.aborted || isEngineLost(result.reason)) throw result.reason;
      this.#notStarted.set(server, result.reason);
    }
  }

  running(server: TargetServer): RunningServer | undefined {
    return this.#living.get(server)?.running;
  }

  /** Starts a server that its last turn ended; rejects if it ended by itself. */
  async get(round: number, server: TargetServer): Promise<RunningServer> {
    if (this.#notStarted.has(server)) {
      const reason = this.#notStarted.get(server);
      this.#notStarted.delete(server);
      throw reason;
    }
    for (const [other, { running }] of this.#living) {
      if (other !== server && this.#refusals.has(running)) await this.rest(other);
    }
    const living = this.#living.get(server);
    if (living?.round === round) {
      await this.#thaw(living.running);
      if (await living.running.isAlive()) return living.running;
      await unlessStopped(this.context.signal, living.running.failed);
    }
    this.end(server);
    const running = await this.#started(round, server);
    await this.ended();
    return running;
  }

  /** A server that runs alone is left as it is. */
  async rest(server: TargetServer): Promise<void> {
    const running = this.#living.get(server)?.running;
    if (running === undefined || !this.#isGroup || this.context.signal.aborted) return;
    const { freezer } = running;
    if (freezer === undefined) {
      this.#noteAwake(server, msg('notice.notFrozenHere', { server: server.id }));
      return;
    }
    const { count, atMs } = this.#refusals.get(running) ?? { count: 0, atMs: 0 };
    if (count >= MOST_REFUSALS && performance.now() - atMs < AWHILE_MS) return;
    try {
      await freezer.freeze().catch((error: unknown) => {
        if (count > 0 || isEngineLost(error)) throw error;
        // runc gives up if tasks don't freeze in time; repeating often helps.
        return freezer.freeze();
      });
      this.#frozen.add(running);
      this.#refusals.delete(running);
    } catch (error) {
      if (isEngineLost(error)) throw error;
      // A server that has ended says why in its next turn.
      if (!(await running.isAlive())) return;
      this.#refusals.set(running, { count: count + 1, atMs: performance.now() });
      if (count + 1 < MOST_REFUSALS) return;
      const reason = errorMessage(toErrorData(error));
      this.#noteAwake(server, msg('notice.notFrozen', { server: server.id, reason }));
    }
  }

  #noteAwake({ id }: TargetServer, message: Message): void {
    if (this.#noted.has(id)) return;
    this.#noted.add(id);
    this.context.emit({ type: 'notice', notice: { code: 'NOT_FROZEN', message } });
  }

  awakeBeside(server: TargetServer): number {
    if (!this.#isGroup) return 0;
    const others = [...this.#living].filter(([one]) => one !== server);
    return others.filter(([, { running }]) => !this.#frozen.has(running)).length;
  }

  end(server: TargetServer, graceSeconds = SHUTDOWN_SECONDS): void {
    const running = this.#living.get(server)?.running;
    this.#living.delete(server);
    if (running === undefined || this.context.signal.aborted) return;
    this.#frozen.delete(running);
    const ended = running.stop(graceSeconds).then(() => undefined);
    // ended() rejects with its error.
    ended.catch(() => undefined);
    this.#ending.set(server, ended);
  }

  endAll(graceSeconds?: number): void {
    for (const server of [...this.#living.keys()]) this.end(server, graceSeconds);
  }

  async ended(): Promise<void> {
    const ending = [...this.#ending.values()];
    this.#ending.clear();
    await unlessStopped(this.context.signal, Promise.all(ending)).catch((error: unknown) => {
      // A bad shutdown costs the server's next trial.
      if (isEngineLost(error) || this.context.signal.aborted) throw error;
    });
  }

  /** Call after the engine was lost. False if a server can't be halted. */
  async halt(servers: readonly TargetServer[]): Promise<boolean> {
    const all = [...new Set([...servers, ...this.#living.keys(), ...this.#ending.keys()])];
    this.#living.clear();
    this.#frozen.clear();
    this.#ending.clear();
    if (all.some(({ halt }) => halt === undefined)) return false;
    await Promise.all(all.map((one) => one.halt?.()));
    return true;
  }

  async #started(round: number, server: TargetServer): Promise<RunningServer> {
    const living = this.#living.get(server);
    if (living !== undefined) return living.running;
    await this.#ending.get(server)?.catch(() => undefined);
    // No trial's signal, since only a started server shuts down cleanly.
    const running = await server.start('start', this.context.signal);
    this.#living.set(server, { round, running });
    return running;
  }

  async #thaw(running: RunningServer): Promise<void> {
    if (!this.#frozen.has(running)) return;
    await running.freezer?.thaw();
    this.#frozen.delete(running);
  }
}
