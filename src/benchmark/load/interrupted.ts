import { msg } from '../../shared/message.ts';
import { BenchmarkError } from '../../shared/errors.ts';
import type { Totals } from '../../shared/model/measurements.ts';

/** A client that hears nothing for this long did not run: windows end every second. Milliseconds. */
export const PAUSE_MS = 2500;

/** Throws INTERRUPTED if a trial lost more than half of its measuring time. */
export function checkInterrupted({ excludedMs }: Pick<Totals, 'excludedMs'>, measuredMs: number): void {
  if (excludedMs <= measuredMs / 2) return;
  throw new BenchmarkError('INTERRUPTED', {
    reason: msg('load.interrupted', {
      seconds: Math.round(excludedMs / 1000),
      all: Math.round(measuredMs / 1000),
    }),
  });
}
