import { setTimeout as wait } from 'node:timers/promises';
import { medianOf } from '../../../shared/analysis/trial-figures.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Checked, CheckOptions, LoadTarget } from '../load-client.ts';
import { nowMs } from '../builtin/counts.ts';
import { SqlConnection } from '../builtin/connection.ts';
import { describeError, isAccessDenied } from '../builtin/sql-error.ts';
import { linkedTo } from '../../stop.ts';

/** A port forward may accept a connection and never answer. */
const ATTEMPT_MS = 3000;
const PAUSE_MS = 200;
/** A starting server may deny logins. */
const DENIED_MS = 5000;
const ROUND_TRIPS = 4;

export async function checkConnection(target: LoadTarget, options: CheckOptions): Promise<Checked> {
  const { signal, budgetMs } = options;
  const start = nowMs();
  const left = (): number => budgetMs - (nowMs() - start);
  let connects: number[] = [];
  let roundTrips: number[] = [];
  let good = 0;
  let deniedSince: number | undefined;
  for (;;) {
    try {
      const times = await logIn(target, Math.min(ATTEMPT_MS, Math.max(1, left())), signal);
      connects.push(times.connectUs);
      roundTrips.push(...times.roundTripsUs);
      good += 1;
      if (good >= options.times) {
        return { connectUs: medianOf(connects) ?? 0, roundTripUs: medianOf(roundTrips) ?? 0 };
      }
    } catch (error) {
      if (signal.aborted) throw new BenchmarkError('STOPPED');
      connects = [];
      roundTrips = [];
      good = 0;
      const reason = describeError(error);
      deniedSince = isAccessDenied(error) ? (deniedSince ?? nowMs()) : undefined;
      const spent = left() <= PAUSE_MS;
      if (deniedSince !== undefined && (spent || nowMs() - deniedSince >= DENIED_MS)) {
        throw new BenchmarkError('ACCESS_DENIED', { reason }, { cause: error });
      }
      if (spent) {
        const address = `${target.host}:${target.port}`;
        throw new BenchmarkError(
          'PATH_NO_TRAFFIC',
          { path: options.path, address, reason },
          { cause: error },
        );
      }
      await wait(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

async function logIn(
  target: LoadTarget,
  limitMs: number,
  signal: AbortSignal,
): Promise<{ connectUs: number; roundTripsUs: number[] }> {
  const attempt = linkedTo(signal);
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    attempt.end();
  }, limitMs);
  try {
    const start = nowMs();
    const connection = await SqlConnection.open(target, { signal: attempt.signal });
    const connectUs = (nowMs() - start) * 1000;
    const roundTripsUs: number[] = [];
    await connection.query('SELECT 1');
    for (let i = 0; i < ROUND_TRIPS; i++) {
      const sent = nowMs();
      await connection.query('SELECT 1');
      roundTripsUs.push((nowMs() - sent) * 1000);
    }
    await connection.close();
    return { connectUs, roundTripsUs };
  } catch (error) {
    throw late ? new Error(`no answer within ${Math.round(limitMs)} ms`) : error;
  } finally {
    clearTimeout(limit);
    attempt.end();
  }
}

export function queryRows(
  target: LoadTarget,
  sql: string,
  signal: AbortSignal,
): Promise<(string | number | null)[][]> {
  return onConnection(target, signal, async (connection) =>
    (await connection.rows(sql)).map((row) => row.map(plain)),
  );
}

export function runScript(
  target: LoadTarget,
  statements: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  return onConnection(target, signal, async (connection) => {
    const start = nowMs();
    for (const sql of statements) await connection.query(sql);
    return nowMs() - start;
  });
}

async function onConnection<T>(
  target: LoadTarget,
  signal: AbortSignal,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  let connection: SqlConnection | undefined;
  try {
    connection = await SqlConnection.open(target, { signal });
    return await work(connection);
  } catch (error) {
    if (signal.aborted) throw new BenchmarkError('STOPPED');
    const reason = describeError(error);
    throw new BenchmarkError(
      isAccessDenied(error) ? 'ACCESS_DENIED' : 'QUERY_FAILED',
      { reason },
      { cause: error },
    );
  } finally {
    await connection?.close();
  }
}

function plain(value: unknown): string | number | null {
  return value === null || typeof value === 'number' ? value : String(value);
}
