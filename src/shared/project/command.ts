import { msg } from '../message.ts';
import { commandOptions, isEntrypoint, isServerProgram, serverWords } from '../options/command-words.ts';
import { isPlace, isPlainValue, optionText, type ServerOption } from '../options/option.ts';
import { whyUnmeasured } from '../options/tuning.ts';
import { entriesOf, entryOf, itemsOf, type At, type Mapping, type Notes, type Tree } from './tree.ts';

interface Word {
  text: string;
  at: At;
  variables: readonly string[];
}

export interface Command {
  /** `--name` or `--name=value`; only what tunes a server. */
  options: string[];
  /** Undefined: the image's. */
  datadir: { path: string; at: At } | undefined;
  port: number | undefined;
  socket: string | undefined;
  runsServer: boolean;
  /** No word of it starts the server. */
  isClient: boolean;
}

/** Names of other options are warned about, no values. */
export function commandOf(service: Mapping, notes: Notes): Command {
  const entrypoint = wordsOf(entryOf(service, 'entrypoint'), notes);
  const command = wordsOf(entryOf(service, 'command'), notes);
  const all = [...entrypoint, ...command];
  const own = entrypoint.find(({ text }) => !isEntrypoint(text) && !isServerProgram(text));
  if (own !== undefined) notes.warn(own.at, msg('compose.entrypoint'));
  const isProgram = entrypoint.some(({ text }) => isServerProgram(text));
  const { words, other } = serverWords(isProgram ? all : command);
  if (other !== undefined) notes.warn(other.at, msg('compose.otherProgram'));
  const isOther = own !== undefined || other !== undefined;
  const { options: parsed, others } = commandOptions(words);
  for (const { at } of others) notes.warn(at, msg('compose.notAnOption'));
  const last = (name: string) => parsed.filter((option) => option.name === name).at(-1);
  const datadir = last('datadir');
  const port = Number(last('port')?.value);
  return {
    options: measuredOptions(parsed, notes),
    datadir: datadir?.value === undefined ? undefined : { path: datadir.value, at: datadir.word.at },
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    socket: last('socket')?.value,
    runsServer: all.some(({ text }) => isServerProgram(text)),
    isClient: isOther && !all.some(({ text }) => /\b(?:mysqld|mariadbd)\b|entrypoint/.test(text)),
  };
}

export function extraFlags(service: Mapping, notes: Notes): string[] {
  const words = entriesOf(entryOf(service, 'environment')).flatMap(([name, tree]) =>
    /^(?:MYSQL|MARIADB)_EXTRA_FLAGS$/.test(name) ? wordsOf(tree, notes) : [],
  );
  return measuredOptions(commandOptions(words).options, notes);
}

function wordsOf(tree: Tree | undefined, notes: Notes): Word[] {
  return (tree?.kind === 'list' ? itemsOf(tree) : [tree]).flatMap((item) => {
    const text = notes.lines(item);
    if (item?.kind !== 'scalar' || text === undefined) return [];
    const words = tree === item ? shellWords(text) : [text];
    const written = new Set(tree === item ? shellWords(item.text ?? '') : [item.text]);
    const variables = notes.variablesIn(item);
    return words.map((word) => ({
      text: word,
      at: item.at,
      variables: written.has(word) ? [] : variables,
    }));
  });
}

/** As Compose: quotes and backslashes, no shell. */
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

/** Others are named, without values. */
function measuredOptions(parsed: readonly (ServerOption & { word: Word })[], notes: Notes): string[] {
  return parsed.flatMap((option) => {
    const { written, value, name, isOff, isMaximum, word } = option;
    if (isPlace(option)) return [];
    // Its value names a file.
    if (name === 'log-bin' && !isOff && !isMaximum) return ['--log-bin'];
    const text = optionText(option);
    const names = word.variables.join(', ');
    if (whyUnmeasured(text) === undefined && (names === '' || isPlainValue(value))) return [text];
    notes.warn(
      word.at,
      names === ''
        ? msg('compose.droppedOption', { name: `--${written}` })
        : msg('compose.variableOption', { names }),
    );
    return [];
  });
}
