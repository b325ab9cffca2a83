import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, type Subject } from './subject.ts';

/** The terminal twin: a process for each run. */
export class TerminalSubject implements Subject {
  readonly #home: string;
  #child: ChildProcess | undefined;
  #closed: Promise<unknown> = Promise.resolve();

  constructor(home: string) {
    this.#home = home;
  }

  start(presetId: string): Promise<void> {
    const child = spawn(process.execPath, ['out/cli/whalemark.cjs', 'run', presetId, '--json'], {
      env: environmentOf(this.#home),
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    this.#child = child;
    this.#closed = once(child, 'close');
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.#child?.kill('SIGINT');
    return Promise.resolve();
  }

  async settle(): Promise<void> {
    await this.#closed;
    this.#child = undefined;
  }

  processes(): Promise<{ role: string; pid: number }[]> {
    const pid = this.#child?.pid;
    return Promise.resolve(pid === undefined ? [] : [{ role: 'terminal', pid }]);
  }

  inside(): Promise<Record<string, number>> {
    return Promise.resolve({});
  }

  arrived(): Promise<null> {
    return Promise.resolve(null);
  }

  async close(): Promise<void> {
    this.#child?.kill('SIGINT');
    await this.#closed;
  }
}
