import type { ContainerUsage, TrialEvidence } from '../../shared/model/evidence.ts';
import type { Checked, LoadDriver, LoadEvent, LoadTarget } from '../load/driver.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { growth, readCounters, type Counters } from '../target/server-counters.ts';
import type { RunningServer } from '../target/target-server.ts';
import { isEngineLost } from './context.ts';

/** What a watch needs of a trial. */
export interface Watched {
  runtime: ContainerRuntime;
  running: RunningServer;
  driver: LoadDriver;
  target: LoadTarget;
  signal: AbortSignal;
}

interface Reading {
  server: Counters | null;
  container: { usage: ContainerUsage; memoryBytes: number | null } | null;
}

/**
 * Gathers a trial's evidence. Counters are read before the load and after it, never meanwhile. What can't be read is
 * missing in the evidence and costs no trial; only a lost engine is an error.
 */
export class TrialWatch {
  readonly #watched: Watched;
  readonly #path: Checked;
  readonly #before: Reading;
  #transactions = 0;

  private constructor(watched: Watched, path: Checked, before: Reading) {
    this.#watched = watched;
    this.#path = path;
    this.#before = before;
  }

  /** Before the load begins; `path` is what the check of the path saw. */
  static async begin(watched: Watched, path: Checked): Promise<TrialWatch> {
    return new TrialWatch(watched, path, await read(watched));
  }

  /** Has to see every event of the load. */
  see(event: LoadEvent): void {
    if (event.type === 'window') this.#transactions += event.window.transactions;
  }

  /** After the load has ended. */
  async end(): Promise<TrialEvidence> {
    const after = await read(this.#watched);
    const { server, container } = this.#before;
    return {
      transactions: this.#transactions,
      path: this.#path,
      server: server === null || after.server === null ? null : growth(server, after.server),
      container:
        container === null || after.container === null
          ? null
          : usedBetween(container.usage, after.container.usage),
      memoryBytes: after.container?.memoryBytes ?? null,
    };
  }
}

async function read({ runtime, running, driver, target, signal }: Watched): Promise<Reading> {
  const { containerId } = running;
  const [server, container] = await Promise.all([
    readCounters(driver, target, signal).catch(nullUnlessLost),
    containerId === undefined ? null : runtime.containerUsage(containerId).catch(nullUnlessLost),
  ]);
  return { server, container };
}

function usedBetween(before: ContainerUsage, after: ContainerUsage): ContainerUsage {
  const used = (name: keyof ContainerUsage): number | null => {
    const [begin, end] = [before[name], after[name]];
    return begin === null || end === null ? null : end - begin;
  };
  return {
    cpuSeconds: used('cpuSeconds'),
    throttledSeconds: used('throttledSeconds'),
    blockReadBytes: used('blockReadBytes'),
    blockWriteBytes: used('blockWriteBytes'),
    networkReceivedBytes: used('networkReceivedBytes'),
    networkSentBytes: used('networkSentBytes'),
  };
}

function nullUnlessLost(error: unknown): null {
  if (isEngineLost(error)) throw error;
  return null;
}
