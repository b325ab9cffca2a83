import { type Message, msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError, messageOf } from '../../../shared/errors.ts';
import { errnoOf } from '../../errno.ts';

/** What Node reports when the other end is gone, refuses, or was never there. */
const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'ENOTCONN',
  'EPIPE',
  'EACCES',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/** Docker Desktop's proxy answers with these while the virtual machine behind it is gone or going. */
const LOST_STATUS = new Set([502, 503, 504]);
/** What a living engine answers with 503 when it is asked for something of a swarm that it does not command. */
const NO_SWARM = /swarm/i;

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

/** The HTTP status of a refusal by the engine, or undefined when it never came to an answer. */
export function statusOf(error: unknown): number | undefined {
  const status = field(error, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

/** The engine's own words, without what docker-modem puts around them. */
export function reasonOf(error: unknown): string {
  const json = field(error, 'json');
  const own = field(json, 'message');
  if (typeof own === 'string' && own !== '') return own.trim();
  const message = messageOf(error);
  return message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim();
}

/** An `AbortSignal` fired; Node and docker-modem pass its error on as it is. */
function isAbort(error: unknown): boolean {
  return field(error, 'name') === 'AbortError' || errnoOf(error) === 'ABORT_ERR';
}

/**
 * Whatever dockerode or Node threw, as the error our callers know: ENGINE_LOST when the engine is gone, ENGINE_REFUSED
 * with the engine's reason when it answered with an error, STOPPED when we ourselves aborted. `action` says what was
 * being done ("start a container"). Socket paths stay out: they hold user names, and errors go into reports.
 */
export function engineError(error: unknown, action: Said): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  if (isAbort(error)) return new BenchmarkError('STOPPED');
  const status = statusOf(error);
  const reason = reasonOf(error);
  if (status !== undefined) {
    return LOST_STATUS.has(status) && !NO_SWARM.test(reason)
      ? engineLost(action, `HTTP ${status}: ${reason}`, error)
      : new BenchmarkError('ENGINE_REFUSED', { action, reason }, { cause: error });
  }
  const code = errnoOf(error);
  if (code !== undefined && LOST_CODES.has(code)) return engineLost(action, code, error);
  if (/socket hang up|aborted|premature close/i.test(reason)) return engineLost(action, reason, error);
  return new BenchmarkError('INTERNAL', { reason: failedAt(action, reason) }, { cause: error });
}

/** ENGINE_LOST, with what was being done and how it showed as evidence. */
export function engineLost(action: Said, how: Said, cause?: unknown): BenchmarkError {
  return new BenchmarkError('ENGINE_LOST', {}, { evidence: [failedAt(action, how)], cause });
}

function failedAt(action: Said, how: Said): Message {
  return msg('engine.failedAt', { action, how });
}

/** True when nothing else can be done on this engine. */
export function isEngineLost(error: unknown): boolean {
  return error instanceof BenchmarkError && error.code === 'ENGINE_LOST';
}
