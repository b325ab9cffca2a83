import { BenchmarkError } from '../../shared/errors.ts';
import type { Scenario, ServerSetup } from '../../shared/model/plan.ts';
import { rowCount } from '../../shared/model/workload.ts';
import { ROW_SEED } from '../dataset/dataset-key.ts';
import { SqlConnection } from '../load/node/connection.ts';
import { describeError } from '../load/node/sql-error.ts';
import { checkStopped } from '../stop.ts';
import { parseDsn, type ExternalTarget } from '../target/external-probe.ts';
import { PATHS } from '../target/paths.ts';
import type { RunningServer, TargetServer } from '../target/target-server.ts';
import type { Bench } from './bench.ts';
import type { Cleanup } from './cleanup.ts';
import { nameOfRun, step, type RunContext } from './context.ts';

/** How every schema of ours begins. */
const PREFIX = 'whalemark_';

/**
 * A server that is not ours: only a schema of our own in it is made, filled, used and dropped. It is never restarted
 * and none of its settings is changed. Rejects with DATASET_FAILED when the schema can't be made or is there already.
 */
export async function makeExternalServer(
  context: RunContext,
  bench: Bench,
  _setup: ServerSetup,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { plan, secrets, budgets, signal } = context;
  const { serverId: id } = scenario;
  const address = parseDsn(secrets.dsn ?? '');
  if ('reason' in address) throw failed(address.reason);
  const database = schemaName(nameOfRun(context), bench.servers.size + 1);
  const target = { ...address, database };

  await step(context, 'init', id, async () => {
    checkStopped(signal);
    const left = await withConnection(address, (connection) =>
      makeSchema(connection, database, address, cleanup),
    );
    if (left.length > 0) {
      context.emit({
        type: 'notice',
        notice: {
          code: 'EXTERNAL_LEFTOVER',
          message: `On the external server there are schemas of other runs: ${left.join(', ')}. If none of them is running, drop them there.`,
        },
      });
    }
  });
  await step(context, 'load', id, async (progress) => {
    const client = bench.clients.here;
    const path = PATHS.external.name;
    await client.check(target, { path, budgetMs: budgets.pathMs, times: 3, signal });
    await client.prepare(target, plan.workload, {
      seed: ROW_SEED,
      onProgress: (fraction) => progress({ fraction, detail: '' }),
      signal,
    });
  });
  const bytes = await withConnection(address, (connection) => schemaBytes(connection, database));
  context.emit({ type: 'dataset-loaded', bytes, rows: rowCount(plan.workload) });
  const { user, password } = address;
  return externalServer(id, address, { user, password, database });
}

/** Name of the schema of a run's `number`th server. */
export function schemaName(runId: string, number: number): string {
  return `${PREFIX}${runId.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}_${number}`;
}

/** Makes the schema, hands its removal to `cleanup`, and tells which others look like ours. */
async function makeSchema(
  connection: SqlConnection,
  database: string,
  address: ExternalTarget,
  cleanup: Cleanup,
): Promise<string[]> {
  const others = (await connection.rows(`SHOW DATABASES LIKE '${PREFIX.replaceAll('_', '\\_')}%'`)).map(
    ([name]) => String(name),
  );
  // Without IF NOT EXISTS: what somebody else made is never used, and never dropped.
  await connection.query(`CREATE DATABASE \`${database}\``);
  cleanup.add('storage', () =>
    withConnection(address, async (own) => {
      await own.query(`DROP DATABASE \`${database}\``);
    }),
  );
  return others;
}

async function schemaBytes(connection: SqlConnection, database: string): Promise<number> {
  const [row] = await connection.rows(
    `SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = '${database}'`,
  );
  return Number(row?.[0] ?? 0);
}

async function withConnection<T>(
  address: ExternalTarget,
  work: (connection: SqlConnection) => Promise<T>,
): Promise<T> {
  let connection: SqlConnection | undefined;
  try {
    connection = await SqlConnection.open({ ...address, database: '' });
    return await work(connection);
  } catch (error) {
    const reason = describeError(error);
    throw failed(address.password === '' ? reason : reason.replaceAll(address.password, '***'));
  } finally {
    await connection?.close();
  }
}

/** Without a cause: what a driver's error holds is not ours to keep. */
function failed(reason: string): BenchmarkError {
  return new BenchmarkError('DATASET_FAILED', { reason });
}

function externalServer(
  id: string,
  { host, port }: ExternalTarget,
  account: TargetServer['account'],
): TargetServer {
  const running: RunningServer = {
    // Its end is only seen by the client.
    failed: new Promise<never>(() => undefined),
    containerId: undefined,
    address: () => ({ host, port }),
    logTail: () => [],
    mounts: () => Promise.resolve(undefined),
    flush: () => Promise.resolve(undefined),
    isAlive: () => Promise.resolve(true),
    stop: () => Promise.resolve(null),
  };
  return {
    id,
    options: [],
    account,
    start: (_phase, signal) => {
      checkStopped(signal);
      return Promise.resolve(running);
    },
  };
}
