import type { ContainerUsage, TrialEvidence } from '../../shared/model/evidence.ts';
import { tps, type Window } from '../../shared/model/measurements.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { diskBytesWritten } from '../host/disk-counter.ts';
import { HostWatch, type HostWatched } from '../interference/host-watch.ts';
import { lowerQuartile } from '../../shared/analysis/trial-figures.ts';
import type { Checked, LoadClient, LoadEvent, LoadTarget } from '../load/load-client.ts';
import { growth, readCounters, type Counters } from '../servers/server-facts.ts';
import type { RunningServer } from '../servers/target-server.ts';

const LEAST_WINDOWS = 6;
/** For a login and a few round trips of a server at rest. */
const PATH_MS = 1000;

export interface Watched extends HostWatched {
  running: RunningServer;
  loadGenerator: LoadClient;
  target: LoadTarget;
  signal: AbortSignal;
}

interface Reading {
  server: Counters | null;
  container: { usage: ContainerUsage; memoryBytes: number | null } | null;
  hostBytesWritten: number | undefined;
}

/**
 * Reads counters before and after each stretch of load. What can't be read is left out; only a lost engine is an
 * error.
 */
export class TrialWatch {
  #watched: Watched;
  /** Once before the load, then after each stretch of it, while the other servers are frozen. */
  readonly #paths: Checked[];
  #before: Reading | undefined;
  #grown: Grown | undefined;
  readonly #host: HostWatch;
  #transactions = 0;
  #ended = 0;
  readonly #measured: Window[] = [];
  /** Of `#measured`: those of stretches that have ended. */
  #known = 0;

  private constructor(watched: Watched, path: Checked, host: HostWatch) {
    this.#watched = watched;
    this.#paths = [path];
    this.#host = host;
  }

  static async begin(watched: Watched, path: Checked): Promise<TrialWatch> {
    return new TrialWatch(watched, path, await HostWatch.begin(watched));
  }

  move(watched: Watched): void {
    this.#watched = watched;
  }

  async readAhead(): Promise<void> {
    LAST.set(this.#watched.running, await read(this.#watched));
  }

  async wake(wasFrozen = false): Promise<void> {
    const last = LAST.get(this.#watched.running);
    const { server = null, container = null } = last ?? {};
    this.#ended = 0;
    this.#before = await read(this.#watched, { container, server: wasFrozen ? server : null });
  }

  async rest(): Promise<void> {
    this.#host.rest();
    const before = this.#before;
    if (before === undefined) return;
    this.#before = undefined;
    this.#known = this.#measured.length;
    this.#transactions += this.#ended;
    const after = await read(this.#watched);
    this.#grown = sumOf(this.#grown, grownBetween(before, after));
    const path = await pathOf(this.#watched);
    // The round trips are statements, too, which don't belong to the next load.
    LAST.set(this.#watched.running, path === null ? after : { ...after, server: null });
    if (path !== null) this.#paths.push(path);
  }

  see(event: LoadEvent): void {
    this.#host.see(event);
    if (event.type !== 'window') return;
    this.#ended += event.window.transactions;
    if (event.window.phase === 'measure' && !event.window.interrupted) this.#measured.push(event.window);
  }

  addUncounted(transactions: number): void {
    this.#ended += transactions;
  }

  async end(): Promise<TrialEvidence> {
    const [host] = await Promise.all([this.#host.end(), this.rest()]);
    return {
      transactions: this.#transactions,
      trend: trendOf(this.#measured),
      path: {
        connectUs: lowerQuartile(this.#paths.map(({ connectUs }) => connectUs)),
        roundTripUs: lowerQuartile(this.#paths.map(({ roundTripUs }) => roundTripUs)),
      },
      ...(this.#grown ?? NOTHING_READ),
      host,
    };
  }

  /** Forgets a stretch that `rest` didn't end. */
  pause(): void {
    this.#before = undefined;
    this.#measured.length = this.#known;
    this.#host.rest();
  }
}

type Grown = Pick<TrialEvidence, 'server' | 'container' | 'memoryBytes' | 'hostBytesWritten'>;

const NOTHING_READ: Grown = { server: null, container: null, memoryBytes: null, hostBytesWritten: null };

function grownBetween(before: Reading, after: Reading): Grown {
  const bytes = [before.hostBytesWritten, after.hostBytesWritten] as const;
  return {
    server: before.server === null || after.server === null ? null : growth(before.server, after.server),
    container:
      before.container === null || after.container === null
        ? null
        : usedBetween(before.container.usage, after.container.usage),
    memoryBytes: after.container?.memoryBytes ?? null,
    hostBytesWritten: bytes[0] === undefined || bytes[1] === undefined ? null : bytes[1] - bytes[0],
  };
}

function sumOf(sum: Grown | undefined, more: Grown): Grown {
  if (sum === undefined) return more;
  const plus = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : one + other;
  const { container } = sum;
  return {
    server:
      sum.server === null || more.server === null
        ? null
        : Object.fromEntries(
            Object.entries(more.server).map(([name, value]) => [name, value + (sum.server?.[name] ?? 0)]),
          ),
    container:
      container === null || more.container === null
        ? null
        : eachUsage((name) => plus(container[name], more.container?.[name] ?? null)),
    memoryBytes: more.memoryBytes,
    hostBytesWritten: plus(sum.hostBytesWritten, more.hostBytesWritten),
  };
}

/** After the last load of a server's start: the engine reads at most once a second. */
const LAST = new WeakMap<RunningServer, Reading>();

async function read(
  { runtime, running, loadGenerator, target, source, signal }: Watched,
  known: Pick<Reading, 'server' | 'container'> = { server: null, container: null },
): Promise<Reading> {
  const { containerId } = running;
  const [server, container, hostBytesWritten] = await Promise.all([
    known.server ?? readCounters(loadGenerator, target, signal).catch(nullUnlessLost),
    known.container ??
      (containerId === undefined ? null : runtime.containers.usage(containerId).catch(nullUnlessLost)),
    runtime.passport.runtime.remote ? undefined : diskBytesWritten(source),
  ]);
  return { server, container, hostBytesWritten };
}

async function pathOf({ loadGenerator, target, signal }: Watched): Promise<Checked | null> {
  try {
    return await loadGenerator.check(target, { path: '', budgetMs: PATH_MS, times: 1, signal });
  } catch (error) {
    return nullUnlessLost(error);
  }
}

function trendOf(windows: readonly Window[]): TrialEvidence['trend'] {
  if (windows.length < LEAST_WINDOWS) return null;
  const third = Math.floor(windows.length / 3);
  return { first: rateOf(windows.slice(0, third)), last: rateOf(windows.slice(-third)) };
}

function rateOf(windows: readonly Window[]): number {
  const sum = (pick: (window: Window) => number): number => windows.reduce((all, one) => all + pick(one), 0);
  return tps({ transactions: sum((one) => one.transactions), durationMs: sum((one) => one.durationMs) });
}

function usedBetween(before: ContainerUsage, after: ContainerUsage): ContainerUsage {
  return eachUsage((name) => {
    const [begin, end] = [before[name], after[name]];
    return begin === null || end === null ? null : end - begin;
  });
}

function eachUsage(of: (name: keyof ContainerUsage) => number | null): ContainerUsage {
  return {
    cpuSeconds: of('cpuSeconds'),
    throttledSeconds: of('throttledSeconds'),
    blockWriteBytes: of('blockWriteBytes'),
  };
}

function nullUnlessLost(error: unknown): null {
  if (isEngineLost(error)) throw error;
  return null;
}
