/**
 * Rows and column definitions are skipped by length. Format: MySQL 8.4 internals, "Client/Server Protocol"
 * (dev.mysql.com/doc/dev/mysql-server), without CLIENT_DEPRECATE_EOF.
 */

const HEADER = 4;
/** A packet of this length continues in the next. */
const LONGEST = 0xffffff;

const OK = 0x00;
const LOCAL_INFILE = 0xfb;
const EOF = 0xfe;
const ERROR = 0xff;
const EOF_BELOW = 9;
const EOF_LENGTH = 5;
const PREPARED_LENGTH = 9;
const MORE_RESULTS = 0x0008;

const enum Expect {
  Nothing,
  First,
  Prepared,
  Definitions,
  DefinitionsEnd,
  Rows,
}

export class ServerError extends Error {
  readonly errno: number;
  readonly code: string;

  constructor(errno: number, sqlState: string, message: string) {
    super(message);
    this.name = 'ServerError';
    this.errno = errno;
    this.code = sqlState;
  }
}

export class ProtocolError extends Error {
  constructor(what: string) {
    super(`the server's answer can't be read: ${what}`);
    this.name = 'ProtocolError';
  }
}

const CUT = 'a packet is shorter than what it holds';

export interface Answer {
  error: ServerError | undefined;
  hasRows: boolean;
  rows: number;
  affectedRows: number;
  statementId: number;
}

export class AnswerReader implements Answer {
  error: ServerError | undefined;
  hasRows = false;
  rows = 0;
  affectedRows = 0;
  statementId = 0;

  readonly #onAnswer: () => void;
  #expect = Expect.Nothing;
  #definitions = 0;
  #afterDefinitions = Expect.Rows;
  #preparedColumns = 0;
  #skip = 0;
  #continued = false;
  #unread: Uint8Array | undefined;

  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  begin(command: 'statement' | 'prepare' = 'statement'): void {
    this.error = undefined;
    this.hasRows = false;
    this.rows = 0;
    this.affectedRows = 0;
    this.#expect = command === 'prepare' ? Expect.Prepared : Expect.First;
  }

