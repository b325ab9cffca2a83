import { spawn } from 'node:child_process';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const QUIT_MS = 15_000;

export class AppProcess {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #start;
  #onClosed;

  /**
   * @param {{ command: string, args: string[], env: Record<string, string> }} program
   * @param {(code: number) => void} onClosed follows an end that isn't requested
   */
  constructor({ command, args, env }, onClosed) {
    this.#onClosed = onClosed;
    this.#start = () =>
      spawn(command, args, {
        stdio: 'inherit',
        env: { ...process.env, ...env },
        detached: process.platform !== 'win32',
      });
  }

  async restart() {
    await this.stop();
    const child = this.#start();
    this.#child = child;
    child.on('error', (error) => console.error(String(error)));
    child.on('close', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#onClosed(code ?? 1);
    });
  }

  async stop() {
    const child = this.#child;
    if (child === undefined) return;
    const closed = new Promise((resolve) => child.on('close', resolve));
    this.#child = undefined;
    child.kill('SIGTERM');
    await Promise.race([closed, delay(QUIT_MS, undefined, { ref: false })]);
    try {
      if (process.platform === 'win32') child.kill('SIGKILL');
      else if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Every process of the group has ended.
    }
  }
}
