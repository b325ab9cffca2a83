import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { unlessStopped } from '../stop.ts';
import { SHUTDOWN_SECONDS, type RunningServer, type TargetServer } from '../servers/target-server.ts';

interface Start {
  key: string;
  server: TargetServer;
  running: RunningServer;
}

/** The next server starts while the one before shuts down, but both before any load. */
export class ServerInUse {
  readonly #signal: AbortSignal;
  #start: Start | undefined;
  #ending: { server: TargetServer; ended: Promise<void> } | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async get(key: string, server: TargetServer): Promise<RunningServer> {
    if (this.#start?.key === key && (await this.#start.running.isAlive())) {
      return this.#start.running;
    }
    this.end();
    if (this.#ending?.server === server) await this.ended();
    // Not a trial's signal: a server must start before it can shut down cleanly.
    const running = await server.start('start', this.#signal);
    this.#start = { key, server, running };
    await this.ended();
    return running;
  }

  /** Begins a clean shutdown. After a stop the cleanup kills it, which is faster. */
  end(): void {
    if (this.#start === undefined) return;
    const { server, running } = this.#start;
    this.#start = undefined;
    if (this.#signal.aborted) return;
    const before = this.#ending?.ended;
    const ended = Promise.all([before, running.stop(SHUTDOWN_SECONDS)]).then(() => undefined);
    // ended() rejects with its error.
    ended.catch(() => undefined);
    this.#ending = { server, ended };
  }

  async ended(): Promise<void> {
    const ending = this.#ending;
    this.#ending = undefined;
    if (ending === undefined) return;
    await unlessStopped(this.#signal, ending.ended).catch((error: unknown) => {
      // A server that shut down badly costs its next trial, not this one.
      if (isEngineLost(error) || this.#signal.aborted) throw error;
    });
  }

  async halt(server: TargetServer): Promise<boolean> {
    const all = new Set([server, this.#start?.server, this.#ending?.server]);
    this.#start = undefined;
    this.#ending = undefined;
    for (const one of all) {
      if (one === undefined) continue;
      if (one.halt === undefined) return false;
      await one.halt();
    }
    return true;
  }
}