  feed(chunk: Uint8Array, length: number): void {
    let bytes = chunk;
    let end = length;
    if (this.#unread !== undefined) {
      bytes = joined(this.#unread, chunk, length);
      end = bytes.length;
      this.#unread = undefined;
    }
    let at = 0;
    while (at < end) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, end - at);
        this.#skip -= step;
        at += step;
        continue;
      }
      if (end - at < HEADER) return this.#keep(bytes, at, end);
      const size = byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16);
      if (this.#continued) {
        at += HEADER;
        this.#stepOver(size);
        continue;
      }
      if (size === 0) throw new ProtocolError('an empty packet');
      if (end - at === HEADER) return this.#keep(bytes, at, end);
      const first = byte(bytes, at + HEADER);
      if (this.#isSteppedOver(first, size)) {
        if (this.#expect === Expect.Rows) this.rows += 1;
        else this.#definitionRead();
        at += HEADER;
        this.#stepOver(size);
        continue;
      }
      if (end - at < HEADER + size) return this.#keep(bytes, at, end);
      at += HEADER + size;
      if (!this.#read(bytes, at - size, at)) continue;
      if (at < end) throw new ProtocolError(`${end - at} bytes after the answer`);
      this.#onAnswer();
      return;
    }
  }

  #isSteppedOver(first: number, size: number): boolean {
    if (first === ERROR) return false;
    return this.#expect === Expect.Rows
      ? first !== EOF || size >= EOF_BELOW
      : this.#expect === Expect.Definitions;
  }

  #stepOver(size: number): void {
    this.#skip = size;
    this.#continued = size === LONGEST;
  }

  #keep(bytes: Uint8Array, at: number, end: number): void {
    // Buffer's slice() would share memory that is overwritten.
    this.#unread = new Uint8Array(bytes.subarray(at, end));
  }

  #definitionRead(): void {
    this.#definitions -= 1;
    if (this.#definitions === 0) this.#expect = Expect.DefinitionsEnd;
  }

  #read(bytes: Uint8Array, at: number, end: number): boolean {
    const first = byte(bytes, at);
    if (first === ERROR) {
      this.error = serverError(bytes, at + 1, end);
      if (this.#expect === Expect.Nothing) throw this.error;
      this.#expect = Expect.Nothing;
      return true;
    }
    switch (this.#expect) {
      case Expect.First:
        return this.#readFirst(bytes, at, end);
      case Expect.Prepared:
        return this.#readPrepared(bytes, at, end);
      case Expect.DefinitionsEnd:
        if (first !== EOF) throw new ProtocolError('no end of the definitions');
        return this.#definitionsEnded();
      case Expect.Rows:
        if (end - at < EOF_LENGTH) throw new ProtocolError(CUT);
        return this.#ended(uint16(bytes, at + 3));
      default:
        throw new ProtocolError('a packet that answers nothing');
    }
  }

  #readFirst(bytes: Uint8Array, at: number, end: number): boolean {
    const first = byte(bytes, at);
    if (first === OK) {
      const affected = integerAt(bytes, at + 1);
      this.affectedRows += affected.value;
      const { next } = integerAt(bytes, affected.next);
      if (!(next + 4 <= end)) throw new ProtocolError(CUT);
      return this.#ended(uint16(bytes, next));
    }
    if (first === LOCAL_INFILE) throw new ProtocolError('it asks for a local file');
    const columns = integerAt(bytes, at);
    if (!(columns.next <= end)) throw new ProtocolError(CUT);
    this.hasRows = true;
    this.#define(columns.value, Expect.Rows);
    return false;
  }

  #readPrepared(bytes: Uint8Array, at: number, end: number): boolean {
    if (end - at < PREPARED_LENGTH) throw new ProtocolError(CUT);
    this.statementId = uint16(bytes, at + 1) + uint16(bytes, at + 3) * 0x10000;
    this.#preparedColumns = uint16(bytes, at + 5);
    const parameters = uint16(bytes, at + 7);
    if (parameters > 0) {
      this.#define(parameters, Expect.Prepared);
      return false;
    }
    return this.#columnsOfPrepared();
  }

  #columnsOfPrepared(): boolean {
    if (this.#preparedColumns > 0) {
      this.#define(this.#preparedColumns, Expect.Nothing);
      this.#preparedColumns = 0;
      return false;
    }
    this.#expect = Expect.Nothing;
    return true;
  }

  #define(count: number, after: Expect): void {
    this.#definitions = count;
    this.#afterDefinitions = after;
    this.#expect = Expect.Definitions;
  }

  #definitionsEnded(): boolean {
    if (this.#afterDefinitions === Expect.Rows) {
      this.#expect = Expect.Rows;
      return false;
    }
    return this.#columnsOfPrepared();
  }

  #ended(status: number): boolean {
    const more = (status & MORE_RESULTS) !== 0;
    this.#expect = more ? Expect.First : Expect.Nothing;
    return !more;
  }
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function uint16(bytes: Uint8Array, at: number): number {
  return byte(bytes, at) | (byte(bytes, at + 1) << 8);
}

function integerAt(bytes: Uint8Array, at: number): { value: number; next: number } {
  const first = byte(bytes, at);
  if (first < LOCAL_INFILE) return { value: first, next: at + 1 };
  const size = first === 0xfc ? 2 : first === 0xfd ? 3 : 8;
  let value = 0;
  for (let i = size; i > 0; i--) value = value * 256 + byte(bytes, at + i);
  return { value, next: at + 1 + size };
}

export function serverError(bytes: Uint8Array, at: number, end: number): ServerError {
  if (end - at < 2) throw new ProtocolError(CUT);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at + 2, end - at - 2).toString('utf8');
  // Errors before the login have no state.
  const state = /^#(.{5})/s.exec(text)?.[1] ?? '';
  return new ServerError(uint16(bytes, at), state, state === '' ? text : text.slice(6));
}

function joined(unread: Uint8Array, chunk: Uint8Array, length: number): Uint8Array {
  const bytes = new Uint8Array(unread.length + length);
  bytes.set(unread);
  bytes.set(chunk.subarray(0, length), unread.length);
  return bytes;
}
