/** Packets of a server, built by the protocol's description and not by the code under test. */

const LONGEST = 0xffffff;
/** SERVER_STATUS_AUTOCOMMIT. */
const AUTOCOMMIT = 0x0002;
export const MORE_RESULTS = 0x0008;

const little = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
};

/** A length-encoded integer. */
export function integer(value: number): Buffer {
  if (value < 0xfb) return little(value, 1);
  if (value < 2 ** 16) return Buffer.concat([Buffer.of(0xfc), little(value, 2)]);
  if (value < 2 ** 24) return Buffer.concat([Buffer.of(0xfd), little(value, 3)]);
  return Buffer.concat([Buffer.of(0xfe), little(value, 8)]);
}

/** A length-encoded string. */
export function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** A payload as packets; one of 0xffffff bytes or a multiple of them ends with an empty packet. */
export function packets(payload: Buffer, sequence = 1): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at <= payload.length; at += LONGEST) {
    const part = payload.subarray(at, at + LONGEST);
    parts.push(little(part.length, 3), Buffer.of((sequence + parts.length / 3) & 0xff), part);
  }
  return Buffer.concat(parts);
}

export interface OkFields {
  affected?: number;
  insertId?: number;
  warnings?: number;
  status?: number;
  info?: string;
}

export function ok(fields: OkFields = {}): Buffer {
  const { affected = 0, insertId = 0, warnings = 0, status = AUTOCOMMIT, info = '' } = fields;
  const numbers = [integer(affected), integer(insertId), little(status, 2), little(warnings, 2)];
  return packets(Buffer.concat([Buffer.of(0x00), ...numbers, Buffer.from(info)]));
}

export function eof({ warnings = 0, status = AUTOCOMMIT }: OkFields = {}): Buffer {
  return packets(Buffer.concat([Buffer.of(0xfe), little(warnings, 2), little(status, 2)]));
}

export function failure(number: number, message: string, state: string | null = 'HY000'): Buffer {
  const words = Buffer.from((state === null ? '' : `#${state}`) + message);
  return packets(Buffer.concat([Buffer.of(0xff), little(number, 2), words]));
}

/** A column or parameter definition. */
export function definition(name = 'c'): Buffer {
  const texts = ['def', 'sbtest', 't', 't', name, name].map(text);
  // Character set, length, type, flags, decimals, filler.
  const fixed = [little(0x0c, 1), little(45, 2), little(120, 4), Buffer.of(0xfe), little(0, 2), little(0, 3)];
  return packets(Buffer.concat([...texts, ...fixed]));
}

export function definitions(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => definition(`c${index}`)));
}

export type Value = string | Buffer | null;

/** A row as COM_QUERY gets it. */
export function textRow(...values: Value[]): Buffer {
  return packets(Buffer.concat(values.map((value) => (value === null ? Buffer.of(0xfb) : text(value)))));
}

/** A row of texts as COM_STMT_EXECUTE gets it. */
export function binaryRow(...values: Value[]): Buffer {
  const nulls = Buffer.alloc(Math.floor((values.length + 9) / 8));
  for (const [index, value] of values.entries()) {
    const bit = index + 2;
    if (value === null) nulls.writeUInt8(nulls.readUInt8(bit >> 3) | (1 << (bit & 7)), bit >> 3);
  }
  const present = values.flatMap((value) => (value === null ? [] : [text(value)]));
  return packets(Buffer.concat([Buffer.of(0x00), nulls, ...present]));
}

/** A result set: its head, its rows, and what ends it. */
export function resultSet(columns: number, rows: Buffer[], end = eof()): Buffer {
  return Buffer.concat([packets(integer(columns)), definitions(columns), eof(), ...rows, end]);
}

/** The answer to COM_STMT_PREPARE. */
export function prepared(id: number, parameters: number, columns: number): Buffer {
  const head = [little(0, 1), little(id, 4), little(columns, 2), little(parameters, 2), little(0, 1)];
  const parts = [packets(Buffer.concat([...head, little(0, 2)]))];
  if (parameters > 0) parts.push(definitions(parameters), eof());
  if (columns > 0) parts.push(definitions(columns), eof());
  return Buffer.concat(parts);
}
