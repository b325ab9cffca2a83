import { Agent, type ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SshTarget } from '../engine/endpoints.ts';
import { SshConnection } from './ssh-connection.ts';

/** An idle connection closes after this, ms: a new one costs a login. */
const IDLE_MS = 5_000;

/**
 * An HTTP agent with a child `ssh` per connection, kept for the next request. Idle ones don't keep this process
 * alive.
 */
export class SshAgent extends Agent {
  readonly #idle = new WeakMap<Duplex, NodeJS.Timeout>();
  readonly #target: SshTarget;
  readonly #idleMs: number;

  constructor(target: SshTarget, options: { maxSockets?: number } = {}, idleMs = IDLE_MS) {
    super({ keepAlive: true, maxFreeSockets: 4, ...options });
    this.#target = target;
    this.#idleMs = idleMs;
  }

  override createConnection(): SshConnection {
    return new SshConnection(this.#target);
  }

  override keepSocketAlive(connection: Duplex): boolean {
    if (!(connection instanceof SshConnection) || connection.destroyed) return false;
    connection.rest();
    const timer = setTimeout(() => connection.destroy(), this.#idleMs);
    this.#idle.set(connection, timer.unref());
    return true;
  }

  override reuseSocket(connection: Duplex, request: ClientRequest): void {
    clearTimeout(this.#idle.get(connection));
    if (connection instanceof SshConnection) connection.wake();
    request.reusedSocket = true;
  }
}
