import type { ContainerUsage, TrialEvidence } from '../../shared/model/evidence.ts';
import { tps, type Window } from '../../shared/model/measurements.ts';
import { isEngineLost } from '../runtime/engine/engine-error.ts';
import { ContainerMeter } from '../host/container-meter.ts';
import { diskBytesWritten } from '../host/disk-counter.ts';
import { HostWatch, seesContainers, type HostWatched } from '../host/host-watch.ts';
import type { Checked, LoadClient, LoadEvent, LoadTarget } from '../load/load-client.ts';
import { growth, readCounters, type Counters } from '../servers/server-facts.ts';
import type { RunningServer } from '../servers/target-server.ts';

const LEAST_WINDOWS = 6;

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

/** Counters are read before and after the load. What can't be read is left out; only a lost engine is an error. */
export class TrialWatch {
  readonly #watched: Watched;
  readonly #path: Checked;
  readonly #before: Reading;
  readonly #host: HostWatch;
  readonly #meter: ContainerMeter | undefined;
  #transactions = 0;
  readonly #measured: Window[] = [];

  private constructor(watched: Watched, path: Checked, before: Reading, host: HostWatch) {
    this.#watched = watched;
    this.#path = path;
    this.#before = before;
    this.#host = host;
    const { source, runtime, running } = watched;
    this.#meter =
      running.containerId !== undefined && seesContainers(source, runtime)
        ? ContainerMeter.of(source, running.containerId, performance.now())
        : undefined;
  }

  static async begin(watched: Watched, path: Checked): Promise<TrialWatch> {
    const [before, host] = await Promise.all([
      read(watched, LAST_USAGE.get(watched.running)),
      HostWatch.begin(watched),
    ]);
    return new TrialWatch(watched, path, before, host);
  }

  see(event: LoadEvent): LoadEvent {
    this.#host.see(event);
    if (event.type !== 'window') return event;
    this.#transactions += event.window.transactions;
    if (event.window.phase === 'measure' && !event.window.interrupted) this.#measured.push(event.window);
    const container = this.#meter?.use(performance.now());
    return container === undefined ? event : { ...event, window: { ...event.window, container } };
  }

  async end(): Promise<TrialEvidence> {
    const [host, after] = await Promise.all([this.#host.end(), read(this.#watched)]);
    const { server, container, hostBytesWritten } = this.#before;
    if (after.container !== null) LAST_USAGE.set(this.#watched.running, after.container);
    return {
      transactions: this.#transactions,
      trend: trendOf(this.#measured),
      path: this.#path,
      server: server === null || after.server === null ? null : growth(server, after.server),
      container:
        container === null || after.container === null
          ? null
          : usedBetween(container.usage, after.container.usage),
      memoryBytes: after.container?.memoryBytes ?? null,
      hostBytesWritten:
        hostBytesWritten === undefined || after.hostBytesWritten === undefined
          ? null
          : after.hostBytesWritten - hostBytesWritten,
      host,
    };
  }

  stop(): void {
    this.#host.stop();
  }
}

/** After the last trial of a server's start: the engine reads at most once a second, and nothing happens in between. */
const LAST_USAGE = new WeakMap<RunningServer, NonNullable<Reading['container']>>();

async function read(
  { runtime, running, loadGenerator, target, source, signal }: Watched,
  known?: Reading['container'],
): Promise<Reading> {
  const { containerId } = running;
  const [server, container, hostBytesWritten] = await Promise.all([
    readCounters(loadGenerator, target, signal).catch(nullUnlessLost),
    known ?? (containerId === undefined ? null : runtime.containers.usage(containerId).catch(nullUnlessLost)),
    runtime.passport.runtime.remote ? undefined : diskBytesWritten(source),
  ]);
  return { server, container, hostBytesWritten };
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
