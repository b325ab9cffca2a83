import { BenchmarkError } from '../../shared/errors.ts';
import { dataBytes } from '../../shared/model/workload.ts';
import { MIB } from '../../shared/model/server-settings.ts';
import type { LoadClient, LoadTarget, OpenLoad } from '../load/load-client.ts';
import { readCounters } from '../servers/server-facts.ts';
import type { Plan, ServerConfig } from '../../shared/model/plan.ts';

const STRETCH_MS = 400;
/** Page reads of a transaction in a warm pool. */
const FEW_READS = 0.05;
/** Reads are steady if they fall by less per stretch. */
const STEADY = 0.8;
/** More data would push itself out of the pool. */
const POOL_SHARE = 0.8;

export interface ToWarm {
  client: LoadClient;
  target: LoadTarget;
  load: OpenLoad;
  config: Pick<ServerConfig, 'settings'>;
  plan: Pick<Plan, 'workload' | 'schedule'>;
  signal: AbortSignal;
}

/** Reads all tables if the pool holds them, then loads until page reads are steady. */
export async function warmUp({ client, target, load, config, plan, signal }: ToWarm): Promise<void> {
  const pool = config.settings.bufferPoolMiB * MIB;
  if (dataBytes(plan.workload) <= POOL_SHARE * pool) await readTables(client, target, signal);
  const most = Math.max(10_000, 10_000 * plan.schedule.warmupSeconds);
  let before = Infinity;
  let reads = await pageReads(client, target, signal);
  for (let spent = 0; spent < most; spent += STRETCH_MS) {
    const { transactions } = await load.slice(
      { warmupMs: 0, durationMs: STRETCH_MS },
      () => undefined,
      signal,
    );
    const after = await pageReads(client, target, signal);
    if (after === undefined || reads === undefined) {
      if (spent + STRETCH_MS >= 1000 * plan.schedule.warmupSeconds) return;
      continue;
    }
    const each = (after - reads) / Math.max(1, transactions);
    if (each < FEW_READS || each > STEADY * before) return;
    [before, reads] = [each, after];
  }
}

/** Undefined if the server doesn't report them. */
async function pageReads(
  client: LoadClient,
  target: LoadTarget,
  signal: AbortSignal,
): Promise<number | undefined> {
  const counters = await readCounters(client, target, signal).catch((error: unknown) => {
    if (error instanceof BenchmarkError && error.code === 'QUERY_FAILED') return undefined;
    throw error;
  });
  return counters?.['Innodb_buffer_pool_reads'];
}

async function readTables(client: LoadClient, target: LoadTarget, signal: AbortSignal): Promise<void> {
  const indexes = await client.query(
    target,
    'SELECT DISTINCT TABLE_NAME, INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()',
    signal,
  );
  for (const [table, index] of indexes) {
    await client.query(
      target,
      `SELECT COUNT(*) FROM \`${String(table)}\` FORCE INDEX (\`${String(index)}\`)`,
      signal,
    );
  }
}
