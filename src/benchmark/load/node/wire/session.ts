import type { LoadTarget } from '../../load-client.ts';
import { SqlConnection, type SqlValue } from '../connection.ts';
import { AnswerReader, type Answer } from './answer-reader.ts';

export interface Conversation {
  answered(answer: Answer): void;
  lost(error: Error): void;
}

/**
 * A connection for counting: mysql2 logs in, then prebuilt packets go to its socket and answers are counted without a
 * promise or object for each.
 */
export class WireSession {
  readonly #connection: SqlConnection;
  readonly #reader: AnswerReader;
  readonly #execute = new ExecutePacket();
  readonly #write: (packet: Buffer) => void;
  /** By Whalemark's number: the server's number, and whether it knows the value types. */
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
          if (error === undefined) resolve(this.#statements.push(statementId) - 1);
          else reject(error);
        },
        lost: reject,
      });
      this.#send(preparePacket(sql), 'prepare');
    });
  }

  execute(statement: number, values: readonly SqlValue[]): void {
    const id = this.#statements[statement];
    if (id === undefined) throw new Error(`statement ${statement} was not prepared`);
    const withTypes = this.#typed[statement] !== true;
    if (withTypes) this.#typed[statement] = true;
    this.#send(this.#execute.fill(id, values, withTypes));
  }

  query(sql: string): void {
    this.#send(queryPacket(sql));
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

/**
 * Commands as wire bytes: a four-byte header (length, sequence number 0), the command, its values. Format: MySQL 8.4
 * internals, COM_QUERY, COM_STMT_PREPARE, COM_STMT_EXECUTE, without query attributes.
 */

const HEADER = 4;
const COM_QUERY = 0x03;
const COM_STMT_PREPARE = 0x16;
const COM_STMT_EXECUTE = 0x17;
const STATEMENT = HEADER + 1;
const ITERATIONS = STATEMENT + 4 + 1;
const NULL_BITMAP = ITERATIONS + 4;

const TYPE_LONG = 0x03;
const TYPE_VAR_STRING = 0xfd;
const SHORT_TEXT = 250;
/** Enough for two texts of 119 and 59 bytes and a few numbers. */
const EXECUTE_BYTES = 1024;

function setLength(packet: Buffer, length: number): void {
  packet[0] = length & 0xff;
  packet[1] = (length >> 8) & 0xff;
  packet[2] = length >> 16;
}

function textPacket(command: number, text: string): Buffer {
  const length = 1 + Buffer.byteLength(text);
  const packet = Buffer.alloc(HEADER + length);
  setLength(packet, length);
  packet[HEADER] = command;
  packet.write(text, HEADER + 1);
  return packet;
}

export function queryPacket(sql: string): Buffer {
  return textPacket(COM_QUERY, sql);
}

export function preparePacket(sql: string): Buffer {
  return textPacket(COM_STMT_PREPARE, sql);
}

/** Reuses one buffer: a connection has one pending statement. */
export class ExecutePacket {
  readonly #bytes = Buffer.alloc(EXECUTE_BYTES);
  readonly #views: Buffer[] = [];

  constructor() {
    this.#bytes[HEADER] = COM_STMT_EXECUTE;
    this.#bytes[ITERATIONS] = 1;
  }

  /**
   * Valid until the next call. Numbers as INT, texts as ASCII of at most 250 characters; throws RangeError for
   * others. `withTypes`: needed for a statement's first run.
   */
  fill(statementId: number, values: readonly SqlValue[], withTypes: boolean): Buffer {
    const bytes = this.#bytes;
    bytes[STATEMENT] = statementId & 0xff;
    bytes[STATEMENT + 1] = (statementId >> 8) & 0xff;
    bytes[STATEMENT + 2] = (statementId >> 16) & 0xff;
    bytes[STATEMENT + 3] = statementId >>> 24;
    let at = NULL_BITMAP;
    if (values.length > 0) {
      for (let i = 0; i < values.length; i += 8) bytes[at++] = 0;
      bytes[at++] = withTypes ? 1 : 0;
      if (withTypes) {
        for (const value of values) {
          bytes[at++] = typeof value === 'number' ? TYPE_LONG : TYPE_VAR_STRING;
          bytes[at++] = 0;
        }
      }
      for (const value of values)
        at = typeof value === 'number' ? this.#number(at, value) : this.#text(at, value);
    }
    setLength(bytes, at - HEADER);
    return (this.#views[at] ??= bytes.subarray(0, at));
  }

  #number(at: number, value: number): number {
    if ((value | 0) !== value || at + 4 > EXECUTE_BYTES)
      throw new RangeError(`${value} can't be sent as INT`);
    const bytes = this.#bytes;
    bytes[at] = value & 0xff;
    bytes[at + 1] = (value >> 8) & 0xff;
    bytes[at + 2] = (value >> 16) & 0xff;
    bytes[at + 3] = value >>> 24;
    return at + 4;
  }

  #text(at: number, value: string): number {
    if (value.length > SHORT_TEXT || at + 1 + value.length > EXECUTE_BYTES) {
      throw new RangeError(`a value of ${value.length} characters is too long`);
    }
    this.#bytes[at] = value.length;
    return at + 1 + this.#bytes.write(value, at + 1, 'latin1');
  }
}
