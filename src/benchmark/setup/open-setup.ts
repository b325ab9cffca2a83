import { BenchmarkError } from '../../shared/errors.ts';
import type { Setup } from '../../shared/model/setup.ts';

/** A stub until the reader is merged. */
export function openSetup({ target }: { target: string; files?: string[] }): Promise<Setup> {
  return Promise.reject(new BenchmarkError('SETUP_REFUSED', { name: target }));
}
