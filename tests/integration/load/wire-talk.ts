import type { LoadTarget } from '../../../src/benchmark/load/load-client.ts';
import type { SqlValue } from '../../../src/benchmark/load/builtin/connection.ts';
import type { Answer } from '../../../src/benchmark/load/builtin/wire/answer-reader.ts';
import { WireSession, type Conversation } from '../../../src/benchmark/load/builtin/wire/session.ts';

/** A copy of an answer. */
export type Told = Pick<Answer, 'error' | 'hasRows' | 'rows' | 'affectedRows'>;

/** A session with promises for its answers. Errors that no promise waits for are kept. */
export class Talk implements Conversation {
  readonly session: WireSession;
  /** Every call of `lost`. */
  readonly lostWith: Error[] = [];
  /** Resolves when the connection is lost. */
  readonly lostSoon: Promise<Error>;
  #tellLost: (error: Error) => void = () => undefined;
  #waiting: { resolve: (told: Told) => void; reject: (error: Error) => void } | undefined;

  private constructor(session: WireSession) {
    this.session = session;
    this.lostSoon = new Promise((resolve) => {
      this.#tellLost = resolve;
    });
    session.talk(this);
  }

  static async open(target: LoadTarget, signal = new AbortController().signal): Promise<Talk> {
    return new Talk(await WireSession.open(target, { signal }));
  }

  answered({ error, hasRows, rows, affectedRows }: Answer): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) throw new Error('an answer to nothing');
    waiting.resolve({ error, hasRows, rows, affectedRows });
  }

  lost(error: Error): void {
    this.lostWith.push(error);
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    this.#tellLost(error);
  }

  async prepare(sql: string): Promise<number> {
    const statement = await this.session.prepare(sql);
    this.session.talk(this);
    return statement;
  }

  query(sql: string): Promise<Told> {
    return this.#ask(() => this.session.query(sql));
  }

  execute(statement: number, values: SqlValue[] = []): Promise<Told> {
    return this.#ask(() => this.session.execute(statement, values));
  }

  /** Runs a statement as text, which must not fail. */
  async run(sql: string): Promise<Told> {
    const told = await this.query(sql);
    if (told.error !== undefined) throw told.error;
    return told;
  }

  #ask(send: () => void): Promise<Told> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      send();
    });
  }
}
