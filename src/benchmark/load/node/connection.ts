import mysql, { type Connection, type PrepareStatementInfo } from 'mysql2';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { LoadTarget } from '../driver.ts';
import { errorNumber } from './sql-error.ts';

/** How long a TCP connection and its login may take, ms. */
const CONNECT_TIMEOUT_MS = 10_000;
const GOODBYE_MS = 500;

export type SqlValue = number | string;
/** What a statement gave back. */
export interface SqlAnswer {
  /** A result set came; `rows` may still be empty. */
  hasRows: boolean;
  rows: unknown[][];
  affectedRows: number;
}
/** Runs a prepared statement. */
export type PreparedStatement = (values: SqlValue[]) => Promise<SqlAnswer>;

/** What arrives on a connection that was taken over. */
export interface WireListener {
  /** The first `length` bytes; they are overwritten by what comes next. */
  data(bytes: Uint8Array, length: number): void;
  /** Nothing more will arrive. May be called again. */
  lost(error: Error): void;
}

/** All sockets of a thread read into these bytes: each hands them on before the next one reads. */
const arrived = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * One connection to a server, one statement at a time. The socket is our own: mysql2 only half-closes its socket
 * and then never answers the statement that was running, so that a server that hangs would hold us for ever.
 */
export class SqlConnection {
  readonly #socket: Socket;
  readonly #mysql: Connection;
  /** Rejects what is being waited for. */
  #fail: ((error: Error) => void) | undefined;
  /** Why nothing more can be sent. */
  #closed: Error | undefined;
  /** Who gets what arrives instead of mysql2. */
  #taken: WireListener | undefined;

  private constructor(target: LoadTarget, timeoutMs: number) {
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
      // Not to connect with: over a unix socket the server takes the password as it is, and mysql2 must know.
      ...(target.socketPath === undefined ? {} : { socketPath: target.socketPath }),
      user: target.user,
      password: target.password,
      database: target.database,
      connectTimeout: timeoutMs,
      rowsAsArray: true,
      // FOUND_ROWS would count rows that were matched, not changed; sysbench doesn't ask for it either. Query attributes
      // change the layout of what is sent, session tracking adds to every answer, and nobody here uses them.
      flags: ['-FOUND_ROWS', '-CLIENT_QUERY_ATTRIBUTES', '-SESSION_TRACK'],
    });
    // Errors between two statements belong to nobody; the next statement meets them.
    this.#mysql.on('error', (error) => (this.#closed ??= error));
    this.#socket.once('close', () => this.#taken?.lost((this.#closed ??= new ConnectionClosed())));
  }

  /**
   * Connects and logs in. Rejects with the socket's or the server's own error. Aborting `signal` ends the connection
   * at any time, what is being waited for included.
   */
  static async open(
    target: LoadTarget,
    options: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<SqlConnection> {
    const { signal } = options;
    const connection = new SqlConnection(target, options.timeoutMs ?? CONNECT_TIMEOUT_MS);
    const abort = (): void => connection.destroy();
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    connection.#socket.once('close', () => signal?.removeEventListener('abort', abort));
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

  /** Runs a statement as text. Rejects with the server's error. */
  query(sql: string): Promise<SqlAnswer> {
    return this.#wait<SqlAnswer>((resolve, reject) => {
      this.#mysql.query(sql, (error, result: unknown) =>
        error === null ? resolve(answerOf(result)) : reject(error),
      );
    });
  }

  /** The rows of a statement run as text; none when it has no result set. */
  async rows(sql: string): Promise<unknown[][]> {
    return (await this.query(sql)).rows;
  }

  /** Prepares a statement on the server. */
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

  /**
   * Runs one LOAD DATA LOCAL statement with rows from `source`. Resolves with how many rows the server took, or with
   * undefined when it refused the statement before it asked for a single row: LOCAL is switched off on the server, or
   * whatever stands between knows nothing of it. Rejects with any later error, and then the connection is gone.
   */
  async load(sql: string, source: RowSource): Promise<number | undefined> {
    let asked = false;
    try {
      const { affectedRows } = await this.#wait<SqlAnswer>((resolve, reject) => {
        const infileStreamFactory = (): Readable => {
          asked = true;
          return pacedRows(this.#socket, source);
        };
        this.#mysql.query({ sql, infileStreamFactory }, (error, result: unknown) =>
          error === null ? resolve(answerOf(result)) : reject(error),
        );
      });
      return affectedRows;
    } catch (error) {
      if (!asked && errorNumber(error) !== undefined) return undefined;
      // The server may still wait for rows.
      this.destroy();
      throw error;
    }
  }

  /**
   * Takes the connection out of mysql2's hands, which has logged in and will say goodbye: what arrives goes to
   * `listener`, and the function that is returned sends. Nothing else may be asked of the connection any more.
   */
  takeOver(listener: WireListener): (packet: Buffer) => void {
    this.#taken = listener;
    if (this.#closed !== undefined) listener.lost(this.#closed);
    return (packet) => {
      // An answer may still arrive after our goodbye, and whoever gets it goes on.
      if (this.#closed === undefined) this.#socket.write(packet);
    };
  }

  /** Says goodbye after the statement that is running, so that the server frees the connection at once. */
  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    const gone = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#closed ??= new ConnectionClosed();
    this.#mysql.end();
    const limit = setTimeout(() => this.destroy(), GOODBYE_MS);
    await gone;
    clearTimeout(limit);
  }

  /** Cuts the connection; what is being waited for rejects. */
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

/** We closed the connection ourselves. */
class ConnectionClosed extends Error {
  constructor() {
    super('the connection was closed');
    this.name = 'ConnectionClosed';
  }
}

/** mysql2 sends numbers as DOUBLE unless the server says what it expects, which MariaDB doesn't; the columns are INT. */
function typed(value: SqlValue): unknown {
  return typeof value === 'number' ? mysql.TypedParameter.LONG(value) : value;
}

function answerOf(result: unknown): SqlAnswer {
  if (Array.isArray(result)) return { hasRows: true, rows: result as unknown[][], affectedRows: 0 };
  const changed = typeof result === 'object' && result !== null && 'affectedRows' in result;
  return { hasRows: false, rows: [], affectedRows: changed ? Number(result.affectedRows) : 0 };
}

/** How many bytes may wait for the server before no more are made. */
const AHEAD_BYTES = 256 * 1024;

/** Bytes of rows, a part at a time; undefined after the last one. */
type RowSource = () => Buffer | undefined;

/**
 * What LOAD DATA LOCAL reads. Rows are made as fast as the server takes them, so that memory stays bounded: mysql2 by
 * itself would read its source to the end whatever the socket says.
 */
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
      // The kernel may take all at once: without a turn for others, nobody else would be heard until the last row.
      if (socket.writableLength > AHEAD_BYTES) socket.once('drain', go);
      else setImmediate(go);
    },
  });
  return rows;
}
