import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { BenchmarkError, toErrorData, type ErrorData } from '../../../shared/errors.ts';
import { createRandom } from '../../../shared/random.ts';
import { LoadConnection } from './client-connection.ts';
import { nowMs } from './clock.ts';
import { openConnection, serverError } from './connection.ts';
import { specSchema } from './protocol.ts';
import { PartRecorder, type Part } from './windows.ts';

/** What the coordinator gives a worker: the spec and which of its connections are this worker's. */
export const workerDataSchema = z.object({
  spec: specSchema,
  first: z.number().int(),
  count: z.number().int(),
});
export type WorkerData = z.infer<typeof workerDataSchema>;

export type WorkerCommand = { type: 'begin'; atMs: number } | { type: 'stop' };

export type WorkerMessage =
  | { type: 'connected' }
  | { type: 'part'; part: Part }
  | { type: 'done'; loopDelayP99Us: number }
  | { type: 'failed'; error: ErrorData };

/** Sampling interval of the event-loop delay; the histogram holds it in every value. */
const LOOP_RESOLUTION_MS = 10;

/** The body of a load worker thread: connects, waits for the common start, runs its connections until the end. */
export async function runWorker(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('not a worker thread');
  const post = (message: WorkerMessage): void => port.postMessage(message);
  const { spec, first, count } = workerDataSchema.parse(workerData);
  const connections: LoadConnection[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(connections.map((connection) => connection.close()));
    port.close();
  };
  try {
    for (let i = 0; i < count; i++) {
      connections.push(await LoadConnection.prepare(await openConnection(spec.target), spec.workload));
    }
  } catch (error) {
    post({ type: 'failed', error: connectFailure(error, spec.connections).toData() });
    await end();
    return;
  }

  let stopped = false;
  let begin = (_atMs: number): void => undefined;
  const begun = new Promise<number | undefined>((resolve) => {
    begin = resolve;
    port.on('message', (command: WorkerCommand) => {
      if (command.type === 'begin') begin(command.atMs);
      else {
        stopped = true;
        for (const connection of connections) connection.destroy();
        resolve(undefined);
        port.close();
      }
    });
  });
  post({ type: 'connected' });
  const startMs = await begun;
  if (startMs === undefined) return;

  const recorder = new PartRecorder(spec.warmupMs, spec.durationMs, (part) => post({ type: 'part', part }));
  const endMs = spec.warmupMs + spec.durationMs;
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  const elapsed = (): number => nowMs() - startMs;
  const ticker = setInterval(() => recorder.advance(elapsed()), 100);
  const measuring = setTimeout(() => delay.enable(), Math.max(0, spec.warmupMs - elapsed()));

  const loop = (connection: LoadConnection, number: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const random = createRandom((spec.seed ^ Math.imul(number + 1, 0x9e3779b1)) >>> 0);
      const next = (): void => {
        const began = elapsed();
        if (stopped || began >= endMs) {
          resolve();
          return;
        }
        connection.run(spec.workload, random, (error, counts) => {
          const now = elapsed();
          if (error !== null) {
            if (stopped || now >= endMs) resolve();
            else reject(error);
            return;
          }
          recorder.record(now, (now - began) * 1000, counts);
          next();
        });
      };
      setTimeout(next, Math.max(0, -elapsed()));
    });
  try {
    await Promise.all(connections.map((connection, index) => loop(connection, first + index)));
    if (stopped) return;
    recorder.advance(Math.max(elapsed(), endMs));
    delay.disable();
    const p99Us = delay.percentile(99) / 1000;
    post({
      type: 'done',
      loopDelayP99Us: Number.isFinite(p99Us) ? Math.max(0, p99Us - LOOP_RESOLUTION_MS * 1000) : 0,
    });
    await end();
  } catch (error) {
    if (stopped) return;
    const { message } = serverError(error);
    post({ type: 'failed', error: new BenchmarkError('LOAD_FAILED', { reason: message }).toData() });
    for (const connection of connections) connection.destroy();
    port.close();
  } finally {
    clearInterval(ticker);
    clearTimeout(measuring);
  }
}

function connectFailure(error: unknown, connections: number): BenchmarkError {
  const { number, message } = serverError(error);
  if (number === 1461) {
    return new BenchmarkError('TOO_MANY_STATEMENTS', { needed: 'more', limit: message }, { cause: error });
  }
  return new BenchmarkError(
    'CONNECTIONS_REFUSED',
    { connections: String(connections), reason: message },
    { cause: error },
  );
}

/** Entry of a worker thread: whatever is thrown is told before the thread ends. */
export function startWorker(): void {
  runWorker().catch((error: unknown) => {
    parentPort?.postMessage({ type: 'failed', error: toErrorData(error) } satisfies WorkerMessage);
    parentPort?.close();
  });
}
