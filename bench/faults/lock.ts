import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Who has had the lock for so long lets others have it before the next cell, ms. */
const TURN_MS = 100_000;

/** A lock as flock(1) takes it, held for a few cells at a time; without a file there is nothing to wait for. */
export class Turn {
  readonly #file: string | undefined;
  #held: { since: number; release: () => Promise<void> } | undefined;

  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** Before each cell: waits until it is Whalemark's turn. */
  async take(): Promise<void> {
    if (this.#file === undefined) return;
    if (this.#held !== undefined && performance.now() - this.#held.since < TURN_MS) return;
    await this.end();
    const release = await lock(this.#file);
    this.#held = { since: performance.now(), release };
  }

  async end(): Promise<void> {
    await this.#held?.release();
    this.#held = undefined;
  }
}

async function lock(file: string): Promise<() => Promise<void>> {
  const holder = spawn('flock', [file, 'sh', '-c', 'echo held; read -r _'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  const ended = exited.then(() => Promise.reject(new Error(`${file} could not be locked`)));
  ended.catch(() => undefined);
  await Promise.race([once(holder.stdout, 'data'), ended]);
  return async () => {
    holder.stdin.end();
    await exited;
  };
}
