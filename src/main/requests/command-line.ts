import { BenchmarkError } from '../../shared/errors.ts';
import { type Message, msg } from '../../shared/message.ts';

/** Quoted text, an escaped character, or plain text. */
const PIECE = /'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|([^\s'"\\]+)/y;
const VARIABLE = /(?<!\\)\$[({\w]|`/;
const OPERATOR = /[|&;<>]/;

/**
 * Splits at a shell's quotes; on Windows a backslash belongs to a path. Throws COMMAND_UNREADABLE for a
 * shell's other features.
 */
export function commandWords(text: string, platform: NodeJS.Platform): string[] {
  const line = platform === 'win32' ? text.replaceAll('\\', '\\\\') : text;
  const words: string[] = [];
  let position = 0;
  let word: string | undefined;
  while (position < line.length) {
    if (/\s/.test(line[position] ?? '')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      position += 1;
      continue;
    }
    PIECE.lastIndex = position;
    const piece = PIECE.exec(line);
    if (piece === null) throw unreadable(msg('task.openQuote'));
    const [whole, single, double, escaped, plain] = piece;
    const isOfShell = VARIABLE.test(double ?? plain ?? '') || OPERATOR.test(plain ?? '');
    if (isOfShell) throw unreadable(msg('task.needsShell', { word: whole }));
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '');
    position += whole.length;
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw unreadable(msg('result.empty'));
  return words;
}

function unreadable(reason: Message): BenchmarkError {
  return new BenchmarkError('COMMAND_UNREADABLE', { reason });
}
