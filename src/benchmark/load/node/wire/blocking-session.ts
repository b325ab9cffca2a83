import { readSync, writeSync } from 'node:fs';
import type { SqlValue } from '../connection.ts';
import { AnswerReader } from './answer-reader.ts';
import { PreparedStatements, preparePacket, queryPacket, QUIT_PACKET } from './packets.ts';
import type { Conversation } from './session.ts';

class ConnectionLost extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';

  constructor() {
    super('Connection lost: The server closed the connection.');
  }
}

const received = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * A logged-in connection whose socket blocks. Its thread sleeps in the kernel until a response arrives, and is then run
 * where the server's thread was.
 */
export class BlockingSession {
  readonly #socket: number;
  readonly #statements = new PreparedStatements();
  readonly #reader: AnswerReader;
  #talking: Conversation | undefined;
  #isAnswered = true;

  constructor(socket: number) {
    this.#socket = socket;
    this.#reader = new AnswerReader(() => {
      this.#isAnswered = true;
      this.#talking?.answered(this.#reader);
    });
  }

  talk(conversation: Conversation): void {
    this.#talking = conversation;
  }

  prepare(sql: string): Promise<number> {
    this.#talking = undefined;
    this.#send(preparePacket(sql), 'prepare');
    while (!this.#isAnswered) this.listen();
    const { error, statementId } = this.#reader;
    return error === undefined ? Promise.resolve(this.#statements.add(statementId)) : Promise.reject(error);
  }

  execute(statement: number, values: readonly SqlValue[]): void {
    this.#send(this.#statements.packet(statement, values), 'statement');
  }

  query(sql: string): void {
    this.#send(queryPacket(sql), 'statement');
  }

  /** Waits for more of the pending response; the last of it is passed on. Throws if the connection is lost. */
  listen(): void {
    const length = readSync(this.#socket, received, 0, received.length, null);
    if (length === 0) throw new ConnectionLost();
    this.#reader.feed(received, length);
  }

  /** Says goodbye; the owner of the socket closes it. */
  close(): Promise<void> {
    this.#write(QUIT_PACKET);
    return Promise.resolve();
  }

  destroy(): void {
    // This thread can't be woken; its process is killed.
  }

  #send(packet: Buffer, command: 'statement' | 'prepare'): void {
    this.#isAnswered = false;
    this.#reader.begin(command);
    this.#write(packet);
  }

  #write(packet: Buffer): void {
    const { length } = packet;
    for (let sent = 0; sent < length;) sent += writeSync(this.#socket, packet, sent, length - sent, null);
  }
}
