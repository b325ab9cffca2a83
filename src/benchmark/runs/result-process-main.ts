import { setPriority } from 'node:os';
import { toErrorData } from '../../shared/errors.ts';
import { viewOf } from '../../shared/run/run-view.ts';
import { FAILED, questionSchema } from './result-process.ts';
import { readResultHere } from './stored-result.ts';
import { viewText } from './view-file.ts';

const LOWER_PRIORITY = 10;

/** Entry of the process that reads a result file, validates it, and writes it to standard output. */
async function answer(): Promise<string> {
  const { path, name, wanted } = questionSchema.parse(JSON.parse(process.argv.at(-1) ?? ''));
  const state = await readResultHere(path, name);
  return wanted === 'state' ? JSON.stringify(state) : viewText(viewOf(state));
}

try {
  // A run may be measured at the same time.
  setPriority(LOWER_PRIORITY);
} catch {
  // Then it reads with the priority of all others.
}
void answer()
  .catch((error: unknown) => {
    process.exitCode = FAILED;
    return JSON.stringify(toErrorData(error));
  })
  .then((text) => process.stdout.write(text));
