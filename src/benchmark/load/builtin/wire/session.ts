import type { LoadTarget } from '../../load-client.ts';
import { SqlConnection, type SqlValue } from '../connection.ts';
import { AnswerReader, type Answer } from './answer-reader.ts';
import { PreparedStatements, preparePacket, queryPacket } from './packets.ts';

export interface Conversation {
  answered(answer: Answer): void;
  lost(error: Error): void;
}

export class WireSession {
  readonly #connection: SqlConnection;
  readonly #reader: AnswerReader;
  readonly #statements = new PreparedStatements();
  readonly #write: (packet: Buffer) => void;
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

  static async open(target: LoadTarget, options: { signal: AbortSignal }): Promise<WireSession> {
    return new WireSession(await SqlConnection.open(target, options));
  }

  talk(conversation: Conversation): void {
    this.#talking = conversation;
    if (this.#lost !== undefined) conversation.lost(this.#lost);
  }

  prepare(sql: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.talk({
        answered: ({ error, statementId }) => {
          if (error === undefined) resolve(this.#statements.add(statementId));
          else reject(error);
        },
        lost: reject,
      });
      this.#send(preparePacket(sql), 'prepare');
    });
  }

  execute(statement: number, values: readonly SqlValue[]): void {
    this.#send(this.#statements.packet(statement, values));
  }

  query(sql: string): void {
    this.#send(queryPacket(sql));
  }

  /** Blocks as `SqlConnection.block` does. */
  block(): { socket: number; statements: PreparedStatements } | undefined {
    const socket = this.#connection.block();
    return socket === undefined ? undefined : { socket, statements: this.#statements };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

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
