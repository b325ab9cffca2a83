import { serverOption, type ServerOption } from './option.ts';

/** The official images' program passes the command to the server (their Dockerfiles). */
const ENTRYPOINT = /^(?:\/usr\/local\/bin\/|\/)?(?:docker-)?entrypoint\.sh$/;
const SERVER = /^(?:[\w./-]*\/)?(?:mysqld|mariadbd)(?:[_-]safe)?$/;

export function isEntrypoint(word: string): boolean {
  return ENTRYPOINT.test(word);
}

export function isServerProgram(word: string): boolean {
  return SERVER.test(word);
}

interface ServerWords<W> {
  words: W[];
  /** A program that isn't a server; then there are no words. */
  other?: W;
}

export function serverWords<W extends { text: string }>(command: readonly W[]): ServerWords<W> {
  const start = command.findIndex(({ text }) => !isEntrypoint(text));
  const [first, ...rest] = start === -1 ? [] : command.slice(start);
  if (first === undefined || first.text.startsWith('-')) return { words: first ? [first, ...rest] : [] };
  return isServerProgram(first.text) ? { words: rest } : { words: [], other: first };
}

interface CommandOptions<W> {
  options: (ServerOption & { word: W })[];
  /** Words that are neither options nor values. */
  others: W[];
}

export function commandOptions<W extends { text: string }>(words: readonly W[]): CommandOptions<W> {
  const found: CommandOptions<W> = { options: [], others: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const next = words[index + 1]?.text;
    const takesNext = takesNextWord(word.text, next);
    const option = serverOption(takesNext ? `${word.text}=${next ?? ''}` : word.text);
    if (option === undefined) found.others.push(word);
    else found.options.push({ ...option, word });
    if (takesNext && option !== undefined) index += 1;
  }
  return found;
}

export function takesNextWord(option: string, next: string | undefined): boolean {
  return option.startsWith('--') && !option.includes('=') && next !== undefined && !next.startsWith('-');
}
