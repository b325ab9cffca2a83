import { msg } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { LoadTarget } from '../load-client.ts';
import { linkedTo } from '../../stop.ts';
import { SqlConnection } from './connection.ts';
import { describeError, isStorageFull } from './sql-error.ts';

const PACKET_BYTES = 512 * 1024;
const FRAME_BYTES = 256;

export type PreparationTask = (connection: SqlConnection) => Promise<void>;

export async function runTasks(
  target: LoadTarget,
  tasks: readonly PreparationTask[],
  options: { atOnce: number; setUp?: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const { signal, setUp = [] } = options;
  const stop = linkedTo(signal);
  let next = 0;
  const runSome = async (): Promise<void> => {
    const connection = await SqlConnection.open(target, { signal: stop.signal });
    for (const sql of setUp) await connection.query(sql);
    for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) await task(connection);
    await connection.close();
  };
  const parts = Array.from({ length: Math.min(options.atOnce, tasks.length) }, () =>
    runSome().catch((error: unknown) => {
      if (stop.signal.aborted) return undefined;
      stop.end();
      return preparationError(error);
    }),
  );
  const failure = (await Promise.all(parts)).find((error) => error !== undefined);
  stop.end();
  if (signal.aborted) throw new BenchmarkError('STOPPED');
  if (failure !== undefined) throw failure;
}

export async function takesLocalRows(connection: SqlConnection): Promise<boolean> {
  return Number((await connection.rows('SELECT @@local_infile'))[0]?.[0]) === 1;
}

/** Bytes of rows that fit into one statement. */
export async function packetRoom(connection: SqlConnection): Promise<number> {
  const packet = Number((await connection.rows('SELECT @@max_allowed_packet'))[0]?.[0]);
  return Math.min(PACKET_BYTES, packet) - FRAME_BYTES;
}

export async function analyzeTables(connection: SqlConnection, tables: readonly string[]): Promise<void> {
  for (const [table, , kind, text] of await connection.rows(`ANALYZE TABLE ${tables.join(', ')}`)) {
    if (String(kind).toLowerCase() === 'error') {
      throw new Error(`ANALYZE TABLE ${String(table)}: ${String(text)}`);
    }
  }
}

function preparationError(error: unknown): BenchmarkError {
  const reason = describeError(error);
  return isStorageFull(error)
    ? new BenchmarkError('STORAGE_FULL', { storage: msg('part.dataset'), reason }, { cause: error })
    : new BenchmarkError('DATASET_FAILED', { reason }, { cause: error });
}
