import { msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError } from '../../../shared/errors.ts';
import type { Scenario, ServerConfig } from '../../../shared/model/plan.ts';
import { rowCount } from '../../../shared/model/workload.ts';
import { isOwnerAlive, ownOwner } from '../../host/owner.ts';
import { ROW_SEED } from '../dataset/dataset.ts';
import { SqlConnection } from '../../load/builtin/connection.ts';
import { describeError } from '../../load/builtin/sql-error.ts';
import { errorNumber } from '../../load/builtin/server-errors.ts';
import { checkStopped } from '../../stop.ts';
import { parseDsn, type ExternalTarget } from '../external-probe.ts';
import type { RunningServer, TargetServer } from '../target-server.ts';
import type { Environment } from '../../run/environment.ts';
import type { Cleanup } from '../../run/cleanup.ts';
import { nameOfRun, step, type RunContext } from '../../run/context.ts';
import { pathName } from '../../../shared/words/labels.ts';

/**
 * A server of the user's: only Whalemark's schema in it is created, filled, and dropped. Drops schemas of
 * interrupted runs by their marks. Rejects with DATASET_FAILED if the schema exists or can't be created.
 */
export async function makeExternalServer(
  context: RunContext,
  environment: Environment,
  _setup: ServerConfig,
  scenario: Scenario,
  cleanup: Cleanup,
): Promise<TargetServer> {
  const { plan, secrets, budgets, signal } = context;
  const { serverId: id } = scenario;
  const address = parseDsn(secrets.dsn ?? '');
  if ('reason' in address) throw failed(address.reason);
  const database = schemaName(nameOfRun(context), environment.nextNumber());
  const target = { ...address, database };
  const mark = { owner: ownOwner(), runId: context.runId };

  await step(context, 'init', id, async () => {
    checkStopped(signal);
    const { others: others } = await withConnection(address, async (connection) => {
      const swept = await sweepSchemas(connection);
      await makeSchema(connection, database, mark);
      return swept;
    });
    cleanup.add('storage', () => dropOwnSchema(address, database, mark));
    if (others.length > 0) {
      const left = others.map(({ name, reason }) => (reason === undefined ? name : `${name} (${reason})`));
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
    const client = environment.clients.onHost();
    const path = pathName('external');
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
  if (!dropped) throw failed(msg('external.schemaUnmarked', { name: database }));
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

/** Without a cause, which may contain private values. */
function failed(reason: Said): BenchmarkError {
  return new BenchmarkError('DATASET_FAILED', { reason });
}

function externalServer(
  id: string,
  { host, port }: ExternalTarget,
  account: TargetServer['account'],
): TargetServer {
  const running: RunningServer = {
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
    halt: () => Promise.resolve(),
  };
}

const PREFIX = 'whalemark_';
/** What `schemaName` makes; nothing else is ever put between backticks. */
const OWN_NAME = /^whalemark_[a-z0-9_]{1,50}_\d{1,4}$/;
/** Says whose a schema is; unmarked schemas are never dropped. */
export const MARK_TABLE = 'whalemark_mark';

interface SchemaMark {
  owner: string;
  runId: string;
}

export function schemaName(runId: string, number: number): string {
  return `${PREFIX}${runId.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}_${number}`;
}

function quoted(database: string): string {
  if (!OWN_NAME.test(database)) throw new Error('not a schema of ours');
  return `\`${database}\``;
}

async function makeSchema(connection: SqlConnection, database: string, mark: SchemaMark): Promise<void> {
  const name = quoted(database);
  await connection.query(`CREATE DATABASE ${name}`);
  try {
    await connection.query(
      `CREATE TABLE ${name}.${MARK_TABLE} (owner VARCHAR(200) NOT NULL, run_id VARCHAR(200) NOT NULL)`,
    );
    await connection.query(
      `INSERT INTO ${name}.${MARK_TABLE} VALUES (${literal(mark.owner)}, ${literal(mark.runId)})`,
    );
  } catch (error) {
    await connection.query(`DROP DATABASE ${name}`).catch(() => undefined);
    throw error;
  }
}

async function dropSchema(connection: SqlConnection, database: string, mark: SchemaMark): Promise<boolean> {
  const found = await readMark(connection, database);
  if (found?.owner !== mark.owner || found.runId !== mark.runId) return false;
  await connection.query(`DROP DATABASE ${quoted(database)}`);
  return true;
}

/** By their marks. `kept`: others with names like Whalemark's, without those of live runs. */
async function sweepSchemas(
  connection: SqlConnection,
): Promise<{ dropped: string[]; others: { name: string; reason: string | undefined }[] }> {
  const rows = await connection.rows(`SHOW DATABASES LIKE '${PREFIX.replaceAll('_', '\\_')}%'`);
  const dropped: string[] = [];
  const others: { name: string; reason: string | undefined }[] = [];
  for (const name of rows.map(([cell]) => String(cell))) {
    try {
      const mark = OWN_NAME.test(name) ? await readMark(connection, name) : undefined;
      const owner = mark === undefined ? 'unknown' : isOwnerAlive(mark.owner);
      if (owner === 'alive') continue;
      if (mark !== undefined && owner === 'dead' && (await dropSchema(connection, name, mark)))
        dropped.push(name);
      else others.push({ name, reason: undefined });
    } catch (error) {
      others.push({ name, reason: describeError(error) });
    }
  }
  return { dropped, others: others };
}

async function schemaBytes(connection: SqlConnection, database: string): Promise<number> {
  const [row] = await connection.rows(
    `SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name <> '${MARK_TABLE}'`,
  );
  return Number(row?.[0] ?? 0);
}

async function readMark(connection: SqlConnection, database: string): Promise<SchemaMark | undefined> {
  try {
    const rows = await connection.rows(`SELECT owner, run_id FROM ${quoted(database)}.${MARK_TABLE}`);
    const [row] = rows;
    if (rows.length !== 1 || row === undefined) return undefined;
    return { owner: String(row[0]), runId: String(row[1]) };
  } catch (error) {
    // No such table, no such schema, no right to read.
    if ([1146, 1049, 1142, 1044].includes(errorNumber(error) ?? 0)) return undefined;
    throw error;
  }
}

function literal(text: string): string {
  if (!/^[\w.-]*$/.test(text)) throw new Error('not a text of ours');
  return `'${text}'`;
}
