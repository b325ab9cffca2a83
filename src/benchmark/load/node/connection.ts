import { createConnection, type Connection, type ConnectionOptions } from 'mysql2';
import type { LoadTarget } from '../driver.ts';

/** How long a TCP connection and its login may take, ms. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** Options for every connection of the load; nothing is parsed beyond what counting needs. */
export function connectionOptions(target: LoadTarget): ConnectionOptions {
  return {
    host: target.host,
    port: target.port,
    user: target.user,
    password: target.password,
    database: target.database,
    connectTimeout: CONNECT_TIMEOUT_MS,
    rowsAsArray: true,
    // Default prepared-statement caches would evict what we hold ourselves.
    maxPreparedStatements: 16_000,
  };
}

/** An open, authenticated connection. Rejects with mysql2's own error. */
export function openConnection(target: LoadTarget, timeoutMs = CONNECT_TIMEOUT_MS): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection = createConnection({ ...connectionOptions(target), connectTimeout: timeoutMs });
    // After the first answer errors surface in the callback of the statement they break.
    connection.on('error', () => undefined);
    connection.connect((error) => {
      if (error === null) resolve(connection);
      else {
        connection.destroy();
        reject(error);
      }
    });
  });
}

/** The rows of a text query. */
export function query(connection: Connection, sql: string, values: unknown[] = []): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, rows: unknown) => {
      if (error === null) resolve(Array.isArray(rows) ? rows : []);
      else reject(error);
    });
  });
}

/** Number and text of a server's error, as far as they are known. */
export function serverError(error: unknown): { code: string; number: number | undefined; message: string } {
  const fields = typeof error === 'object' && error !== null ? error : {};
  const number = 'errno' in fields && typeof fields.errno === 'number' ? fields.errno : undefined;
  const code = 'code' in fields && typeof fields.code === 'string' ? fields.code : '';
  const message = error instanceof Error ? error.message : String(error);
  return { code, number, message: message === '' ? code : message };
}
