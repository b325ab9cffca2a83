import { cpus } from 'node:os';
import { checkInterrupted, type LoadEvent, type LoadSpec } from '../load-client.ts';
import { nowMs, windowCount, WindowMerger } from './windows.ts';
import { SqlConnection } from './connection.ts';
import { HeldRate } from './rate.ts';
import { loadError } from './sql-error.ts';
import { mergeTimes } from './statement-times.ts';
import { needsOf } from './engines.ts';
import { checkStopped, unlessStopped } from '../../stop.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { ClientHealth, Totals, Window } from '../../../shared/model/measurements.ts';
import type { WorkerPool } from './worker-pool.ts';

/** From "all connected" to the common start, ms; reaches every worker in time. */
const START_DELAY_MS = 20;

export function spread(total: number, shares: number): number[] {
  return Array.from({ length: shares }, (_, index) => Math.floor((total + shares - 1 - index) / shares));
}

/** Half of the cores: the other half belongs to the server. */
export function defaultWorkers(connections: number): number {
  return Math.min(connections, Math.max(1, Math.floor(cpus().length / 2)));
}

/**
 * Runs a load on worker threads: connects, starts all at the same instant, merges their windows. Promises what
 * `LoadClient` says. Stops within a second.
 */
export async function runNodeLoad(
  spec: LoadSpec,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
  options: { pool: WorkerPool; workers?: number | undefined },
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
  const workers = shares.map(() => options.pool.take());
  const loads = workers.map((worker, index) => {
    const count = shares[index] ?? 0;
    const share = { spec, first, count };
    first += count;
    return worker.load(share, (part) => merger.add(part));
  });
  try {
    await unlessStopped(signal, Promise.all(loads.map(({ connected }) => connected)));
    const atMs = nowMs() + START_DELAY_MS;
    for (const load of loads) load.begin(atMs);
    if (spec.warmupMs > 0) on({ type: 'phase', phase: 'warmup' });
    else measure();
    const done = Promise.all(loads.map((load) => load.done));
    const reports = await unlessStopped(signal, rate === undefined ? done : Promise.race([rate.lost, done]));
    const totals = merger.totals();
    checkInterrupted(totals, spec.durationMs);
    return {
      ...totals,
      connections: spec.connections,
      ...mergeTimes(reports),
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
    await Promise.all(workers.map((worker) => options.pool.giveBack(worker)));
  }
}

function defaultOr(workers: number | undefined, connections: number): number {
  return Math.min(connections, workers ?? defaultWorkers(connections));
}

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

  share(durationMs: number, workers: number): Pick<ClientHealth, 'cpuSeconds' | 'cpuShare'> {
    const cores = (this.#used.seconds * 1000) / this.#used.ms;
    return { cpuSeconds: (cores * durationMs) / 1000, cpuShare: cores / workers };
  }
}

/** Rejects before any load if the server can't hold these connections or prepared statements. */
async function checkLimits(spec: LoadSpec, signal: AbortSignal): Promise<void> {
  const limits = await readLimits(spec, signal);
  const { connections } = spec;
  const maxConnections = limits.get('max_connections');
  if (maxConnections !== undefined && connections > maxConnections) {
    throw new BenchmarkError('CONNECTIONS_REFUSED', {
      connections: String(connections),
      reason: `max_connections is ${maxConnections}`,
    });
  }
  const needed = needsOf(spec).preparedStatements;
  const limit = limits.get('max_prepared_stmt_count');
  if (limit !== undefined && needed > limit) {
    throw new BenchmarkError('TOO_MANY_STATEMENTS', { needed: String(needed), limit: String(limit) });
  }
}

async function readLimits(spec: LoadSpec, signal: AbortSignal): Promise<Map<string, number>> {
  try {
    const connection = await SqlConnection.open(spec.target, { signal });
    try {
      const rows = await connection.rows(
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'max_prepared_stmt_count')",
      );
      return new Map(rows.map(([name, value]) => [String(name), Number(value)]));
    } finally {
      // The load may need this connection's slot.
      await connection.close();
    }
  } catch (error) {
    throw signal.aborted ? new BenchmarkError('STOPPED') : loadError(error, needsOf(spec));
  }
}
