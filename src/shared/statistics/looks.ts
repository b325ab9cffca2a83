/**
 * A run that goes on until it is settled looks at its numbers again and again, and each look is one more chance of a
 * false alarm. So the looks are few and set before the run: after 3 rounds, then at distances that grow by a half or a
 * third. Each gets the same part of the probability of error. By Bonferroni's inequality the parts add up to no more
 * than the whole, whatever the looks have in common; an interval made this way holds at all looks at once.
 *
 * Sources: repeated confidence intervals (Jennison & Turnbull, J. R. Statist. Soc. B 51, 1989, p. 305–361); spending
 * the error over looks (Lan & DeMets, Biometrika 70, 1983, doi:10.1093/biomet/70.3.659). Closer bounds exist
 * (Pocock's), but for means with an unknown variance and few rounds they hold only approximately.
 */
const LOOKS: readonly number[] = [3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96];

/** The most rounds of a run that goes on until it is settled, where nobody says how many. */
export const MOST_ROUNDS = 32;

/** How many looks a run of at most `rounds` rounds has; one more for its end, when time is up between two of them. */
export function looksOf(rounds: number): number {
  return LOOKS.filter((one) => one < rounds).length + 1;
}

/** Whether it is looked after so many rounds. */
export function isLook(round: number, rounds: number): boolean {
  return round >= rounds || LOOKS.includes(round);
}
