import { BenchmarkError } from '../../shared/errors.ts';
import type { Totals } from '../../shared/model/measurements.ts';

/**
 * A client hears of its windows' ends every second. When it hears of nothing at all for so long it did not run: the machine
 * was paused, asleep, or gave it no CPU. Milliseconds.
 */
export const PAUSE_MS = 2500;

/** Throws INTERRUPTED when a trial lost more than half of its measuring: what is left is no measurement of it. */
export function checkInterrupted({ excludedMs }: Pick<Totals, 'excludedMs'>, measuredMs: number): void {
  if (excludedMs <= measuredMs / 2) return;
  throw new BenchmarkError('INTERRUPTED', {
    reason: `for ${Math.round(excludedMs / 1000)} of ${Math.round(measuredMs / 1000)} s the client did not run; the machine was paused, asleep or starved`,
  });
}
