import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BenchmarkError, type ErrorData } from '../../../shared/errors.ts';
import type { Totals } from '../../../shared/model/measurements.ts';
import type { LoadEvent, LoadSpec } from '../driver.ts';
import { nowMs } from './clock.ts';
import { openConnection, query, serverError } from './connection.ts';
import { preparedStatements } from './oltp.ts';
import { WindowMerger } from './windows.ts';
import type { WorkerCommand, WorkerData, WorkerMessage } from './worker.ts';

/** Time between "all connected" and the common start, ms: enough for the message to reach every worker. */
const START_DELAY_MS = 20;
/** After so long a worker that was told to stop is ended. */
const STOP_MS = 800;

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
 * See `LoadDriver` for what it promises; `workerFile` is the bundled load client.
 */
export async function runNodeLoad(
  spec: LoadSpec,
  on: (event: LoadEvent) => void,
  signal: AbortSignal,
  options: { workerFile: string; workers?: number },
): Promise<Totals> {
  if (signal.aborted) throw new BenchmarkError('STOPPED');
  on({ type: 'phase', phase: 'connect' });
  await checkLimits(spec);
  const shares = spread(spec.connections, options.workers ?? defaultWorkers(spec.connections));
  const workers = shares.map((count, index) => {
    const first = shares.slice(0, index).reduce((sum, share) => sum + share, 0);
    const data: WorkerData = { spec, first, count };
    return new Worker(options.workerFile, { workerData: data });
  });
  const timers: NodeJS.Timeout[] = [];
  let onAbort = (): void => undefined;
  const ended = Promise.all(
    workers.map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve()))),
  );
  try {
    return await new Promise<Totals>((resolve, reject) => {
      const fail = (error: BenchmarkError | ErrorData): void => reject(asError(error));
      onAbort = (): void => fail(new BenchmarkError('STOPPED'));
      signal.addEventListener('abort', onAbort, { once: true });
      const merger = new WindowMerger(workers.length, spec.warmupMs, spec.durationMs, (window) =>
        on({ type: 'window', window }),
      );
      let connected = 0;
      let done = 0;
      let loopDelayP99Us = 0;
      let cpuAtStart = process.cpuUsage();
      const begin = (): void => {
        const atMs = nowMs() + START_DELAY_MS;
        for (const worker of workers) worker.postMessage({ type: 'begin', atMs } satisfies WorkerCommand);
        if (spec.warmupMs > 0) on({ type: 'phase', phase: 'warmup' });
        timers.push(
          setTimeout(() => {
            cpuAtStart = process.cpuUsage();
            on({ type: 'phase', phase: 'measure' });
          }, START_DELAY_MS + spec.warmupMs),
        );
      };
      const finish = (): void => {
        const cpu = process.cpuUsage(cpuAtStart);
        const cpuSeconds = (cpu.user + cpu.system) / 1e6;
        resolve({
          ...merger.totals(),
          connections: spec.connections,
          client: {
            cpuSeconds,
            cpuShare: (cpuSeconds * 1000) / spec.durationMs / workers.length,
            loopDelayP99Us,
            workers: workers.length,
          },
        });
      };
      for (const worker of workers) {
        let finished = false;
        worker.on('message', (message: WorkerMessage) => {
          switch (message.type) {
            case 'connected':
              connected += 1;
              if (connected === workers.length) begin();
              break;
            case 'part':
              merger.add(message.part);
              break;
            case 'done':
              loopDelayP99Us = Math.max(loopDelayP99Us, message.loopDelayP99Us);
              finished = true;
              done += 1;
              if (done === workers.length) finish();
              break;
            case 'failed':
              fail(message.error);
              break;
          }
        });
        worker.on('error', (error) => fail(new BenchmarkError('CLIENT_LOST', { reason: error.message })));
        worker.on('exit', (code) => {
          if (!finished) fail(new BenchmarkError('CLIENT_LOST', { reason: `worker ended with ${code}` }));
        });
      }
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    for (const worker of workers) worker.postMessage({ type: 'stop' } satisfies WorkerCommand);
    const bound = setTimeout(() => workers.forEach((worker) => void worker.terminate()), STOP_MS);
    await ended;
    clearTimeout(bound);
  }
}

function asError(error: BenchmarkError | ErrorData): BenchmarkError {
  return error instanceof BenchmarkError ? error : BenchmarkError.fromData(error);
}

/** Rejects before any load when the server can't hold this many connections or prepared statements. */
async function checkLimits(spec: LoadSpec): Promise<void> {
  const connections = String(spec.connections);
  let limits: Map<string, number>;
  try {
    const connection = await openConnection(spec.target);
    const rows = await query(
      connection,
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'max_prepared_stmt_count')",
    );
    connection.destroy();
    limits = new Map(rows.map((row) => (Array.isArray(row) ? [String(row[0]), Number(row[1])] : ['', 0])));
  } catch (error) {
    const { message } = serverError(error);
    throw new BenchmarkError('CONNECTIONS_REFUSED', { connections, reason: message }, { cause: error });
  }
  const maxConnections = limits.get('max_connections') ?? Infinity;
  if (spec.connections > maxConnections) {
    throw new BenchmarkError('CONNECTIONS_REFUSED', {
      connections,
      reason: `max_connections is ${maxConnections}`,
    });
  }
  const limit = limits.get('max_prepared_stmt_count') ?? Infinity;
  const needed = spec.connections * preparedStatements(spec.workload).length;
  if (needed > limit) {
    throw new BenchmarkError('TOO_MANY_STATEMENTS', { needed: String(needed), limit: String(limit) });
  }
}
