import type { ErrorData } from '../shared/errors.ts';

/** The answer of a command. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Progress and remarks. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** An error as a reader of a terminal wants it: what happened, what to do, the evidence indented. */
export function printError(error: ErrorData): void {
  note(`whalemark: ${error.message} [${error.code}]`);
  note(`  → ${error.hint}`);
  for (const line of error.evidence) note(`    ${line}`);
}
