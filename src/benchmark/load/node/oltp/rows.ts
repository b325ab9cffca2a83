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

/** Writes `digits` (one to three) of a number below 1000. */
function writeDigits(into: Uint8Array, at: number, number: number, digits: number): void {
  for (let i = 0; i < digits; i++) into[at + i] = THREE_DIGITS[number * 3 + 3 - digits + i] ?? ZERO;
}

/** Fills `length` bytes; one uniform number gives the eleven digits of a group. */
function writeGroups(into: Uint8Array, at: number, length: number, random: Random): number {
  const end = at + length;
  for (let group = at; group < end; group += 12) {
    if (group > at) into[group - 1] = HYPHEN;
    const sixDigits = random() * 1e6;
    const high = Math.floor(sixDigits);
    const low = Math.floor((sixDigits - high) * 1e5);
    const upper = Math.floor(high / 1000);
    const middle = Math.floor(low / 100);
    writeDigits(into, group, upper, 3);
    writeDigits(into, group + 3, high - upper * 1000, 3);
    writeDigits(into, group + 6, middle, 3);
    writeDigits(into, group + 9, low - middle * 100, 2);
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
