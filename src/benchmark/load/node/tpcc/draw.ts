import type { Random } from '../../../../shared/random.ts';

/** Random values as the TPC-C specification (revision 5.11) defines them, clauses 2.1.6 and 4.3.2. */

/** A whole number, uniform from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** True in so many of a hundred. */
export function chance(random: Random, percent: number): boolean {
  return random() * 100 < percent;
}

/** The parameters of NURand(A, x, y) and its constant C. `a` is a power of two less one. */
export interface NonUniform {
  a: number;
  c: number;
  low: number;
  high: number;
}

/** A non-uniform number from `low` to `high` (clause 2.1.6). */
export function nonUniform(random: Random, { a, c, low, high }: NonUniform): number {
  return (((between(random, 0, a) | between(random, low, high)) + c) % (high - low + 1)) + low;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Characters that one draw of 53 bits gives; 62⁸ is about 2⁴⁸. */
const AT_ONCE = 8;

/** Letters and digits, as many as drawn from `least` to `most` (clause 4.3.2.2, a-string). */
export function letters(random: Random, least: number, most: number = least): string {
  return characters(random, LETTERS, between(random, least, most));
}

/** Digits (clause 4.3.2.2, n-string). */
export function digits(random: Random, length: number): string {
  return characters(random, '0123456789', length);
}

function characters(random: Random, alphabet: string, length: number): string {
  const { length: size } = alphabet;
  let text = '';
  while (text.length < length) {
    let drawn = Math.floor(random() * size ** AT_ONCE);
    for (let i = Math.min(AT_ONCE, length - text.length); i > 0; i--) {
      text += alphabet.charAt(drawn % size);
      drawn = Math.floor(drawn / size);
    }
  }
  return text;
}

/** A number of hundredths or ten-thousandths as SQL writes it: (1234, 2) is 12.34. Not for negative ones. */
export function decimal(units: number, places: number): string {
  const text = String(units).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** A decimal number, uniform from `low` to `high` units of its last place. */
export function decimalBetween(random: Random, low: number, high: number, places: number): string {
  return decimal(between(random, low, high), places);
}

const SYLLABLES = ['BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', 'ATION', 'EING'] as const;

/** The last name of a number from 0 to 999: a syllable for each of its three digits (clause 4.3.2.3). */
export function lastName(number: number): string {
  return [...String(number).padStart(3, '0')].map((digit) => SYLLABLES[Number(digit)] ?? '').join('');
}

/** Four digits and 11111 (clause 4.3.2.7). */
export function zipCode(random: Random): string {
  return `${digits(random, 4)}11111`;
}

/** 26 to 50 characters; in a tenth of all, ORIGINAL stands somewhere among them (clause 4.3.3.1, I_DATA and S_DATA). */
export function originalData(random: Random): string {
  const text = letters(random, 26, 50);
  if (!chance(random, 10)) return text;
  const at = between(random, 0, text.length - ORIGINAL.length);
  return text.slice(0, at) + ORIGINAL + text.slice(at + ORIGINAL.length);
}

const ORIGINAL = 'ORIGINAL';
