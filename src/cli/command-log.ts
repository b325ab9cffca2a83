import { logLastWords } from '../benchmark/log/last-words.ts';
import { log, startLog, whoseMachine } from '../benchmark/log/log.ts';
import { paths } from './installation.ts';

/**
 * Opens the log of this process and tells which command it is, by its options' names: their values may be passwords.
 */
export function startCommandLog(command: string, argv: readonly string[]): void {
  startLog('cli', whoseMachine(paths.dataDir));
  logLastWords({ survivesRejections: false });
  const options = argv.flatMap((one) => /^--[a-z][a-z-]{1,20}(?==|$)/.exec(one) ?? []);
  log.info('command started', {
    command,
    options,
    version: paths.appVersion,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  });
}
