import { msg } from '../../message.ts';
import type { Notes } from './notes.ts';
import { entryOf, itemsOf, type At, type Mapping, type Tree } from './tree.ts';

interface Word {
  text: string;
  at: At;
}

export interface Command {
  /** `--name` or `--name=value`, only those that tune a server. */
  options: string[];
  /** Undefined: the image's. */
  datadir: { path: string; at: At } | undefined;
  port: number | undefined;
  socket: string | undefined;
  /** Whether a word is the server program. */
  runsServer: boolean;
  /** Another program, and no word of it tells that it starts the server. */
  isClient: boolean;
}

const ENTRYPOINT = /^(?:\/usr\/local\/bin\/|\/)?(?:docker-)?entrypoint\.sh$/;
const SERVER = /^(?:\/[\w./-]*\/)?(?:mysqld|mariadbd)(?:[_-]safe)?$/;
/** Of the server, read for what they say of its place. */
const PLACES = ['datadir', 'port', 'socket', 'user'];
/** Settings that a preset has fields for; their values are numbers or words of the server. */
const SETTINGS =
  /^(?:innodb-buffer-pool-(?:size|chunk-size|instances)|innodb-redo-log-capacity|innodb-log-file-size|innodb-log-files-in-group|innodb-flush-log-at-trx-commit|sync-binlog|server-id|(?:skip-|disable-)?log-bin)$/;

/** Of `entrypoint` and `command`. Names of other options are warned about, no values. */
export function commandOf(service: Mapping, notes: Notes, isTuning: (option: string) => boolean): Command {
  const entrypoint = wordsOf(entryOf(service, 'entrypoint'), notes);
  const command = wordsOf(entryOf(service, 'command'), notes);
  const all = [...entrypoint, ...command];
  const [own] = entrypoint.filter(({ text }) => !ENTRYPOINT.test(text) && !SERVER.test(text));
  if (own !== undefined) notes.warn(own.at, msg('compose.entrypoint'));
  const { words, other } = serverWords(entrypoint, command);
  if (other !== undefined) notes.warn(other.at, msg('compose.otherProgram'));
  const isOther = own !== undefined || other !== undefined;
  const given = optionsOf(words, notes);
  const last = (name: string): Option | undefined => given.filter((option) => option.name === name).at(-1);
  const datadir = last('datadir');
  const port = Number(last('port')?.value);
  return {
    options: keptOptions(given, notes, isTuning),
    datadir: datadir?.value === undefined ? undefined : { path: datadir.value, at: datadir.at },
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    socket: last('socket')?.value,
    runsServer: all.some(({ text }) => SERVER.test(text)),
    isClient: isOther && !all.some(({ text }) => /\b(?:mysqld|mariadbd)\b|entrypoint/.test(text)),
  };
}

/** Without the program; `other` is a program that isn't a server. */
function serverWords(entrypoint: readonly Word[], command: readonly Word[]): { words: Word[]; other?: Word } {
  const isProgram = entrypoint.some(({ text }) => SERVER.test(text));
  const words = isProgram ? [...entrypoint, ...command] : [...command];
  while (words[0] !== undefined && ENTRYPOINT.test(words[0].text)) words.shift();
  const [first, ...rest] = words;
  if (first === undefined || first.text.startsWith('-')) return { words };
  return SERVER.test(first.text) ? { words: rest } : { words: [], other: first };
}

function wordsOf(tree: Tree | undefined, notes: Notes): Word[] {
  if (tree?.kind === 'list') {
    return itemsOf(tree).flatMap((item) => {
      const text = notes.text(item);
      return text === undefined ? [] : [{ text, at: item.at }];
    });
  }
  const text = notes.text(tree);
  if (tree === undefined || text === undefined) return [];
  return shellWords(text).map((word) => ({ text: word, at: tree.at }));
}

/** As Compose splits a command: quotes and backslashes, no shell. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (text[at] === '\n' ? '' : (text[at] ?? ''));
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  return word === undefined ? words : [...words, word];
}

interface Option {
  /** In lower case, with dashes. */
  name: string;
  written: string;
  value: string | undefined;
  at: At;
}

const OPTION = /^--([a-z][a-z0-9_.-]{0,63})(?:=([^\n\r\0]*))?$/i;

function optionsOf(words: readonly Word[], notes: Notes): Option[] {
  const options: Option[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const [, written, given] = OPTION.exec(word.text) ?? [];
    if (written === undefined) {
      notes.warn(word.at, msg('compose.notAnOption'));
      continue;
    }
    const next = words[index + 1];
    const takesNext = given === undefined && next !== undefined && !next.text.startsWith('-');
    if (takesNext) index += 1;
    const value = takesNext ? next.text : given;
    options.push({ name: written.toLowerCase().replaceAll('_', '-'), written, value, at: word.at });
  }
  return options;
}

function keptOptions(
  given: readonly Option[],
  notes: Notes,
  isTuning: (option: string) => boolean,
): string[] {
  return given.flatMap(({ name, written, value, at }) => {
    if (PLACES.includes(name)) return [];
    const option = value === undefined ? `--${written}` : `--${written}=${value}`;
    // Its value names a file.
    if (name === 'log-bin') return ['--log-bin'];
    if (SETTINGS.test(name) || (!/[\n\r\0]/.test(option) && isTuning(option))) return [option];
    notes.warn(at, msg('compose.droppedOption', { name: `--${written}` }));
    return [];
  });
}
