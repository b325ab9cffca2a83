import { errorFields, log, logLastWords } from '../benchmark/log/log.ts';
import { readElsewhere, type Reading } from '../benchmark/reading/reader.ts';
import { sweepElsewhere } from '../benchmark/run/sweeper.ts';
import { toErrorData } from '../shared/errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { paths } from './installation.ts';
import { runCommand } from './program.ts';
import { note, outliveOutput, printError } from './text/terminal.ts';

const READ: Partial<Record<Reading, string>> = {
  compose: 'the Compose files',
  'first-start': 'the Compose files',
  'option-file': 'the option file',
  presets: 'the presets',
  runs: 'the history',
};
const said = new Set<string>();

function sayLongRead(reading: Reading): void {
  const what = READ[reading] ?? 'the result';
  if (said.has(what)) return;
  said.add(what);
  note(`Reading ${what}…`);
}

outliveOutput();
logLastWords({ survivesRejections: false });
readElsewhere(paths, sayLongRead);
sweepElsewhere(paths);
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
