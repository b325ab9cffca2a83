import { BenchmarkError } from '../../../shared/errors.ts';
import type { LoadTarget } from '../driver.ts';
import { SqlConnection } from '../node/connection.ts';
import { describeError, isAccessDenied } from '../node/sql-error.ts';

/**
 * The rows of one statement on a connection of its own, as text, numbers and nulls. Rejects with QUERY_FAILED,
 * ACCESS_DENIED or STOPPED.
 */
export async function queryRows(
  target: LoadTarget,
  sql: string,
  signal: AbortSignal,
): Promise<(string | number | null)[][]> {
  let connection: SqlConnection | undefined;
  try {
    connection = await SqlConnection.open(target, { signal });
    return (await connection.rows(sql)).map((row) => row.map(plain));
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
