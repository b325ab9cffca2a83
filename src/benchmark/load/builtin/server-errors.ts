/** The errors that sysbench retries: deadlock, record changed, lock wait timeout. */
export const IGNORED_ERRORS: readonly number[] = [1213, 1020, 1205];
const DUPLICATE_KEY = 1062;
export const RETRIED_ERRORS: readonly number[] = [...IGNORED_ERRORS, DUPLICATE_KEY];

/** The number of a server's error; undefined for any other error, such as a socket's, whose number is negative. */
export function errorNumber(error: unknown): number | undefined {
  const fields = typeof error === 'object' && error !== null ? error : {};
  return 'errno' in fields && typeof fields.errno === 'number' && fields.errno > 0 ? fields.errno : undefined;
}

/**
 * The number of an error that a load retries, or undefined. Without a transaction, two connections can delete the same
 * row and both insert it; sysbench ends there unless told to ignore 1062.
 */
export function retriedError(error: unknown, { rollsBack }: { rollsBack: boolean }): number | undefined {
  if (!rollsBack && errorNumber(error) === DUPLICATE_KEY) return DUPLICATE_KEY;
  return ignoredError(error);
}

/** The number of an error that sysbench retries, or undefined. */
export function ignoredError(error: unknown): number | undefined {
  const number = errorNumber(error);
  return number !== undefined && IGNORED_ERRORS.includes(number) ? number : undefined;
}
