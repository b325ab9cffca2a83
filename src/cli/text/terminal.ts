import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { englishOf } from '../../shared/message.ts';
import { writingAt } from '../../benchmark/files/failures.ts';
import { toErrorData, type ErrorData } from '../../shared/errors.ts';
import { EXIT } from '../exit-codes.ts';

/** A closed pipe or terminal. */
const READER_GONE: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO']);

/** Commands continue without their terminal or reader. A full disk fails them. */
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
    // Node crashes when it restores the modes of a closed terminal.
    for (const fd of terminals) if (!isatty(fd)) closeSync(fd);
  });
}

export function print(text: string): void {
  write(visible(text));
}

export function printJson(value: unknown): void {
  write(visibleJson(value));
}

export function printFile(text: string): void {
  write(process.stdout.isTTY ? visible(text) : text);
}

export function note(text: string): void {
  noteStatus(undefined);
  process.stderr.write(`${visible(text)}\n`);
}

let status: string | undefined;

/** The next output replaces this line; false without a terminal. */
export function noteStatus(text: string | undefined): boolean {
  const { isTTY, columns } = process.stderr;
  if (!isTTY || process.env['TERM'] === 'dumb') return false;
  const shown = text === undefined ? undefined : [...visible(text)].slice(0, columns - 1).join('');
  if (shown === status) return true;
  status = shown;
  process.stderr.write(`\r${ERASE_LINE}${shown ?? ''}`);
  return true;
}

/** EL of ECMA-48. */
const ERASE_LINE = '\u001b[K';

function write(text: string): void {
  noteStatus(undefined);
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printError(error: ErrorData): void {
  note(`whalemark: ${errorLines(error).join('\n')}`);
}

export function errorLines({ code, message, hint, evidence }: ErrorData): string[] {
  // Editors follow lines of `FILE:LINE: reason`, as of compilers.
  const indent = code === 'DATABASE_REFUSED' ? '' : '    ';
  return [`${message} [${code}]`, `  → ${hint}`, ...evidence.map((line) => `${indent}${englishOf(line)}`)];
}

/** Control characters and bidirectional overrides, except tabs and line ends. */
const COMMANDS =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\r(?!\n)/g;
/** Unicode's pictures of control characters. */
const PICTURES = 0x2400;
const DEL = 0x7f;
const PICTURE_OF_DEL = '\u2421';

/** Strangers' escape sequences could rewrite the screen or its input. */
export function visible(text: string): string {
  return text.replace(COMMANDS, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(PICTURES + code);
    return code === DEL ? PICTURE_OF_DEL : escaped(code);
  });
}

export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(COMMANDS, (character) => escaped(character.charCodeAt(0)));
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
