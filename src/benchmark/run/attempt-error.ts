import { BenchmarkError, type ErrorCode } from '../../shared/errors.ts';
import { brokenConnection, isEngineLost } from '../runtime/engine/engine-error.ts';

const CLIENT_ENDED: ReadonlySet<ErrorCode> = new Set(['CLIENT_LOST', 'CLIENT_CRASHED']);

/** `isBack`: the engine was lost for a moment. */
export function attemptError(
  thrown: unknown,
  { isStopped, isBack, isSkipped }: { isStopped: boolean; isBack: boolean; isSkipped: boolean },
): unknown {
  if (isStopped) return new BenchmarkError('STOPPED');
  if (isBack) return brokenConnection(thrown);
  return isSkipped && !isEngineLost(thrown) ? new BenchmarkError('SKIPPED') : thrown;
}

export function mayRepeatAfter(error: unknown, isSlice: boolean): boolean {
  if (isEngineLost(error)) return false;
  const code = error instanceof BenchmarkError ? error.code : undefined;
  if (code === 'STOPPED' || code === 'SKIPPED') return false;
  return isSlice || (code !== undefined && CLIENT_ENDED.has(code));
}
