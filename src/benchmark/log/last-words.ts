import { toErrorData } from '../../shared/errors.ts';
import { errorFields, log } from './log.ts';

/**
 * Logs what a process dies of, without changing that it does, and writes what still waits when it ends.
 * `survivesRejections`: Electron only warns of a rejection that nobody handles, and goes on; Node throws it, and it is
 * logged as an exception.
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
