import { cpus } from 'node:os';
import type { ClientHealth, Totals, Window } from '../../../shared/model/measurements.ts';
import { checkStopped, unlessStopped } from '../../stop.ts';
import type { LoadEvent, LoadSpec } from '../driver.ts';
import { checkInterrupted } from '../interrupted.ts';
import { nowMs } from './clock.ts';
import { HeldRate } from './held-rate.ts';
import { checkLimits } from './preflight.ts';
import { mergeTimes } from './statement-times.ts';
import { WindowMerger, windowCount } from './windows.ts';
import { WorkerThread } from './worker-thread.ts';

/** Time between "all connected" and the common start, ms: enough for the message to reach every worker. */
const START_DELAY_MS = 20;

/** Shares of `total` that differ by one at the most; none is empty unless there are more shares than items. */
export function spread(total: number, shares: number): number[] {
  return Array.from({ length: shares }, (_, index) => Math.floor((total + shares - 1 - index) / shares));
}

/** Workers by cores, not by connections: half of them belong to the server. */
export function defaultWorkers(connections: number): number {
  return Math.min(connections, Math.max(1, Math.floor(cpus().length / 2)));
}

/**
 * Runs a load on worker threads of this process: connects, starts all at the same instant, merges their windows.
 * See `LoadDriver` for what it promises; `workerFile` is the bundled load client. Stopping takes less than a second.
 */
export async function runNodeLoad(
  spec: LoadSpec,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
  options: { workerFile: string; workers?: number },
): Promise<Totals> {
  checkStopped(signal);
  on({ type: 'phase', phase: 'connect' });
  await checkLimits(spec, signal);

  const cpu = new CpuMeter();
  const lastOf = { warmup: windowCount(spec.warmupMs) - 1, measure: windowCount(spec.durationMs) - 1 };
  const measure = (): void => {
    cpu.start();
    on({ type: 'phase', phase: 'measure' });
  };
  const rate = spec.rate === undefined ? undefined : new HeldRate(spec.rate);
  const merger = new WindowMerger(
    defaultOr(options.workers, spec.connections),
    spec.warmupMs,
    spec.durationMs,
    (window: Window) => {
      on({ type: 'window', window });
      rate?.see(window);
      if (window.index !== lastOf[window.phase]) return;
      if (window.phase === 'warmup') measure();
      else cpu.stop();
    },
  );
  const shares = spread(spec.connections, merger.workers);
  let first = 0;
  const workers = shares.map((count) => {
    const data = { spec, first, count };
    first += count;
    return new WorkerThread(options.workerFile, data, (part) => merger.add(part));
  });
  try {
    await unlessStopped(signal, Promise.all(workers.map(({ connected }) => connected)));
    const atMs = nowMs() + START_DELAY_MS;
    for (const worker of workers) worker.begin(atMs);
    if (spec.warmupMs > 0) on({ type: 'phase', phase: 'warmup' });
    else measure();
    const done = Promise.all(workers.map((worker) => worker.done));
    const reports = await unlessStopped(signal, rate === undefined ? done : Promise.race([rate.lost, done]));
    const totals = merger.totals();
    checkInterrupted(totals, spec.durationMs);
    return {
      ...totals,
      connections: spec.connections,
      statements: mergeTimes(reports.map(({ statements }) => statements)),
      fixedRate: rate?.report(reports, merger.mostWaiting) ?? null,
      client: {
        ...cpu.share(spec.durationMs, workers.length),
        loopDelayP99Us: Math.max(...reports.map(({ loopDelayP99Us }) => loopDelayP99Us)),
        workers: workers.length,
        gcSeconds: reports.reduce((sum, { gcSeconds }) => sum + gcSeconds, 0),
        gcMaxUs: Math.max(...reports.map(({ gcMaxUs }) => gcMaxUs)),
      },
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.close()));
  }
}

function defaultOr(workers: number | undefined, connections: number): number {
  return Math.min(connections, workers ?? defaultWorkers(connections));
}

/** CPU time of this process between two instants. */
class CpuMeter {
  #begin = { usage: process.cpuUsage(), atMs: nowMs() };
  #used = { seconds: 0, ms: 1 };

  start(): void {
    this.#begin = { usage: process.cpuUsage(), atMs: nowMs() };
  }

  stop(): void {
    const { user, system } = process.cpuUsage(this.#begin.usage);
    this.#used = { seconds: (user + system) / 1e6, ms: nowMs() - this.#begin.atMs };
  }

  /** For exactly the measured time: the readings come with the windows, a little late at both ends. */
  share(durationMs: number, workers: number): Pick<ClientHealth, 'cpuSeconds' | 'cpuShare'> {
    const cores = (this.#used.seconds * 1000) / this.#used.ms;
    return { cpuSeconds: (cores * durationMs) / 1000, cpuShare: cores / workers };
  }
}
