import { cpus } from 'node:os';
import { checkInterrupted, type LoadEvent, type LoadSpec } from '../load-client.ts';
import { nowMs, type Part, windowCount, WindowMerger } from './windows.ts';
import { SqlConnection } from './connection.ts';
import { HeldRate } from './rate.ts';
import { loadError } from './sql-error.ts';
import { mergeTimes } from './statement-times.ts';
import { needsOf } from './engines.ts';
import { checkStopped, unlessStopped } from '../../stop.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { ClientHealth, Totals, Window } from '../../../shared/model/measurements.ts';
import { Worker } from 'node:worker_threads';
import type { WorkerCommand, WorkerData, WorkerMessage, WorkerReport } from './worker.ts';

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

const STOP_MS = 700;

export class WorkerThread {
  readonly connected: Promise<void>;
  readonly done: Promise<WorkerReport>;
  readonly #worker: Worker;
  readonly #exited: Promise<void>;

  constructor(file: string, data: WorkerData, onPart: (part: Part) => void) {
    // Without the flags of the surrounding program. Prints go nowhere, since stdout carries a client's answers.
    const worker = new Worker(file, { workerData: data, execArgv: [], stdout: true });
    worker.stdout.resume();
    this.#worker = worker;
    this.#exited = new Promise((resolve) => worker.once('exit', () => resolve()));
    let connected = (): void => undefined;
    let done: (report: WorkerReport) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => {
      const lost = (reason: string): void => reject(new BenchmarkError('CLIENT_LOST', { reason }));
      worker.on('message', (message: WorkerMessage) => {
        if (message.type === 'connected') connected();
        else if (message.type === 'part') onPart(message.part);
        else if (message.type === 'done') done(message);
        else reject(BenchmarkError.fromData(message.error));
      });
      worker.once('messageerror', (error) => lost(error.message));
      worker.once('error', (error) => lost(error.message));
      worker.once('exit', (code) => lost(`a worker ended with exit code ${code}`));
    });
    this.connected = Promise.race([failed, new Promise<void>((resolve) => (connected = resolve))]);
    this.done = Promise.race([failed, new Promise<WorkerReport>((resolve) => (done = resolve))]);
    for (const promise of [this.connected, this.done]) promise.catch(() => undefined);
  }

  begin(atMs: number): void {
    this.#post({ type: 'begin', atMs });
  }

  async close(): Promise<void> {
    this.#post({ type: 'stop' });
    const limit = setTimeout(() => void this.#worker.terminate(), STOP_MS);
    await this.#exited;
    clearTimeout(limit);
  }

  #post(command: WorkerCommand): void {
    this.#worker.postMessage(command);
  }
}
