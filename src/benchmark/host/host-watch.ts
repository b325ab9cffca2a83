import type { HostCondition, HostConditionKind, HostEvidence } from '../../shared/model/host.ts';
import type { Window } from '../../shared/model/measurements.ts';
import type { LoadEvent } from '../load/driver.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { HostSource } from '../machine/host-source.ts';
import { sampleLinux, throttleFiles, type HostSample } from './linux-sample.ts';
import { busyContainers, readNeighbours, type Neighbours } from './neighbours.ts';
import { otherPrograms, readPrograms, type Programs } from './other-programs.ts';
import { readStates, stateConditions } from './power.ts';
import { windowConditions } from './window-conditions.ts';

const PERIOD_MS = 1000;

/** What a watch needs to know. */
export interface HostWatched {
  source: HostSource;
  runtime: ContainerRuntime;
  /** Containers with this run's label are no neighbours. */
  runId: string;
}

interface Reading {
  states: HostConditionKind[];
  neighbours: Neighbours | undefined;
  programs: Programs | undefined;
}

/**
 * Watches the machine during a trial: its counters once a second while it is measured, everything that costs more only before the load and
 * after it. What can't be read is left out; nothing here ever fails a trial.
 */
export class HostWatch {
  readonly #watched: HostWatched;
  readonly #before: Reading;
  readonly #throttles: readonly string[];
  readonly #samples: HostSample[] = [];
  readonly #windows: Pick<Window, 'index' | 'startMs' | 'durationMs'>[] = [];
  /** When measuring began; undefined before that. */
  #measureMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  private constructor(watched: HostWatched, before: Reading) {
    this.#watched = watched;
    this.#before = before;
    this.#throttles = throttleFiles(watched.source);
  }

  /** Before the load begins. */
  static async begin(watched: HostWatched): Promise<HostWatch> {
    return new HostWatch(watched, await read(watched));
  }

  /** Has to see every event of the load: from where measuring begins a sample is taken at the end of each window. Then it needs `stop` or `end`. */
  see(event: LoadEvent): void {
    if (event.type === 'window' && event.window.phase === 'measure') {
      const { index, startMs, durationMs } = event.window;
      this.#windows.push({ index, startMs, durationMs });
    }
    if (event.type !== 'phase' || event.phase !== 'measure' || this.#stopped) return;
    this.#measureMs = performance.now();
    if (this.#watched.source.platform === 'linux') this.#sampleFrom(this.#measureMs);
  }

  /** After the load has ended. */
  async end(): Promise<HostEvidence> {
    if (this.#timer !== undefined) this.#sample();
    this.stop();
    const { source } = this.#watched;
    const before = this.#before;
    const after = await read(this.#watched);
    const originMs = this.#measureMs ?? 0;
    const spans = this.#windows.map(({ index, startMs, durationMs }) => ({
      index,
      beginMs: originMs + startMs,
      endMs: originMs + startMs + durationMs,
    }));
    const conditions: HostCondition[] = [
      ...windowConditions(this.#samples, spans),
      ...stateConditions(before.states, after.states),
    ];
    if (before.programs !== undefined && after.programs !== undefined) {
      const ids = [...(before.neighbours?.ids ?? []), ...(after.neighbours?.ids ?? [])];
      conditions.push(...otherPrograms(source, before.programs, after.programs, ids));
    }
    if (before.neighbours !== undefined && after.neighbours !== undefined) {
      conditions.push(...busyContainers(before.neighbours, after.neighbours));
    }
    return { conditions };
  }

  /** Ends the sampling, whatever came of the load. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Samples now and every second after `originMs`; each is set by the clock, so that their delays don't add up. */
  #sampleFrom(originMs: number): void {
    this.#sample();
    const next = (): void => {
      const elapsed = performance.now() - originMs;
      this.#timer = setTimeout(
        () => {
          this.#sample();
          next();
        },
        PERIOD_MS * (Math.floor(elapsed / PERIOD_MS) + 1) - elapsed,
      );
      this.#timer.unref();
    };
    next();
  }

  #sample(): void {
    this.#samples.push(sampleLinux(this.#watched.source, this.#throttles, performance.now()));
  }
}

async function read({ source, runtime, runId }: HostWatched): Promise<Reading> {
  const [states, neighbours] = await Promise.all([
    readStates(source),
    readNeighbours(runtime, runId).catch(() => undefined),
  ]);
  return { states, neighbours, programs: seesContainers(source, runtime) ? readPrograms(source) : undefined };
}

/** Where containers are processes of this machine, what is theirs can be told from what is others'. */
export function seesContainers(
  { platform }: HostSource,
  { passport }: Pick<ContainerRuntime, 'passport'>,
): boolean {
  return platform === 'linux' && !passport.runtime.vm && !passport.runtime.remote;
}
