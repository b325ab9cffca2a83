import type { SqlValue } from '../connection.ts';

/**
 * Commands as the bytes that go over the wire: a four-byte header (length, sequence number 0), the command, its values.
 * Source of the format: MySQL 8.4 internals, COM_QUERY, COM_STMT_PREPARE, COM_STMT_EXECUTE, without query attributes.
 */

const HEADER = 4;
const COM_QUERY = 0x03;
const COM_STMT_PREPARE = 0x16;
const COM_STMT_EXECUTE = 0x17;
/** Where the fields of COM_STMT_EXECUTE are. */
const STATEMENT = HEADER + 1;
const ITERATIONS = STATEMENT + 4 + 1;
const NULL_BITMAP = ITERATIONS + 4;

const TYPE_LONG = 0x03;
const TYPE_VAR_STRING = 0xfd;
/** A text up to this many bytes has a length of one byte. */
const SHORT_TEXT = 250;
/** What the workloads need at the most: two texts of 119 and 59 bytes beside a few numbers. */
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

/** A statement as text, shorter than 16 MiB. */
export function queryPacket(sql: string): Buffer {
  return textPacket(COM_QUERY, sql);
}

/** COM_STMT_PREPARE: a statement to be prepared. */
export function preparePacket(sql: string): Buffer {
  return textPacket(COM_STMT_PREPARE, sql);
}

/** COM_STMT_EXECUTE, written into the same bytes again and again: a connection has one statement under way at a time. */
export class ExecutePacket {
  readonly #bytes = Buffer.alloc(EXECUTE_BYTES);
  /** Views of the first so many bytes; there are only a few lengths. */
  readonly #views: Buffer[] = [];

  constructor() {
    this.#bytes[HEADER] = COM_STMT_EXECUTE;
    this.#bytes[ITERATIONS] = 1;
  }

  /**
   * The packet that runs a statement, valid until the next call. Numbers go as INT, texts as ASCII of at most 250
   * characters; throws RangeError for any other value. `withTypes`: to be true the first time a statement is run; the
   * server remembers the types.
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
