import type { Random } from '../../random.ts';

/** One step of MurmurHash3's 32-bit finaliser: every input bit reaches every output bit (Austin Appleby, public domain). */
function mix(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const rotateLeft = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/**
 * xoshiro128**: uniform 32-bit numbers from a state that is not all zeroes, period 2¹²⁸ − 1.
 * Source: Blackman and Vigna 2021, "Scrambled linear pseudorandom number generators" (described).
 */
export function xoshiro128(a: number, b: number, c: number, d: number): () => number {
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

/**
 * The random stream number `stream` of a seed, uniform in [0, 1) with 53 bits. Streams of one seed are unrelated, so
 * every connection and every table has its own, and what one draws does not depend on how fast another one is.
 */
export function createStream(seed: number, stream: number): Random {
  const golden = 0x9e3779b9;
  // Seed and stream fill words of their own: two streams never begin in the same state. One is added because
  // the state must not be all zeroes, which 0 and 0 would give.
  const next = xoshiro128(mix(seed), mix(seed + golden), mix(stream + 1), mix(stream + 1 + golden));
  // The first numbers still resemble the state's words.
  for (let i = 0; i < 16; i++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
