import type { PreparedStatement, SqlAnswer, SqlConnection, SqlValue } from '../connection.ts';
import { countAnswer, type Counts } from '../windows.ts';

/** What a terminal needs of a connection; tests play it. */
export type TpccSession = Pick<SqlConnection, 'prepare' | 'query' | 'close' | 'destroy'>;

/** What one transaction sends; tests play it. Every statement was prepared before; it is named by its text. */
export interface Transaction {
  /** The rows of a query. */
  rows(sql: string, ...values: SqlValue[]): Promise<unknown[][]>;
  /** The first row of a query that can't be without one. */
  row(sql: string, ...values: SqlValue[]): Promise<unknown[]>;
  change(sql: string, ...values: SqlValue[]): Promise<void>;
}

/** The prepared statements of one connection. */
export class TpccStatements {
  readonly #session: TpccSession;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(session: TpccSession) {
    this.#session = session;
  }

  /** Rejects with the server's error. */
  async prepare(texts: readonly string[]): Promise<void> {
    for (const sql of texts) this.#prepared.set(sql, await this.#session.prepare(sql));
  }

  /** BEGIN, COMMIT or ROLLBACK: MySQL can't prepare BEGIN (error 1295). */
  async control(text: 'BEGIN' | 'COMMIT' | 'ROLLBACK', counts: Counts): Promise<void> {
    countAnswer(counts, await this.#session.query(text));
  }

  /** What the statements of one transaction are sent with; they are counted into `counts`. */
  transaction(counts: Counts): Transaction {
    const send = async (sql: string, values: SqlValue[]): Promise<SqlAnswer> => {
      const statement = this.#prepared.get(sql);
      if (statement === undefined) throw new Error(`not prepared: ${sql}`);
      const answer = await statement(values);
      countAnswer(counts, answer);
      return answer;
    };
    const rows = async (sql: string, values: SqlValue[]): Promise<unknown[][]> =>
      (await send(sql, values)).rows;
    return {
      rows: (sql, ...values) => rows(sql, values),
      row: async (sql, ...values) => {
        const [first] = await rows(sql, values);
        if (first === undefined) throw new Error(`no row for (${values.join(', ')}): ${sql}`);
        return first;
      },
      change: async (sql, ...values) => {
        await send(sql, values);
      },
    };
  }
}
