import { cpus } from 'node:os';
import {
  checkInterrupted,
  type LoadEvent,
  type OpenSpec,
  type OpenLoad,
  type SliceTiming,
} from '../load-client.ts';
import { WindowMerger } from './windows.ts';
import { nowMs, windowCount } from './counts.ts';
import { SqlConnection } from './connection.ts';
import { loadError } from './sql-error.ts';
import { mergeTimes } from './statement-times.ts';
import { needsOf } from './workloads.ts';
import { checkStopped, unlessStopped } from '../../stop.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Totals, Window } from '../../../shared/model/measurements.ts';
import { CpuMeter } from './meters.ts';
import type { WorkerLoad, WorkerPool } from './worker-pool.ts';
import type { WorkerReport } from './worker.ts';

const START_DELAY_MS = 20;

function spread(total: number, shares: number): number[] {
  return Array.from({ length: shares }, (_, index) => Math.floor((total + shares - 1 - index) / shares));
}

function workersOf({ transport, connections, workers }: OpenSpec): number {
  if (transport === 'threads') return 1;
  return Math.min(connections, workers ?? Math.max(1, Math.floor(cpus().length / 2)));
}

/** A cut slice loses its connections, so the next opens new ones. */
export async function openBuiltinLoad(
  spec: OpenSpec,
  signal: AbortSignal,
  pool: WorkerPool,
): Promise<OpenLoad> {
  let opened = await openWorkers(spec, signal, pool);
  let isCut = false;
  return {
    slice: async (timing, on, stop) => {
      if (isCut) {
        await opened.close();
        opened = await openWorkers(spec, stop, pool);
      }
      const totals = await runSlice(spec, opened.loads, timing, on, stop);
      isCut = totals.isCut === true;
      return totals;
    },
    close: () => opened.close(),
  };
}

interface OpenWorkers {
  loads: WorkerLoad[];
  close(): Promise<void>;
}

async function openWorkers(spec: OpenSpec, signal: AbortSignal, pool: WorkerPool): Promise<OpenWorkers> {
  checkStopped(signal);
  await checkLimits(spec, signal);
  const shares = spread(spec.connections, workersOf(spec));
  let first = 0;
  const workers = shares.map(() => pool.take());
  const loads = workers.map((worker, index) => {
    const count = shares[index] ?? 0;
    const share = { spec, first, count };
    first += count;
    return worker.load(share);
  });
  const close = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => pool.giveBack(worker)));
  };
  try {
    await unlessStopped(signal, Promise.all(loads.map(({ connected }) => connected)));
  } catch (error) {
    await close();
    throw error;
  }
  return { loads, close };
}

async function runSlice(
  spec: OpenSpec,
  loads: readonly WorkerLoad[],
  timing: SliceTiming,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
): Promise<Totals> {
  checkStopped(signal);
  const { warmupMs, durationMs } = timing;
  const { connections } = spec;
  const cpu = new CpuMeter();
  const lastOf = { warmup: windowCount(warmupMs) - 1, measure: windowCount(durationMs) - 1 };
  const measure = (): void => {
    cpu.start();
    on({ type: 'phase', phase: 'measure' });
  };
  const merger = new WindowMerger({ workers: loads.length, connections }, timing, (window: Window) => {
    on({ type: 'window', window });
    if (window.index !== lastOf[window.phase]) return;
    if (window.phase === 'warmup') measure();
    else cpu.stop();
  });
  const atMs = nowMs() + START_DELAY_MS;
  const slices = loads.map((load) => load.slice(atMs, timing, (part) => merger.add(part)));
  if (warmupMs > 0) on({ type: 'phase', phase: 'warmup' });
  else measure();
  const counted = Promise.all(slices.map((slice) => slice.counted)).then(() => {
    for (const load of loads) load.drain();
  });
  const done = Promise.all([counted, ...slices.map((slice) => slice.done)]);
  const [, ...reports] = await unlessStopped(signal, done);
  const totals = merger.totals();
  checkInterrupted(totals, durationMs);
  const sum = (of: (report: WorkerReport) => number): number =>
    reports.reduce((all, report) => all + of(report), 0);
  const cpuSeconds = (cpu.cores * durationMs) / 1000 + sum((report) => report.cpuSeconds);
  const isWaitKnown = reports.every(({ waiting }) => waiting !== undefined);
  const transport = reports.some((report) => report.transport === 'loop') ? 'loop' : 'threads';
  const runners = transport === 'threads' ? Math.min(connections, cpus().length) : loads.length;
  return {
    ...totals,
    connections,
    uncounted: sum(({ uncounted }) => uncounted),
    ...(reports.some((report) => report.isCut) ? { isCut: true } : {}),
    ...mergeTimes(reports),
    client: {
      transport,
      node: process.version,
      cpuSeconds,
      cpuShare: (cpuSeconds * 1000) / durationMs / runners,
      ...(isWaitKnown ? { waitShare: sum(({ waiting = 0 }) => waiting) / loads.length } : {}),
      loopDelayP99Us: Math.max(...reports.map(({ loopDelayP99Us }) => loopDelayP99Us)),
      workers: runners,
      gcSeconds: sum(({ gcSeconds }) => gcSeconds),
      gcMaxUs: Math.max(...reports.map(({ gcMaxUs }) => gcMaxUs)),
    },
  };
}

async function checkLimits(spec: OpenSpec, signal: AbortSignal): Promise<void> {
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

async function readLimits(spec: OpenSpec, signal: AbortSignal): Promise<Map<string, number>> {
  try {
    const connection = await SqlConnection.open(spec.target, { signal });
    try {
      const rows = await connection.rows(
        "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'max_prepared_stmt_count')",
      );
      return new Map(rows.map(([name, value]) => [String(name), Number(value)]));
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw signal.aborted ? new BenchmarkError('STOPPED') : loadError(error, needsOf(spec));
  }
}
