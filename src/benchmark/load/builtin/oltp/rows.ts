import { idDraws } from './distribution.ts';
import type { OltpWorkload } from '../../../../shared/model/workload.ts';
import type { Random } from '../../../random.ts';

/** Ten and five groups of eleven digits, joined by hyphens. */
const CONTENT_LENGTH = 119;
const PAD_LENGTH = 59;

const ZERO = 0x30;
const HYPHEN = 0x2d;
const THREE_DIGITS = Uint8Array.from({ length: 3000 }, (_, index) => {
  const number = Math.floor(index / 3);
  return ZERO + (Math.floor(number / 10 ** (2 - (index % 3))) % 10);
});

export function tableName(number: number): string {
  return `sbtest${number}`;
}

export function createTable(table: string, keys = ''): string {
  return (
    `CREATE TABLE ${table} (id INT NOT NULL AUTO_INCREMENT, k INT NOT NULL DEFAULT 0, ` +
    `c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', PRIMARY KEY (id)${keys}) ENGINE=InnoDB`
  );
}

function writeThree(into: Uint8Array, at: number, number: number): void {
  const entry = number * 3;
  into[at] = THREE_DIGITS[entry] as number;
  into[at + 1] = THREE_DIGITS[entry + 1] as number;
  into[at + 2] = THREE_DIGITS[entry + 2] as number;
}

/** The loop is unrolled, since it is most of a row's cost. */
function writeGroups(into: Uint8Array, at: number, length: number, random: Random): number {
  const end = at + length;
  for (let group = at; group < end; group += 12) {
    if (group > at) into[group - 1] = HYPHEN;
    const sixDigits = random() * 1e6;
    const high = sixDigits | 0;
    const low = ((sixDigits - high) * 1e5) | 0;
    const upper = (high / 1000) | 0;
    const middle = (low / 100) | 0;
    writeThree(into, group, upper);
    writeThree(into, group + 3, high - upper * 1000);
    writeThree(into, group + 6, middle);
    const lower = (low - middle * 100) * 3;
    into[group + 9] = THREE_DIGITS[lower + 1] as number;
    into[group + 10] = THREE_DIGITS[lower + 2] as number;
  }
  return end;
}

const scratch = Buffer.alloc(CONTENT_LENGTH);

export function contentColumn(random: Random): string {
  return scratch.toString('latin1', 0, writeGroups(scratch, 0, CONTENT_LENGTH, random));
}

export function padColumn(random: Random): string {
  return scratch.toString('latin1', 0, writeGroups(scratch, 0, PAD_LENGTH, random));
}

export const ROW_BYTES = 2 * 10 + CONTENT_LENGTH + PAD_LENGTH + 10;

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

export const LINE_FORM = form('', '\t', '\t', '\t', '\n');
/** Digits and hyphens need no escapes. */
export const LINES = `FIELDS TERMINATED BY '\\t' ESCAPED BY '' LINES TERMINATED BY '\\n' (id, k, c, pad)`;
export const TUPLE_FORM = form('(', ',', ",'", "','", "'),");

export class TableRows {
  readonly #shape: Pick<OltpWorkload, 'tableSize' | 'distribution'>;
  readonly #random: Random;
  #id = 1;

  constructor(shape: Pick<OltpWorkload, 'tableSize' | 'distribution'>, random: Random) {
    this.#shape = shape;
    this.#random = random;
  }

  get left(): number {
    return this.#shape.tableSize - this.#id + 1;
  }

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
      at = writeGroups(into, at, CONTENT_LENGTH, random);
      at = writeText(into, at, afterC);
      at = writeGroups(into, at, PAD_LENGTH, random);
      at = writeText(into, at, after);
    }
    return into.subarray(0, at);
  }
}

function writeText(into: Buffer, at: number, text: Buffer): number {
  for (let i = 0; i < text.length; i++) into[at + i] = text[i] ?? 0;
  return at + text.length;
}

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
