import { msg } from '../message.ts';
import { commandOptions, isEntrypoint, isServerProgram, serverWords } from '../options/command-words.ts';
import { isPlace, isPlainValue, optionText, type ServerOption } from '../options/option.ts';
import { whyUnmeasured } from '../options/tuning.ts';
import type { ComposeService } from './model.ts';
import type { Notes } from './notes.ts';

export interface Command {
  /** `--name` or `--name=value` that tunes a server, with values that can't be secrets. */
  options: string[];
  /** Undefined: the image's. */
  datadir: string | undefined;
  port: number | undefined;
  socket: string | undefined;
  runsServer: boolean;
  /** Another program runs, such as a dump. */
  isClient: boolean;
}

/** Warnings name options left out, without values. `written`: words without variables. */
export function commandOf(
  { entrypoint, command }: ComposeService,
  written: ReadonlySet<string>,
  notes: Notes,
): Command {
  const before = entrypoint ?? [];
  const own = before.some((word) => !isEntrypoint(word) && !isServerProgram(word));
  if (own) notes.warn(msg('compose.entrypoint'));
  const isProgram = before.some(isServerProgram);
  const all = [...before, ...(command ?? [])];
  const { words, other } = serverWords((isProgram ? all : (command ?? [])).map((text) => ({ text })));
  if (other !== undefined) notes.warn(msg('compose.otherProgram'));
  const { options, others } = commandOptions(words);
  if (others.length > 0) notes.warn(msg('compose.notAnOption'));
  const last = (name: string): string | undefined =>
    options.filter((option) => option.name === name).at(-1)?.value;
  const port = Number(last('port'));
  const isOther = own || other !== undefined;
  return {
    options: measuredOptions(options, written, notes),
    datadir: last('datadir'),
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    socket: last('socket'),
    runsServer: all.some(isServerProgram),
    isClient: isOther && !all.some((text) => /\b(?:mysqld|mariadbd)\b|entrypoint/.test(text)),
  };
}

/** Bitnami's images take options from a variable. */
export function extraFlags(
  { environment }: ComposeService,
  written: ReadonlySet<string>,
  notes: Notes,
): string[] {
  const words = Object.entries(environment ?? {}).flatMap(([name, value]) =>
    /^(?:MYSQL|MARIADB)_EXTRA_FLAGS$/.test(name) ? shellWords(value ?? '') : [],
  );
  return measuredOptions(commandOptions(words.map((text) => ({ text }))).options, written, notes);
}

/** Words as Compose splits them, without variables. */
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

type Option = ServerOption & { word: { text: string } };

/** Results show these options, so values of variables must be plain. */
function measuredOptions(options: readonly Option[], written: ReadonlySet<string>, notes: Notes): string[] {
  return options.flatMap((option) => {
    const { written: name, value, isOff, isMaximum, word } = option;
    if (isPlace(option)) return [];
    // The value of `log-bin` names a file.
    if (option.name === 'log-bin' && !isOff && !isMaximum) return ['--log-bin'];
    const text = optionText(option);
    const mayBeShown = written.has(word.text) || isPlainValue(value);
    if (mayBeShown && whyUnmeasured(text) === undefined) return [text];
    notes.warn(msg(mayBeShown ? 'compose.droppedOption' : 'compose.variableOption', { name: `--${name}` }));
    return [];
  });
}

export function plainWords(words: readonly string[]): Set<string> {
  return new Set(words.filter((word) => !word.includes('$')));
}
