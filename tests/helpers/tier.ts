import process from 'node:process';

/** Whether this is the full run, which takes all cases where the gate takes a sample. */
export const IS_FULL = (process.env['WHALEMARK_TEST_FULL'] ?? '') !== '';

/** All cases in the full run; in the gate the first and every `step`th after it. */
export const sampled = <T>(cases: readonly T[], step: number): readonly T[] =>
  IS_FULL ? cases : cases.filter((_, index) => index % step === 0);
