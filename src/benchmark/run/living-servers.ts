import { msg } from '../../shared/message.ts';
import { BenchmarkError, errorMessage, toErrorData } from '../../shared/errors.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { unlessStopped } from '../stop.ts';
import { SHUTDOWN_SECONDS, type RunningServer, type TargetServer } from '../servers/target-server.ts';
import type { RunContext } from './context.ts';

/** Servers of one round that run at the same time. All that aren't at work are frozen, if there are several. */
export class LivingServers {
  readonly #context: Pick<RunContext, 'signal' | 'emit'>;
  readonly #living = new Map<TargetServer, { round: number; running: RunningServer }>();
  readonly #frozen = new Set<RunningServer>();
  readonly #ending = new Map<TargetServer, Promise<void>>();
  #canFreeze = true;

  constructor(context: Pick<RunContext, 'signal' | 'emit'>) {
    this.#context = context;
  }

  /**
   * Starts those that don't run in this round, together, and shuts all others down: the next starts while the one
   * before ends, but both before any load. What doesn't start is told by `get`.
   */
  async use(round: number, servers: readonly TargetServer[]): Promise<void> {
    for (const [server, living] of this.#living) {
      if (living.round !== round || !servers.includes(server)) this.#end(server);
    }
    await Promise.allSettled(servers.map((server) => this.#started(round, server)));
    await this.ended();
  }

  /** The server of this round at work, started again if it isn't alive. */
  async get(round: number, server: TargetServer): Promise<RunningServer> {
    const living = this.#living.get(server);
    if (living?.round === round) {
      await this.#thaw(living.running);
      if (await living.running.isAlive()) return living.running;
    }
    this.#end(server);
    const running = await this.#started(round, server);
    await this.ended();
    return running;
  }

  /** Until its next turn; one that runs alone is left as it is. */
  async rest(server: TargetServer): Promise<void> {
    const running = this.#living.get(server)?.running;
    if (running === undefined || this.#living.size < 2 || !this.#canFreeze) return;
    try {
      if (running.freezer === undefined) throw new BenchmarkError('INTERNAL', { reason: server.id });
      await running.freezer.freeze();
      this.#frozen.add(running);
    } catch (error) {
      if (isEngineLost(error)) throw error;
      this.#canFreeze = false;
      const reason = running.freezer === undefined ? '' : errorMessage(toErrorData(error));
      const message =
        reason === ''
          ? msg('notice.notFrozenHere', { server: server.id })
          : msg('notice.notFrozen', { server: server.id, reason });
      this.#context.emit({ type: 'notice', notice: { code: 'NOT_FROZEN', message } });
    }
  }

  async restAll(): Promise<void> {
    await Promise.all([...this.#living.keys()].map((server) => this.rest(server)));
  }

  /** Begins a clean shutdown. After a stop the cleanup kills it, which is faster. */
  end(server: TargetServer): void {
    this.#end(server);
  }

  endAll(): void {
    for (const server of [...this.#living.keys()]) this.#end(server);
  }

  async ended(): Promise<void> {
    const ending = [...this.#ending.values()];
    this.#ending.clear();
    await unlessStopped(this.#context.signal, Promise.all(ending)).catch((error: unknown) => {
      // A server that shut down badly costs its next trial, not this one.
      if (isEngineLost(error) || this.#context.signal.aborted) throw error;
    });
  }

  /** After the engine was lost. Whether all are at rest. */
  async halt(server: TargetServer): Promise<boolean> {
    const all = new Set([server, ...this.#living.keys(), ...this.#ending.keys()]);
    this.#living.clear();
    this.#frozen.clear();
    this.#ending.clear();
    for (const one of all) {
      if (one.halt === undefined) return false;
      await one.halt();
    }
    return true;
  }

  async #started(round: number, server: TargetServer): Promise<RunningServer> {
    const living = this.#living.get(server);
    if (living !== undefined) return living.running;
    await this.#ending.get(server)?.catch(() => undefined);
    // Not a trial's signal: a server must start before it can shut down cleanly.
    const running = await server.start('start', this.#context.signal);
    this.#living.set(server, { round, running });
    return running;
  }

  async #thaw(running: RunningServer): Promise<void> {
    if (!this.#frozen.has(running)) return;
    await running.freezer?.thaw();
    this.#frozen.delete(running);
  }

  #end(server: TargetServer): void {
    const running = this.#living.get(server)?.running;
    this.#living.delete(server);
    if (running === undefined || this.#context.signal.aborted) return;
    this.#frozen.delete(running);
    const ended = running.stop(SHUTDOWN_SECONDS).then(() => undefined);
    // ended() rejects with its error.
    ended.catch(() => undefined);
    this.#ending.set(server, ended);
  }
}
