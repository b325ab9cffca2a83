import { toErrorData } from '../../shared/errors.ts';
import { errorFields, log } from './log.ts';

/**
 * Logs a fatal error without preventing it, and writes pending lines on exit. `survivesRejections`: Electron only
 * warns of unhandled rejections; Node throws them.
 */
export function logLastWords({ survivesRejections }: { survivesRejections: boolean }): void {
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    log.error('uncaught exception', { origin, error: errorFields(toErrorData(error)) });
    log.flushNow();
  });
  if (survivesRejections) {
    process.on('unhandledRejection', (reason) => {
      log.error('unhandled rejection', { error: errorFields(toErrorData(reason)) });
      process.stderr.write(`Unhandled rejection: ${stackOf(reason)}\n`);
    });
  }
  process.on('exit', (code) => {
    log.info('process ends', { exitCode: code });
    log.flushNow();
  });
}

function stackOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
}
