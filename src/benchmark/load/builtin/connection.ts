import mysql, { type Connection, type PrepareStatementInfo } from 'mysql2';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { LoadTarget } from '../load-client.ts';
import { errorNumber } from './server-errors.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const GOODBYE_MS = 500;

export type SqlValue = number | string;
export interface SqlAnswer {
  hasRows: boolean;
  rows: unknown[][];
  affectedRows: number;
}
export type PreparedStatement = (values: SqlValue[]) => Promise<SqlAnswer>;

interface WireListener {
  /** `bytes` are valid until the next call. */
  data(bytes: Uint8Array, length: number): void;
  lost(error: Error): void;
}

/** A socket passes its bytes on before the next one reads. */
const arrived = Buffer.allocUnsafeSlow(64 * 1024);

/** mysql2's own socket would half-close and wait for a hanging server forever. */
export class SqlConnection {
  readonly #socket: Socket;
  readonly #mysql: Connection;
  #fail: ((error: Error) => void) | undefined;
  #closed: Error | undefined;
  #taken: WireListener | undefined;
  #forgetSignal = (): void => undefined;

  private constructor(target: LoadTarget) {
    const onread = {
      buffer: arrived,
      callback: (length: number): boolean => {
        if (this.#taken === undefined) this.#socket.emit('data', Buffer.from(arrived.subarray(0, length)));
        else this.#taken.data(arrived, length);
        return true;
      },
    };
    this.#socket =
      target.socketPath === undefined
        ? connect({ port: target.port, host: target.host, onread }).setNoDelay(true).setKeepAlive(true)
        : connect({ path: target.socketPath, onread });
    this.#mysql = mysql.createConnection({
      stream: this.#socket,
      // mysql2 sends clear-text passwords only with a `socketPath`.
      ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
      user: target.user,
      password: target.password,
      database: target.database,
      connectTimeout: CONNECT_TIMEOUT_MS,
      rowsAsArray: true,
      // sysbench leaves out FOUND_ROWS, too, which counts matched rows.
      flags: ['-FOUND_ROWS', '-CLIENT_QUERY_ATTRIBUTES', '-SESSION_TRACK'],
    });
    this.#mysql.on('error', (error) => (this.#closed ??= error));
    this.#socket.once('close', () => this.#taken?.lost((this.#closed ??= new ConnectionClosed())));
  }

  static async open(target: LoadTarget, { signal }: { signal?: AbortSignal } = {}): Promise<SqlConnection> {
    const connection = new SqlConnection(target);
    const abort = (): void => connection.destroy();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    connection.#forgetSignal = () => signal?.removeEventListener('abort', abort);
    connection.#socket.once('close', connection.#forgetSignal);
    try {
      await connection.#wait<undefined>((resolve, reject) => {
        connection.#mysql.connect((error) => (error === null ? resolve(undefined) : reject(error)));
      });
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  query(sql: string): Promise<SqlAnswer> {
    return this.#wait<SqlAnswer>((resolve, reject) => {
      this.#mysql.query(sql, (error, result: unknown) =>
        error === null ? resolve(answerOf(result)) : reject(error),
      );
    });
  }

  async rows(sql: string): Promise<unknown[][]> {
    return (await this.query(sql)).rows;
  }

  async prepare(sql: string): Promise<PreparedStatement> {
    const statement = await this.#wait<PrepareStatementInfo>((resolve, reject) => {
      this.#mysql.prepare(sql, (error, prepared) => (error === null ? resolve(prepared) : reject(error)));
    });
    return (values) =>
      this.#wait<SqlAnswer>((resolve, reject) => {
        statement.execute(values.map(typed), (error, result: unknown) =>
          error === null ? resolve(answerOf(result)) : reject(error),
        );
      });
  }

  /** Undefined if the server refuses LOCAL. */
  async load(sql: string, source: RowSource): Promise<number | undefined> {
    let isAsked = false;
    try {
      const { affectedRows } = await this.#wait<SqlAnswer>((resolve, reject) => {
        const infileStreamFactory = (): Readable => {
          isAsked = true;
          return pacedRows(this.#socket, source);
        };
        this.#mysql.query({ sql, infileStreamFactory }, (error, result: unknown) =>
          error === null ? resolve(answerOf(result)) : reject(error),
        );
      });
      return affectedRows;
    } catch (error) {
      if (!isAsked && errorNumber(error) !== undefined) return undefined;
      this.destroy();
      throw error;
    }
  }

  /** mysql2 gets no bytes after this. */
  takeOver(listener: WireListener): (packet: Buffer) => void {
    this.#taken = listener;
    if (this.#closed !== undefined) listener.lost(this.#closed);
    return (packet) => {
      if (this.#closed === undefined) this.#socket.write(packet);
    };
  }

  /** Undefined if the socket can't block. Only `destroy` may follow. */
  block(): number | undefined {
    this.#taken = { data: () => undefined, lost: () => undefined };
    this.#forgetSignal();
    this.#socket.pause();
    const handle: unknown = Reflect.get(this.#socket, '_handle');
    if (!isBlockable(handle) || handle.fd < 0 || handle.setBlocking(true) !== 0) return undefined;
    return handle.fd;
  }

  /** A goodbye frees the server's connection at once. */
  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    const gone = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#closed ??= new ConnectionClosed();
    this.#mysql.end();
    const limit = setTimeout(() => this.destroy(), GOODBYE_MS);
    await gone;
    clearTimeout(limit);
  }

  destroy(): void {
    this.#closed ??= new ConnectionClosed();
    this.#mysql.destroy();
    this.#socket.destroy();
    this.#fail?.(this.#closed);
    this.#taken?.lost(this.#closed);
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

/** uv_stream_set_blocking, which Node doesn't document, fails for sockets on Windows. */
interface Blockable {
  fd: number;
  setBlocking(isBlocking: boolean): number;
}

function isBlockable(handle: unknown): handle is Blockable {
  return (
    typeof handle === 'object' &&
    handle !== null &&
    'fd' in handle &&
    typeof handle.fd === 'number' &&
    'setBlocking' in handle &&
    typeof handle.setBlocking === 'function'
  );
}

class ConnectionClosed extends Error {
  constructor() {
    super('the connection was closed');
    this.name = 'ConnectionClosed';
  }
}

/** mysql2 sends numbers as DOUBLE unless the server names a type; MariaDB names none. */
function typed(value: SqlValue): unknown {
  return typeof value === 'number' ? mysql.TypedParameter.LONG(value) : value;
}

function answerOf(result: unknown): SqlAnswer {
  if (Array.isArray(result)) return { hasRows: true, rows: result as unknown[][], affectedRows: 0 };
  const changed = typeof result === 'object' && result !== null && 'affectedRows' in result;
  return { hasRows: false, rows: [], affectedRows: changed ? Number(result.affectedRows) : 0 };
}

const AHEAD_BYTES = 256 * 1024;

type RowSource = () => Buffer | undefined;

/** mysql2 alone would read all rows into memory. */
function pacedRows(socket: Socket, source: RowSource): Readable {
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
      if (socket.destroyed) return;
      if (socket.writableLength > AHEAD_BYTES) socket.once('drain', go);
      else setImmediate(go);
    },
  });
  return rows;
}
