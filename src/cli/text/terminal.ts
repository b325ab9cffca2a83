import type { ErrorData } from '../../shared/errors.ts';
import { visible, visibleJson } from './visible.ts';

/** The answer of a command, for people. */
export function print(text: string): void {
  write(visible(text));
}

/** The answer of a command, for scripts. */
export function printJson(value: unknown): void {
  write(visibleJson(value));
}

/** What is a file as well: byte by byte into another program or a file, but not into a terminal. */
export function printFile(text: string): void {
  write(process.stdout.isTTY ? visible(text) : text);
}

/** Progress and remarks. */
export function note(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

function write(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** An error as a reader of a terminal wants it: what happened, what to do, the evidence indented. */
export function printError(error: ErrorData): void {
  note(`whalemark: ${error.message} [${error.code}]`);
  note(`  → ${error.hint}`);
  for (const line of error.evidence) note(`    ${line}`);
}
