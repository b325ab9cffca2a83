import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Scenario, ServerSetup } from '../../../shared/model/plan.ts';
import { rowCount } from '../../../shared/model/workload.ts';
import { ownOwner } from '../../machine/owner.ts';
import { ROW_SEED } from '../../dataset/dataset-key.ts';
import { SqlConnection } from '../../load/node/connection.ts';
import { describeError } from '../../load/node/sql-error.ts';
import { checkStopped } from '../../stop.ts';
import { parseDsn, type ExternalTarget } from '../../target/external-probe.ts';
import type { RunningServer, TargetServer } from '../../target/target-server.ts';
import type { Environment } from '../environment.ts';
import type { Cleanup } from '../cleanup.ts';
import { nameOfRun, step, type RunContext } from '../context.ts';
import {
  dropSchema,
  makeSchema,
  schemaBytes,
  schemaName,
  sweepSchemas,
  type SchemaMark,
} from './external-schema.ts';
import { ENGLISH } from '../../../shared/words/i18n.ts';
import { pathText } from '../../../shared/words/labels.ts';

/**
 * A server that is not ours: only a schema of our own in it is made, filled, used and dropped. It is never restarted
 * and none of its settings is changed. What dead runs of this machine left there is dropped by its mark. Rejects with
 * DATASET_FAILED when the schema can't be made or is there already.
 */
export async function makeExternalServer(
  context: RunContext,
  environment: Environment,
  _setup: ServerSetup,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { plan, secrets, budgets, signal } = context;
  const { serverId: id } = scenario;
  const address = parseDsn(secrets.dsn ?? '');
  if ('reason' in address) throw failed(address.reason);
  const database = schemaName(nameOfRun(context), environment.servers.size + 1);
  const target = { ...address, database };
  const mark = { owner: ownOwner(), runId: context.runId };

  await step(context, 'init', id, async () => {
    checkStopped(signal);
    const { kept } = await withConnection(address, async (connection) => {
      const swept = await sweepSchemas(connection);
      await makeSchema(connection, database, mark);
      return swept;
    });
    cleanup.add('storage', () => dropOwnSchema(address, database, mark));
    if (kept.length > 0) {
      const left = kept.map(({ name, reason }) => (reason === undefined ? name : `${name} (${reason})`));
      context.emit({
        type: 'notice',
        notice: {
          code: 'EXTERNAL_LEFTOVER',
          message: msg('notice.otherSchemas', { schemas: left.join(', ') }),
        },
      });
    }
  });
  await step(context, 'load', id, async (progress) => {
    const client = environment.clients.here;
    const path = pathText('external', ENGLISH);
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

async function dropOwnSchema(address: ExternalTarget, database: string, mark: SchemaMark): Promise<void> {
  const dropped = await withConnection(address, (own) => dropSchema(own, database, mark));
  if (!dropped) throw failed(`the schema ${database} no longer carries its mark and was left`);
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
function failed(reason: Said): BenchmarkError {
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
