import { isBelow, ownProcesses, readProcesses, TICKS_PER_SECOND, usedByName } from '../host/processes.ts';
import type { HostSource } from '../host/host-source.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { RUN_LABEL } from '../runtime/labels.ts';
import { cpuTicks, type HostSample, type Programs } from './linux-sample.ts';
import { seesContainers } from './host-watch.ts';

const CONTAINER_ID = /[0-9a-f]{64}/;

interface Reading extends Programs {
  cpu: HostSample['cpu'];
}

/** CPU use of others, and steal; only where servers are processes of this machine. */
export class OtherCores {
  readonly #runtimes: readonly ContainerRuntime[];
  readonly #own = new Set<string>();
  readonly #foreign = new Set<string>();

  constructor(
    private readonly source: HostSource,
    runtimes: readonly ContainerRuntime[],
    private readonly runId: string,
  ) {
    this.#runtimes = runtimes.every((one) => seesContainers(source, one)) ? runtimes : [];
  }

  async learn(): Promise<void> {
    for (const { containers } of this.#runtimes) {
      for (const { id, labels } of await containers.listRunning().catch(() => []))
        (labels[RUN_LABEL] === this.runId ? this.#own : this.#foreign).add(id);
    }
  }

  /** Undefined where processes of containers can't be seen. */
  read(): Reading | undefined {
    if (this.#runtimes.length === 0) return undefined;
    const stat = this.source.read('/proc/stat');
    const cpu = stat === undefined ? undefined : cpuTicks(stat);
    return { atMs: performance.now(), table: readProcesses(this.source), cpu };
  }

  /** Average cores; undefined if a container has just appeared. */
  between(before: Reading | undefined, after: Reading | undefined): number | undefined {
    if (before === undefined || after === undefined) return undefined;
    const own = ownProcesses(this.source, after.table);
    let isKnown = true;
    const used = usedByName(before.table, after.table, (process) => {
      if (own.has(process.pid) || isBelow(process)) return false;
      const id = CONTAINER_ID.exec(this.source.read(`/proc/${process.pid}/cgroup`) ?? '')?.[0];
      if (id === undefined || this.#foreign.has(id)) return true;
      if (!this.#own.has(id)) isKnown = false;
      return false;
    });
    if (!isKnown) {
      void this.learn();
      return undefined;
    }
    const stolen = ((after.cpu?.stolen ?? 0) - (before.cpu?.stolen ?? 0)) / TICKS_PER_SECOND;
    const seconds = (after.atMs - before.atMs) / 1000;
    return (used.reduce((sum, one) => sum + one.seconds, 0) + stolen) / seconds;
  }
}
