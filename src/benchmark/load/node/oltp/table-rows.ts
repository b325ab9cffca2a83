import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { Random } from '../../../../shared/random.ts';
import { idDraws } from './distribution.ts';
import { CONTENT_LENGTH, PAD_LENGTH, writeContent, writePad } from './rows.ts';

/** Bytes of one row in either form, rounded up: id, k, c and pad with what stands between them. */
export const ROW_BYTES = 2 * 10 + CONTENT_LENGTH + PAD_LENGTH + 10;

const ZERO = 0x30;

/** What stands before, between and behind the four values of a row, ASCII. */
type RowForm = readonly [before: Buffer, afterId: Buffer, afterK: Buffer, afterC: Buffer, after: Buffer];
const form = (...texts: [string, string, string, string, string]): RowForm => {
  const [before, afterId, afterK, afterC, after] = texts;
  return [
    Buffer.from(before),
    Buffer.from(afterId),
    Buffer.from(afterK),
    Buffer.from(afterC),
    Buffer.from(after),
  ];
};

/** For LOAD DATA with `LINES`. */
export const LINE_FORM = form('', '\t', '\t', '\t', '\n');
/** What LOAD DATA must be told of it; contents are digits and hyphens, so nothing needs escapes. */
export const LINES = `FIELDS TERMINATED BY '\\t' ESCAPED BY '' LINES TERMINATED BY '\\n' (id, k, c, pad)`;
/** For INSERT … VALUES; the comma behind the last row is one too many. */
export const TUPLE_FORM = form('(', ',', ",'", "','", "'),");

/** The rows of one table in the order of their ids, each made once; every way of loading takes them from here. */
export class TableRows {
  readonly #shape: Pick<OltpWorkload, 'tableSize' | 'distribution'>;
  readonly #random: Random;
  #id = 1;

  /** `random` gives k, c and pad of one row after the other. */
  constructor(shape: Pick<OltpWorkload, 'tableSize' | 'distribution'>, random: Random) {
    this.#shape = shape;
    this.#random = random;
  }

  /** How many rows are still to come. */
  get left(): number {
    return this.#shape.tableSize - this.#id + 1;
  }

  /** The next `count` rows, or what is left of them, as ASCII. */
  next(count: number, [before, afterId, afterK, afterC, after]: RowForm): Buffer {
    const { tableSize, distribution } = this.#shape;
    const drawK = idDraws[distribution];
    const random = this.#random;
    const rows = Math.min(count, this.left);
    const into = Buffer.allocUnsafe(rows * ROW_BYTES);
    let at = 0;
    for (let row = 0; row < rows; row++) {
      at = writeText(into, at, before);
      at = writeNumber(into, at, this.#id++);
      at = writeText(into, at, afterId);
      at = writeNumber(into, at, drawK(tableSize, random));
      at = writeText(into, at, afterK);
      at = writeContent(into, at, random);
      at = writeText(into, at, afterC);
      at = writePad(into, at, random);
      at = writeText(into, at, after);
    }
    return into.subarray(0, at);
  }
}

function writeText(into: Buffer, at: number, text: Buffer): number {
  for (let i = 0; i < text.length; i++) into[at + i] = text[i] ?? 0;
  return at + text.length;
}

/** Writes a whole number from 0 to 2³¹ − 1; the offset behind it. */
function writeNumber(into: Buffer, at: number, number: number): number {
  let digits = 1;
  for (let power = 10; power <= number; power *= 10) digits++;
  let rest = number;
  for (let i = at + digits - 1; i >= at; i--) {
    const next = (rest / 10) | 0;
    into[i] = ZERO + rest - next * 10;
    rest = next;
  }
  return at + digits;
}
