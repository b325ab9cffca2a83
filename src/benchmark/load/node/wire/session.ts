import type { LoadTarget } from '../../driver.ts';
import { SqlConnection, type SqlValue } from '../connection.ts';
import { AnswerReader, type Answer } from './answer-reader.ts';
import { ExecutePacket, preparePacket, queryPacket } from './packets.ts';

/** Who runs statements on a session: one at a time, each is answered once. */
export interface Conversation {
  /** The statement was answered; the next one may be sent at once. */
  answered(answer: Answer): void;
  /** There will be no more answers. */
  lost(error: Error): void;
}

/**
 * A connection for statements whose results only matter as numbers: mysql2 connects and logs in, then prebuilt packets
 * are written to its socket and answers are counted as they arrive, without a promise or an object for any of them.
 */
export class WireSession {
  readonly #connection: SqlConnection;
  readonly #reader: AnswerReader;
  readonly #execute = new ExecutePacket();
  readonly #write: (packet: Buffer) => void;
  /** By the number that `prepare` gave out: the server's number, and whether it knows the types of the values. */
  readonly #statements: number[] = [];
  readonly #typed: boolean[] = [];
  #talking: Conversation | undefined;
  #lost: Error | undefined;

  private constructor(connection: SqlConnection) {
    this.#connection = connection;
    this.#reader = new AnswerReader(() => this.#talking?.answered(this.#reader));
    this.#write = connection.takeOver({
      data: (bytes, length) => {
        try {
          this.#reader.feed(bytes, length);
        } catch (error) {
          this.#fail(error instanceof Error ? error : new Error(String(error)));
          connection.destroy();
        }
      },
      lost: (error) => this.#fail(error),
    });
  }

  /** Connects and logs in; see `SqlConnection.open`. */
  static async open(target: LoadTarget, options: { signal: AbortSignal }): Promise<WireSession> {
    return new WireSession(await SqlConnection.open(target, options));
  }

  /** Whose statements are answered from now on. */
  talk(conversation: Conversation): void {
    this.#talking = conversation;
    if (this.#lost !== undefined) conversation.lost(this.#lost);
  }

  /** Prepares a statement on the server, before anybody talks; resolves with its number here. */
  prepare(sql: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.talk({
        answered: ({ error, statementId }) => {
          if (error === undefined) resolve(this.#statements.push(statementId) - 1);
          else reject(error);
        },
        lost: reject,
      });
      this.#send(preparePacket(sql), 'prepare');
    });
  }

  /** Runs a prepared statement. */
  execute(statement: number, values: readonly SqlValue[]): void {
    const id = this.#statements[statement];
    if (id === undefined) throw new Error(`statement ${statement} was not prepared`);
    const withTypes = this.#typed[statement] !== true;
    if (withTypes) this.#typed[statement] = true;
    this.#send(this.#execute.fill(id, values, withTypes));
  }

  /** Runs a statement as text. */
  query(sql: string): void {
    this.#send(queryPacket(sql));
  }

  /** Says goodbye; see `SqlConnection.close`. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Cuts the connection; whoever waits for an answer hears that it is lost. */
  destroy(): void {
    this.#connection.destroy();
  }

  #send(packet: Buffer, command: 'statement' | 'prepare' = 'statement'): void {
    this.#reader.begin(command);
    this.#write(packet);
  }

  #fail(error: Error): void {
    if (this.#lost !== undefined) return;
    this.#lost = error;
    this.#talking?.lost(error);
  }
}
