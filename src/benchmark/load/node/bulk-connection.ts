import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import mysql, { type Connection } from 'mysql2';
import type { LoadTarget } from '../driver.ts';
import { errorNumber } from './sql-error.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const GOODBYE_MS = 500;
/** How many bytes may wait for the server before no more are made. */
const AHEAD_BYTES = 256 * 1024;

/** Bytes of rows, a part at a time; undefined after the last one. */
export type RowSource = () => Buffer | undefined;

/**
 * A connection for `LOAD DATA LOCAL` alone. Rows are made as fast as the server takes them, so that memory stays bounded:
 * mysql2 by itself would read its source to the end whatever the socket says.
 */
export class BulkConnection {
  readonly #socket: Socket;
  readonly #mysql: Connection;
  #fail: ((error: Error) => void) | undefined;
  #closed: Error | undefined;

  private constructor(target: LoadTarget) {
    this.#socket =
      target.socketPath === undefined
        ? connect(target.port, target.host).setNoDelay(true).setKeepAlive(true)
        : connect(target.socketPath);
    this.#mysql = mysql.createConnection({
      stream: this.#socket,
      ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
      user: target.user,
      password: target.password,
      database: target.database,
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    this.#mysql.on('error', (error) => this.#end(error));
    this.#socket.on('close', () => this.#end(new Error('the connection was closed')));
  }

  /** Connects and logs in. Rejects with the socket's or the server's own error; aborting `signal` ends it at any time. */
  static async open(target: LoadTarget, signal: AbortSignal): Promise<BulkConnection> {
    const connection = new BulkConnection(target);
    const abort = (): void => connection.destroy();
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    connection.#socket.once('close', () => signal.removeEventListener('abort', abort));
    try {
      await connection.#wait((resolve, reject) => {
        connection.#mysql.connect((error) => (error === null ? resolve(undefined) : reject(error)));
      });
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /**
   * Runs one LOAD DATA LOCAL statement with rows from `source`. Resolves with how many rows the server took, or with
   * undefined when it refused the statement before it asked for a single row: LOCAL is switched off on the server, or
   * whatever stands between knows nothing of it. Rejects with any later error, and then the connection is gone.
   */
  async load(sql: string, source: RowSource): Promise<number | undefined> {
    let asked = false;
    try {
      return await this.#wait<number>((resolve, reject) => {
        const infileStreamFactory = (): Readable => {
          asked = true;
          return this.#paced(source);
        };
        this.#mysql.query({ sql, infileStreamFactory }, (error, result: unknown) =>
          error === null ? resolve(rowsIn(result)) : reject(error),
        );
      });
    } catch (error) {
      if (!asked && errorNumber(error) !== undefined) return undefined;
      // The server may still wait for rows.
      this.destroy();
      throw error;
    }
  }

  /** Says goodbye. */
  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    const gone = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#closed ??= new Error('the connection was closed');
    this.#mysql.end();
    const limit = setTimeout(() => this.destroy(), GOODBYE_MS);
    await gone;
    clearTimeout(limit);
  }

  /** Cuts the connection; what is being waited for rejects. */
  destroy(): void {
    this.#mysql.destroy();
    this.#socket.destroy();
    this.#end(new Error('the connection was closed'));
  }

  #paced(source: RowSource): Readable {
    const socket = this.#socket;
    const rows: Readable = new Readable({
      highWaterMark: 1,
      read: () => {
        const go = (): void => {
          try {
            rows.push(source() ?? null);
          } catch (error) {
            rows.destroy(error instanceof Error ? error : new Error(String(error)));
          }
        };
        if (this.#closed !== undefined) return;
        // The kernel may take all at once: without a turn for others, nobody else would be heard until the last row.
        if (socket.writableLength > AHEAD_BYTES) socket.once('drain', go);
        else setImmediate(go);
      },
    });
    return rows;
  }

  #end(error: Error): void {
    this.#closed ??= error;
    this.#fail?.(this.#closed);
  }

  #wait<T>(start: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed !== undefined) {
        reject(this.#closed);
        return;
      }
      this.#fail = reject;
      start(resolve, reject);
    });
  }
}

function rowsIn(result: unknown): number {
  const changed = typeof result === 'object' && result !== null && 'affectedRows' in result;
  return changed ? Number(result.affectedRows) : 0;
}
