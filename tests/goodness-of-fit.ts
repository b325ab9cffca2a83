/**
 * Do drawn numbers follow a law, or two samples the same one? Results are standard normal deviates: above
 * `REJECTED` only one of ten thousand samples that do follow it is found.
 */
export const REJECTED = 3.719;

/** Cells with fewer expected hits make χ² unreliable; neighbors are put together until they have as many. */
const FEWEST = 20;

/** χ² as a normal deviate (Wilson and Hilferty 1931). */
function deviate(chiSquare: number, freedom: number): number {
  const spread = 2 / (9 * freedom);
  return ((chiSquare / freedom) ** (1 / 3) - (1 - spread)) / Math.sqrt(spread);
}

/** How often each of the numbers 1…highest was drawn; position 0 is number 1. */
export function tally(numbers: Iterable<number>, highest: number): number[] {
  const counts = Array.from({ length: highest }, () => 0);
  for (const number of numbers) counts[number - 1] = (counts[number - 1] ?? NaN) + 1;
  return counts;
}

/** Pearson's test of counts against the probabilities of a law. */
export function againstLaw(counts: readonly number[], law: readonly number[]): number {
  const total = counts.reduce((sum, n) => sum + n, 0);
  let chiSquare = 0;
  let freedom = -1;
  let seen = 0;
  let expected = 0;
  for (const [index, count] of counts.entries()) {
    seen += count;
    expected += (law[index] ?? NaN) * total;
    if (expected < FEWEST) continue;
    chiSquare += (seen - expected) ** 2 / expected;
    freedom += 1;
    seen = expected = 0;
  }
  // The last cell may be small, but not next to nothing.
  if (expected > 5) {
    chiSquare += (seen - expected) ** 2 / expected;
    freedom += 1;
  }
  return deviate(chiSquare, freedom);
}

/** The χ² test of homogeneity: were two tallies drawn from one law, whatever it is? */
export function twoSamples(one: readonly number[], other: readonly number[]): number {
  const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0);
  const ratio = Math.sqrt(sum(one) / sum(other));
  let chiSquare = 0;
  let freedom = -1;
  let a = 0;
  let b = 0;
  for (const [index, count] of one.entries()) {
    a += count;
    b += other[index] ?? NaN;
    if (a + b < 2 * FEWEST && index < one.length - 1) continue;
    if (a + b === 0) continue;
    chiSquare += (a / ratio - b * ratio) ** 2 / (a + b);
    freedom += 1;
    a = b = 0;
  }
  return deviate(chiSquare, freedom);
}
