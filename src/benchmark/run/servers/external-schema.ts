import { isOwnerAlive } from '../../machine/owner.ts';
import type { SqlConnection } from '../../load/node/connection.ts';
import { describeError, errorNumber } from '../../load/node/sql-error.ts';

/** How every schema of ours begins. */
const PREFIX = 'whalemark_';
/** The names that `schemaName` makes. Nothing else is ever put between backticks. */
const OWN_NAME = /^whalemark_[a-z0-9_]{1,50}_\d{1,4}$/;
/** The table that says whose a schema is. What has none is never dropped, whatever it is called. */
export const MARK_TABLE = 'whalemark_mark';

/** Whose schema it is; read back before it is dropped. */
export interface SchemaMark {
  owner: string;
  runId: string;
}

/** Name of the schema of a run's `number`th server. */
export function schemaName(runId: string, number: number): string {
  return `${PREFIX}${runId.replace(/[^a-z0-9]+/gi, '_').toLowerCase()}_${number}`;
}

/** The schema between backticks. Throws for a name that is not one of ours. */
function quoted(database: string): string {
  if (!OWN_NAME.test(database)) throw new Error('not a schema of ours');
  return `\`${database}\``;
}

/** Makes a schema and marks it. Rejects when it is there already: what somebody else made is never used. */
export async function makeSchema(
  connection: SqlConnection,
  database: string,
  mark: SchemaMark,
): Promise<void> {
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
    // We made it a moment ago, and nobody else knows its name.
    await connection.query(`DROP DATABASE ${name}`).catch(() => undefined);
    throw error;
  }
}

/** Drops a schema that carries exactly this mark. False when it carries another, or none; then it is left as it is. */
export async function dropSchema(
  connection: SqlConnection,
  database: string,
  mark: SchemaMark,
): Promise<boolean> {
  const found = await readMark(connection, database);
  if (found?.owner !== mark.owner || found.runId !== mark.runId) return false;
  await connection.query(`DROP DATABASE ${quoted(database)}`);
  return true;
}

/**
 * Drops the schemas that dead runs of this machine left, by their marks. `kept`: others that are called like ours, without
 * those of living runs.
 */
export async function sweepSchemas(
  connection: SqlConnection,
): Promise<{ dropped: string[]; kept: { name: string; reason: string | undefined }[] }> {
  const rows = await connection.rows(`SHOW DATABASES LIKE '${PREFIX.replaceAll('_', '\\_')}%'`);
  const dropped: string[] = [];
  const kept: { name: string; reason: string | undefined }[] = [];
  for (const name of rows.map(([cell]) => String(cell))) {
    try {
      const mark = OWN_NAME.test(name) ? await readMark(connection, name) : undefined;
      const owner = mark === undefined ? 'unknown' : isOwnerAlive(mark.owner);
      if (owner === 'alive') continue;
      if (mark !== undefined && owner === 'dead' && (await dropSchema(connection, name, mark)))
        dropped.push(name);
      else kept.push({ name, reason: undefined });
    } catch (error) {
      kept.push({ name, reason: describeError(error) });
    }
  }
  return { dropped, kept };
}

/** Size of a schema's tables, bytes; without the mark. */
export async function schemaBytes(connection: SqlConnection, database: string): Promise<number> {
  const [row] = await connection.rows(
    `SELECT COALESCE(SUM(data_length + index_length), 0) FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name <> '${MARK_TABLE}'`,
  );
  return Number(row?.[0] ?? 0);
}

/** Undefined when there is no mark, or not exactly one. Rejects with the server's error. */
async function readMark(connection: SqlConnection, database: string): Promise<SchemaMark | undefined> {
  try {
    const rows = await connection.rows(`SELECT owner, run_id FROM ${quoted(database)}.${MARK_TABLE}`);
    const [row] = rows;
    if (rows.length !== 1 || row === undefined) return undefined;
    return { owner: String(row[0]), runId: String(row[1]) };
  } catch (error) {
    // No such table, no such schema, no right to look.
    if ([1146, 1049, 1142, 1044].includes(errorNumber(error) ?? 0)) return undefined;
    throw error;
  }
}

/** Text for a statement; ours hold nothing that would need to be escaped. */
function literal(text: string): string {
  if (!/^[\w.-]*$/.test(text)) throw new Error('not a text of ours');
  return `'${text}'`;
}
