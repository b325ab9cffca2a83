/** Uniform in [0, 1). */
export type Random = () => number;

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const moved = copy[last] as T;
    copy[last] = copy[other] as T;
    copy[other] = moved;
  }
  return copy;
}

/** MurmurHash3's 32-bit finalizer (Austin Appleby, public domain). */
function mix(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const rotateLeft = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/**
 * xoshiro128**: 32-bit numbers from a nonzero state. Source: Blackman and Vigna 2021, "Scrambled linear
 * pseudorandom number generators".
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

/** Draws have 53 random bits. */
export function createRandom(seed: number, stream = 0): Random {
  const golden = 0x9e3779b9;
  // No two streams share a state; + 1 avoids the all-zero state.
  const next = xoshiro128(mix(seed), mix(seed + golden), mix(stream + 1), mix(stream + 1 + golden));
  for (let i = 0; i < 16; i++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
