/** Uniform in [0, 1). */
export type Random = () => number;

/** For a few draws, such as the order of trials: mulberry32, period 2³² (Tommy Ettinger, public domain). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Fisher–Yates. */
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
