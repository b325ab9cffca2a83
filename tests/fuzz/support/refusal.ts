import { BenchmarkError, type ErrorCode } from '../../../src/shared/errors.ts';
import type { Verdict } from './figures.ts';

/** Required form of a refusal. */
export interface Refusal {
  codes: readonly ErrorCode[];
  /** Whether message, evidence or values name the place, or why there is none. */
  namesPlace: (error: BenchmarkError) => boolean;
}

/**
 * Accepted when `work` returns, refused when it throws one of Whalemark's with the right code that names the place; anything
 * else continues to fail the case.
 */
export async function acceptedOrRefused(
  work: () => unknown,
  { codes, namesPlace }: Refusal,
): Promise<Verdict> {
  try {
    await work();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof BenchmarkError) || !codes.includes(error.code)) throw error;
    if (!namesPlace(error)) {
      throw new Error(`names no place: ${error.message} ${JSON.stringify(error.evidence)}`, { cause: error });
    }
    return 'refused';
  }
}
