import type { SqlValue } from '../connection.ts';

/** Format: MySQL 8.4 internals, COM_QUERY, COM_STMT_PREPARE, COM_STMT_EXECUTE, without query attributes. */

const HEADER = 4;
const COM_QUIT = 0x01;
const COM_QUERY = 0x03;
const COM_STMT_PREPARE = 0x16;
const COM_STMT_EXECUTE = 0x17;
const STATEMENT = HEADER + 1;
const ITERATIONS = STATEMENT + 4 + 1;
const NULL_BITMAP = ITERATIONS + 4;

const TYPE_LONG = 0x03;
const TYPE_VAR_STRING = 0xfd;
const SHORT_TEXT = 250;
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

const CONTROL = new Map(['BEGIN', 'COMMIT', 'ROLLBACK'].map((sql) => [sql, textPacket(COM_QUERY, sql)]));

export function queryPacket(sql: string): Buffer {
  return CONTROL.get(sql) ?? textPacket(COM_QUERY, sql);
}

export const QUIT_PACKET = textPacket(COM_QUIT, '');

export function preparePacket(sql: string): Buffer {
  return textPacket(COM_STMT_PREPARE, sql);
}

export class ExecutePacket {
  readonly #bytes = Buffer.alloc(EXECUTE_BYTES);
  readonly #views: Buffer[] = [];

  constructor() {
    this.#bytes[HEADER] = COM_STMT_EXECUTE;
    this.#bytes[ITERATIONS] = 1;
  }

  /**
   * The packet is valid until the next call. A first run needs `withTypes`. Throws RangeError for texts over
   * 250 characters.
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

export class PreparedStatements {
  readonly #ids: number[] = [];
  readonly #typed: boolean[] = [];
  readonly #packet = new ExecutePacket();

  add(id: number): number {
    return this.#ids.push(id) - 1;
  }

  packet(statement: number, values: readonly SqlValue[]): Buffer {
    const id = this.#ids[statement];
    if (id === undefined) throw new Error(`statement ${statement} was not prepared`);
    const withTypes = this.#typed[statement] !== true;
    if (withTypes) this.#typed[statement] = true;
    return this.#packet.fill(id, values, withTypes);
  }
}
