import type { ContainerUsage, TrialEvidence } from '../../shared/model/evidence.ts';
import { tps, type Window } from '../../shared/model/measurements.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { diskBytesWritten } from '../host/disk-counter.ts';
import { grown, HostWatch, type HostWatched } from '../interference/host-watch.ts';
import { lowerQuartile } from '../../shared/analysis/trial-figures.ts';
import type { Checked, LoadClient, LoadEvent, LoadTarget } from '../load/load-client.ts';
import { growth, readCounters, type Counters } from '../servers/server-facts.ts';
import type { RunningServer } from '../servers/target-server.ts';

const LEAST_WINDOWS = 6;
/** A check of the path takes a tenth of a slice. */
const SLICES_PER_CHECK = 4;
/** Enough for a login and a few round trips. */
const PATH_MS = 1000;

export interface Watched extends HostWatched {
  running: RunningServer;
  loadGenerator: LoadClient;
  target: LoadTarget;
  signal: AbortSignal;
  /** Counters are then read once before and once after all slices. */
  hasServerAlone?: boolean;
}

type Usage = { usage: ContainerUsage; memoryBytes: number | null } | null;

interface Reading {
  server: Counters | null;
  /** Engines read at most once a second; waiting costs nothing while the server rests. */
  container: Promise<Usage>;
}

interface Stretch {
  before: Reading;
  transactions: number;
}

/** A stretch is one slice, or all those of a server with one trial. Only a lost engine is an error. */
export class TrialWatch {
  /** Round trips while the other servers are frozen. */
  readonly #paths: Checked[];
  #stretch: Stretch | undefined;
  readonly #counted: { before: Reading; after: Reading }[] = [];
  #diskBytes: number | undefined;
  #hostBytesWritten: number | null = null;
  #slices = 0;
  #transactions = 0;
  #ended = 0;
  readonly #measured: Window[] = [];
  /** The number of `#measured` in ended stretches. */
  #known = 0;

  private constructor(
    private watched: Watched,
    path: Checked,
    private readonly host: HostWatch,
  ) {
    this.#paths = [path];
  }

  static async begin(watched: Watched, path: Checked): Promise<TrialWatch> {
    return new TrialWatch(watched, path, await HostWatch.begin(watched));
  }

  move(watched: Watched): void {
    this.watched = watched;
  }

  async readAhead(): Promise<void> {
    LAST.set(this.watched.running, await read(this.watched));
  }

  /** Call after load that belongs to no stretch. */
  forgetReading(): void {
    LAST.delete(this.watched.running);
  }

  async wake(wasFrozen = false): Promise<void> {
    const watched = this.watched;
    this.#ended = 0;
    if (this.#stretch === undefined) {
      const { server = null, container } = LAST.get(watched.running) ?? {};
      const before = await read(watched, { container, server: wasFrozen ? server : null });
      await before.container;
      this.#stretch = { before, transactions: 0 };
    }
    this.#diskBytes = await diskBytes(watched);
  }

  async rest(): Promise<void> {
    this.host.rest();
    if (this.#stretch === undefined) return;
    this.#known = this.#measured.length;
    this.#stretch.transactions += this.#ended;
    this.#ended = 0;
    const written = grown(this.#diskBytes, await diskBytes(this.watched));
    this.#diskBytes = undefined;
    if (written !== undefined) this.#hostBytesWritten = (this.#hostBytesWritten ?? 0) + written;
    if (this.watched.hasServerAlone !== true) await this.count();
    if (this.#slices++ % SLICES_PER_CHECK > 0) return;
    const path = await pathOf(this.watched);
    if (path === null) return;
    this.#paths.push(path);
    // Round trips are statements, too.
    const last = LAST.get(this.watched.running);
    if (last !== undefined) LAST.set(this.watched.running, { ...last, server: null });
  }

  get isCounting(): boolean {
    return this.#stretch !== undefined;
  }

  async count(): Promise<void> {
    if (this.#stretch === undefined) return;
    const { before, transactions } = this.#stretch;
    this.#stretch = undefined;
    const after = await read(this.watched);
    this.#transactions += transactions;
    this.#counted.push({ before, after });
    LAST.set(this.watched.running, after);
  }

  see(event: LoadEvent): void {
    this.host.see(event);
    if (event.type !== 'window') return;
    this.#ended += event.window.transactions;
    if (event.window.phase === 'measure' && !event.window.interrupted) this.#measured.push(event.window);
  }

  addUncounted(transactions: number): void {
    this.#ended += transactions;
  }

  async end(): Promise<TrialEvidence> {
    await this.rest();
    const [host] = await Promise.all([this.host.end(), this.count()]);
    let all: Grown | undefined;
    for (const { before, after } of this.#counted) {
      all = sumOf(all, await grownBetween(before, after));
    }
    return {
      transactions: this.#transactions,
      trend: trendOf(this.#measured),
      path: {
        connectUs: lowerQuartile(this.#paths.map(({ connectUs }) => connectUs)),
        roundTripUs: lowerQuartile(this.#paths.map(({ roundTripUs }) => roundTripUs)),
      },
      ...(all ?? NOTHING_READ),
      hostBytesWritten: this.#hostBytesWritten,
      host,
    };
  }

  /** Forgets a slice without `rest`, except in counters of all slices. */
  pause(): void {
    if (this.watched.hasServerAlone !== true) this.#stretch = undefined;
    else if (this.#stretch !== undefined) this.#stretch.transactions += this.#ended;
    this.#ended = 0;
    this.#measured.length = this.#known;
    this.host.rest();
  }

  /** Call when the server may have ended. */
  drop(): void {
    this.pause();
    this.#stretch = undefined;
  }
}

type Grown = Pick<TrialEvidence, 'server' | 'container' | 'memoryBytes'>;

const NOTHING_READ: Grown = { server: null, container: null, memoryBytes: null };

async function grownBetween(before: Reading, after: Reading): Promise<Grown> {
  const [first, last] = await Promise.all([before.container, after.container]);
  return {
    server: before.server === null || after.server === null ? null : growth(before.server, after.server),
    container: first === null || last === null ? null : usedBetween(first.usage, last.usage),
    memoryBytes: last?.memoryBytes ?? null,
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
  };
}

const LAST = new WeakMap<RunningServer, Reading>();

async function read(
  { runtime, running, loadGenerator, target, signal }: Watched,
  known: { server?: Counters | null; container?: Promise<Usage> | undefined } = {},
): Promise<Reading> {
  const { containerId } = running;
  const container =
    known.container ??
    (containerId === undefined
      ? Promise.resolve(null)
      : runtime.containers.usage(containerId).catch(nullUnlessLost));
  // The caller that awaits it handles its error.
  container.catch(() => undefined);
  const server = known.server ?? (await readCounters(loadGenerator, target, signal).catch(nullUnlessLost));
  return { server, container };
}

async function diskBytes({ runtime, source }: Watched): Promise<number | undefined> {
  return runtime.passport.runtime.remote ? undefined : diskBytesWritten(source);
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
