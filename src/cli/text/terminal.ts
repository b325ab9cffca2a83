import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { englishOf } from '../../shared/message.ts';
import { writingAt } from '../../benchmark/files/failures.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { visible, visibleJson } from './visible.ts';

/** Output that nobody can read any more: a closed pipe, a closed terminal. */
const READER_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/**
 * Keeps a command running when its terminal or the reader of its output goes away: it ends as it would have, and what it
 * prints is lost. An answer that is lost for another reason, such as a full disk, makes the command fail.
 */
export function outliveOutput(): void {
  const terminals = [0, 1, 2].filter((fd) => isatty(fd));
  let failed = false;
  process.stdin.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (failed || READER_GONE.has(error.code)) return;
    failed = true;
    writingAt('standard output', 'EXPORT_FAILED', () => Promise.reject(error)).catch((why: unknown) =>
      printError(toErrorData(why)),
    );
  });
  process.on('exit', (code) => {
    if (failed && code === EXIT.done) process.exitCode = EXIT.someFailed;
    // Node restores the modes of its terminals when it ends, and crashes where one has been closed.
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

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
  for (const line of error.evidence) note(`    ${englishOf(line)}`);
}
