import type { Counts } from '../node/windows.ts';

/** By the result, not by the text: a result set is a read, changed rows are a write, anything else is other. */
export function countAnswer(counts: Counts, answer: { hasRows: boolean; affectedRows: number }): void {
  if (answer.hasRows) counts.reads += 1;
  else if (answer.affectedRows > 0) counts.writes += 1;
  else counts.other += 1;
}
