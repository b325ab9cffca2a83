import { setPriority } from 'node:os';
import { toErrorData } from '../../shared/errors.ts';
import { viewOf } from '../../shared/run/run-view.ts';
import { FAILED, questionSchema } from './result-process.ts';
import { readResultHere } from './stored-result.ts';
import { viewText } from './view-file.ts';

const LOWER_PRIORITY = 10;

/** Reads and validates a result file and writes it to stdout, in its own process. */
async function answer(): Promise<string> {
  const { path, name, wanted } = questionSchema.parse(JSON.parse(process.argv.at(-1) ?? ''));
  const state = await readResultHere(path, name);
  return wanted === 'state' ? JSON.stringify(state) : viewText(viewOf(state));
}

try {
  setPriority(LOWER_PRIORITY);
} catch {}
void answer()
  .catch((error: unknown) => {
    process.exitCode = FAILED;
    return JSON.stringify(toErrorData(error));
  })
  .then((text) => process.stdout.write(text));
