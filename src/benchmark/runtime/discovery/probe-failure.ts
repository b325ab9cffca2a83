import { BenchmarkError, messageOf, type ErrorCode } from '../../../shared/errors.ts';
import { errnoOf } from '../../errno.ts';
import type { Connection } from '../engine/endpoints.ts';
import { BadAnswer } from './probe.ts';
import { SshFailure } from '../ssh/ssh-connection.ts';
import { sshFailure } from '../ssh/ssh-failure.ts';
import { tlsFailure } from '../engine/tls-failure.ts';

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

/** What Go's HTTP server, which is the engine's, answers in plain text to a request without TLS. */
const WANTS_TLS = /client sent an HTTP request to an HTTPS server/i;

/** Why a place is not usable, from whatever asking it over `connection` threw; `seconds`: how long it was given. */
export function probeFailure(
  error: unknown,
  endpoint: string,
  connection: Connection,
  seconds: number,
): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  if (error instanceof SshFailure && connection.kind === 'ssh') {
    return sshFailure(error, endpoint, connection);
  }
  if (error instanceof BadAnswer && WANTS_TLS.test(error.message)) {
    return new BenchmarkError('ENDPOINT_TLS_WANTED', { endpoint });
  }
  if (connection.kind === 'tcp' && connection.tls !== undefined) {
    const failure = tlsFailure(error, endpoint);
    if (failure !== undefined) return failure;
  }
  const code = errnoOf(error) ?? '';
  const meaning = MEANING[code];
  if (meaning !== undefined) return new BenchmarkError(meaning, { endpoint });
  if (code === 'ETIMEDOUT') {
    return new BenchmarkError('ENDPOINT_TIMEOUT', { endpoint, seconds: String(seconds) });
  }
  const message = messageOf(error);
  if (code === 'EINVAL' || code === 'ENAMETOOLONG') {
    return new BenchmarkError('ENDPOINT_UNSUPPORTED', { endpoint, reason: message });
  }
  const reason = error instanceof BadAnswer || code === '' ? message : `${message} (${code})`;
  return new BenchmarkError('ENDPOINT_BAD_ANSWER', { endpoint, reason });
}
