import { toErrorData } from '../shared/errors.ts';
import { runCommand } from './commands.ts';
import { exitCodeOf } from './exit-codes.ts';
import { printError } from './terminal.ts';

/** Entry of the terminal twin: the answer goes to stdout, progress and errors to stderr. */
runCommand(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const data = toErrorData(error);
    printError(data);
    process.exitCode = exitCodeOf(data);
  },
);
