import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { englishOf } from '../../shared/message.ts';
import { writingAt } from '../../benchmark/files/failures.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';

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

/**
 * All that a terminal may obey in place of showing it, and what turns the order of letters round; tabs and line ends
 * aside.
 */
const COMMANDS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;
/** Where Unicode has pictures of control characters, and the one of DEL. */
const PICTURES = 0x2400;
const DEL = 0x7f;
const PICTURE_OF_DEL = '\u2421';

/**
 * Text for a terminal, with everything shown that would do something there: names, notes and lines of a server's log
 * come from strangers, and escape sequences in them could rewrite the screen, its title or, in some terminals, its
 * input.
 */
export function visible(text: string): string {
  return text.replace(COMMANDS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return code === DEL ? PICTURE_OF_DEL : escaped(code);
  });
}

/** JSON with the same characters escaped: other letters, the same data. */
export function visibleJson(value: unknown): string {
  // JSON itself escapes those below U+0020.
  return JSON.stringify(value, null, 2).replace(COMMANDS, (character) => escaped(character.charCodeAt(0)));
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
