import { type Message, msg, type Said } from '../../../shared/message.ts';
import { BenchmarkError, messageOf, toErrorData } from '../../../shared/errors.ts';
import { errnoOf } from '../../files/failures.ts';

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

/** Docker Desktop's proxy answers these without its VM. */
const LOST_STATUS = new Set([502, 503, 504]);
const NO_SWARM = /swarm/i;
/** Errors of Docker, Docker Desktop ("Mounts denied: The path … is not shared"), and Podman. */
export const NOT_SHARED =
  /source path does not exist|mounts denied|is not shared from the host|statfs [^:]+: no such file/i;

function field(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

export function statusOf(error: unknown): number | undefined {
  const status = field(error, 'statusCode');
  return typeof status === 'number' ? status : undefined;
}

export async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

export function orFailure<T>(work: Promise<T>): Promise<T | BenchmarkError> {
  return work.catch((error: unknown) => {
    if (!(error instanceof BenchmarkError) || isEngineLost(error)) throw error;
    return error;
  });
}

export function reasonOf(error: unknown): string {
  const json = field(error, 'json');
  const own = field(json, 'message');
  if (typeof own === 'string' && own !== '') return own.trim();
  const message = messageOf(error);
  return message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim();
}

function isAbort(error: unknown): boolean {
  return field(error, 'name') === 'AbortError' || errnoOf(error) === 'ABORT_ERR';
}

export function engineError(error: unknown, action: Said): BenchmarkError {
  if (error instanceof BenchmarkError) return error;
  if (isAbort(error)) return new BenchmarkError('STOPPED');
  const status = statusOf(error);
  const reason = reasonOf(error);
  if (status !== undefined) {
    if (LOST_STATUS.has(status) && !NO_SWARM.test(reason)) {
      return engineLost(action, `HTTP ${status}: ${reason}`, error);
    }
    return isNoRoom(reason)
      ? new BenchmarkError('STORAGE_FULL', { storage: msg('place.engineDisk'), reason }, { cause: error })
      : new BenchmarkError('ENGINE_REFUSED', { action, reason }, { cause: error });
  }
  const code = errnoOf(error);
  if (code !== undefined && LOST_CODES.has(code)) return engineLost(action, code, error);
  if (/socket hang up|aborted|premature close/i.test(reason)) return engineLost(action, reason, error);
  return new BenchmarkError('INTERNAL', { reason: failedAt(action, reason) }, { cause: error });
}

export function isNoRoom(reason: string): boolean {
  return /no space left on device|disk quota exceeded/i.test(reason);
}

export function engineLost(action: Said, how: Said, cause?: unknown): BenchmarkError {
  return new BenchmarkError('ENGINE_LOST', {}, { evidence: [failedAt(action, how)], cause });
}

function failedAt(action: Said, how: Said): Message {
  return msg('engine.failedAt', { action, how });
}

export function isEngineLost(error: unknown): boolean {
  return error instanceof BenchmarkError && error.code === 'ENGINE_LOST';
}

export function ignoredUnlessLost(error: unknown): void {
  if (isEngineLost(error)) throw error;
}

export function brokenConnection(lost: unknown): BenchmarkError {
  const { evidence } = toErrorData(lost);
  const reason = msg('load.engineBack');
  return new BenchmarkError('INTERRUPTED', { reason }, { evidence, cause: lost });
}
