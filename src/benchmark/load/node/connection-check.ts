import { BenchmarkError } from '../../../shared/errors.ts';
import type { LoadTarget } from '../driver.ts';
import { nowMs } from './clock.ts';
import { openConnection, query, serverError } from './connection.ts';

export interface CheckOptions {
  /** The path's name, for the message. */
  path: string;
  budgetMs: number;
  /** How many logins in a row must succeed. */
  times: number;
  signal: AbortSignal;
}

/** Medians over the successful logins, µs. */
export interface Checked {
  connectUs: number;
  roundTripUs: number;
}

/** A forward may accept a connection and then say nothing: each attempt has its own limit. */
const ATTEMPT_MS = 3000;
const PAUSE_MS = 200;
/** A temporary server of an initialisation refuses accounts for a while; longer than this it is meant. */
const DENIED_MS = 5000;
const ACCESS_DENIED: ReadonlySet<number> = new Set([1044, 1045, 1698]);

/**
 * Logs in over TCP and runs SELECT 1 on the benchmark's schema, `times` in a row, retrying within the budget: some
 * runtimes forward ports seconds late. Rejects with PATH_NO_TRAFFIC, ACCESS_DENIED or STOPPED.
 */
export async function checkConnection(target: LoadTarget, options: CheckOptions): Promise<Checked> {
  const start = nowMs();
  let good: Checked[] = [];
  let deniedSince: number | undefined;
  for (;;) {
    if (options.signal.aborted) throw new BenchmarkError('STOPPED');
    try {
      good.push(await attempt(target, Math.min(ATTEMPT_MS, Math.max(1, options.budgetMs))));
      if (good.length >= options.times) {
        return {
          connectUs: median(good.map(({ connectUs }) => connectUs)),
          roundTripUs: median(good.map(({ roundTripUs }) => roundTripUs)),
        };
      }
      continue;
    } catch (error) {
      good = [];
      const { number, message } = serverError(error);
      if (number !== undefined && ACCESS_DENIED.has(number)) {
        deniedSince ??= nowMs();
        if (nowMs() - deniedSince > DENIED_MS) {
          throw new BenchmarkError('ACCESS_DENIED', { reason: message }, { cause: error });
        }
      } else deniedSince = undefined;
      if (nowMs() - start > options.budgetMs) {
        throw new BenchmarkError(
          'PATH_NO_TRAFFIC',
          { path: options.path, address: `${target.host}:${target.port}`, reason: message },
          { cause: error },
        );
      }
    }
    await pause(options.signal);
  }
}

async function attempt(target: LoadTarget, limitMs: number): Promise<Checked> {
  const start = nowMs();
  const connection = await openConnection(target, limitMs);
  try {
    const connected = nowMs();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
    });
    await Promise.race([query(connection, 'SELECT 1'), late]).finally(() => clearTimeout(timer));
    return { connectUs: (connected - start) * 1000, roundTripUs: (nowMs() - connected) * 1000 };
  } finally {
    connection.destroy();
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, PAUSE_MS);
    signal.addEventListener('abort', end, { once: true });
  });
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
