import type { Random } from '../../../../shared/random.ts';

/** Columns c and pad: groups of eleven random digits, joined by hyphens; ten groups, and five. */
export const CONTENT_LENGTH = 119;
export const PAD_LENGTH = 59;

const ZERO = 0x30;
const HYPHEN = 0x2d;
/** 000 to 999 as text: three digits cost one look. */
const THREE_DIGITS = Uint8Array.from({ length: 3000 }, (_, index) => {
  const number = Math.floor(index / 3);
  return ZERO + (Math.floor(number / 10 ** (2 - (index % 3))) % 10);
});

/** sysbench's table names: sbtest1, sbtest2, … */
export function tableName(number: number): string {
  return `sbtest${number}`;
}

/** Writes the three digits of a number below 1000. */
function writeThree(into: Uint8Array, at: number, number: number): void {
  const entry = number * 3;
  into[at] = THREE_DIGITS[entry] as number;
  into[at + 1] = THREE_DIGITS[entry + 1] as number;
  into[at + 2] = THREE_DIGITS[entry + 2] as number;
}

/**
 * Fills `length` bytes; one uniform number gives the eleven digits of a group. Unrolled, and with `| 0` in place of
 * Math.floor (all numbers here are below 2³¹): it is most of what a row costs the client.
 */
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

/** Writes a value of column c as ASCII; the offset behind it. */
export function writeContent(into: Uint8Array, at: number, random: Random): number {
  return writeGroups(into, at, CONTENT_LENGTH, random);
}

/** Writes a value of column pad as ASCII; the offset behind it. */
export function writePad(into: Uint8Array, at: number, random: Random): number {
  return writeGroups(into, at, PAD_LENGTH, random);
}

const scratch = Buffer.alloc(CONTENT_LENGTH);

/** A value of column c. */
export function contentColumn(random: Random): string {
  return scratch.toString('latin1', 0, writeContent(scratch, 0, random));
}

/** A value of column pad. */
export function padColumn(random: Random): string {
  return scratch.toString('latin1', 0, writePad(scratch, 0, random));
}
