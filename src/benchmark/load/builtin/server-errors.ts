/** sysbench retries deadlocks, changed records, and lock wait timeouts. */
export const IGNORED_ERRORS: readonly number[] = [1213, 1020, 1205];
const DUPLICATE_KEY = 1062;
export const RETRIED_ERRORS: readonly number[] = [...IGNORED_ERRORS, DUPLICATE_KEY];

/** A socket's error has a negative number. */
export function errorNumber(error: unknown): number | undefined {
  const fields = typeof error === 'object' && error !== null ? error : {};
  return 'errno' in fields && typeof fields.errno === 'number' && fields.errno > 0 ? fields.errno : undefined;
}

/**
 * Without transactions, two connections can delete and insert the same row, where sysbench ends unless it
 * ignores 1062.
 */
export function retriedError(error: unknown, { rollsBack }: { rollsBack: boolean }): number | undefined {
  if (!rollsBack && errorNumber(error) === DUPLICATE_KEY) return DUPLICATE_KEY;
  return ignoredError(error);
}

export function ignoredError(error: unknown): number | undefined {
  const number = errorNumber(error);
  return number !== undefined && IGNORED_ERRORS.includes(number) ? number : undefined;
}
