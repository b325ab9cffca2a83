import { errorFields, log, logLastWords } from '../benchmark/log/log.ts';
import { readElsewhere } from '../benchmark/reading/reader.ts';
import { toErrorData } from '../shared/errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { paths } from './installation.ts';
import { runCommand } from './program.ts';
import { outliveOutput, printError } from './text/terminal.ts';

/** Answers go to stdout, progress and errors to stderr. */
outliveOutput();
logLastWords({ survivesRejections: false });
readElsewhere(paths);
runCommand(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const data = toErrorData(error);
    log.error('command failed', { error: errorFields(data) });
    printError(data);
    process.exitCode = exitCodeOf(data);
  },
);
