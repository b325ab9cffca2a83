/**
 * A run until settled looks at its numbers repeatedly, and each look can raise a false alarm. So there are few looks,
 * fixed before the run: after 3 rounds, then at distances that grow by a half or a third. By Bonferroni's inequality,
 * equal shares of the error probability make intervals that hold at all looks at once. Sources: repeated confidence
 * intervals (Jennison & Turnbull, J. R. Statist. Soc. B 51, 1989, p. 305–361); spending the error over looks (Lan &
 * DeMets, Biometrika 70, 1983, doi:10.1093/biomet/70.3.659). Closer bounds such as Pocock's hold only approximately
 * for few rounds with unknown variance.
 */
const LOOKS: readonly number[] = [3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];

/** Default maximum of rounds of a run until settled. */
export const MOST_ROUNDS = 32;

/** Looks of a run with at most `rounds` rounds, plus one for its end by time. */
export function looksOf(rounds: number): number {
  return LOOKS.filter((one) => one < rounds).length + 1;
}

export function isLook(round: number, rounds: number): boolean {
  return round >= rounds || LOOKS.includes(round);
}
