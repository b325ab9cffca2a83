import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import { BadAnswer } from './probe.ts';

/** Node's error codes, as what they mean for an endpoint. */
const MEANING: Record<string, ErrorCode> = {
  ENOENT: 'ENDPOINT_MISSING',
  ENOTDIR: 'ENDPOINT_MISSING',
  ENOTFOUND: 'ENDPOINT_MISSING',
  EAI_AGAIN: 'ENDPOINT_MISSING',
  ECONNREFUSED: 'ENDPOINT_REFUSED',
  EHOSTUNREACH: 'ENDPOINT_REFUSED',
  ENETUNREACH: 'ENDPOINT_REFUSED',
  EACCES: 'ENDPOINT_FORBIDDEN',
  EPERM: 'ENDPOINT_FORBIDDEN',
};

/** Why a place is not usable, from whatever asking it threw. */
export function probeFailure(error: unknown, endpoint: string): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const meaning = MEANING[code];
  if (meaning !== undefined) return new BenchmarkError(meaning, { endpoint });
  if (code === 'ETIMEDOUT') return new BenchmarkError('ENDPOINT_TIMEOUT', { endpoint, seconds: '3' });
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'EINVAL' || code === 'ENAMETOOLONG') {
    return new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint, reason: message });
  }
  const reason = error instanceof BadAnswer || code === '' ? message : `${message} (${code})`;
  return new BenchmarkError('ENDPOINT_BAD_ANSWER', { endpoint, reason });
}
