import { BenchmarkError } from '../../../shared/errors.ts';
import type { LoadSpec } from '../driver.ts';
import { SqlConnection } from './connection.ts';
import { loadError } from './sql-error.ts';
import { needsOf } from './workload-engine.ts';

/** Rejects before any load when the server can't hold this many connections or prepared statements. */
export async function checkLimits(spec: LoadSpec, signal: AbortSignal): Promise<void> {
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
      // Before the load connects: it may need the place.
      await connection.close();
    }
  } catch (error) {
    throw signal.aborted ? new BenchmarkError('STOPPED') : loadError(error, needsOf(spec));
  }
}
