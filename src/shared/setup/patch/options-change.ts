import { isCollection, isScalar, isSeq, Scalar, type YAMLSeq } from 'yaml';
import { isEntrypoint, isServerProgram, takesNextWord } from '../../options/command-words.ts';
import { serverOption } from '../../options/option.ts';
import { words, type ComposeFiles, type FoundIn } from './compose-files.ts';
import { edited, textOf, type Edit, type TextEdits } from './text-edits.ts';
import { endOf, startOf, type YamlFile } from './yaml-file.ts';

/** Undefined: no option. */
function optionName(word: string): string | undefined {
  return serverOption(word.replace(/^["']/, ''))?.name;
}

/** The file whose command the service has; without one, the first that has the service. */
export function commandFile(compose: ComposeFiles): YamlFile {
  return compose.found(['command']).at(-1)?.file ?? compose.home().file;
}

/** No edit if all of them are there already. */
export function changeOptions(compose: ComposeFiles, edits: TextEdits, options: readonly string[]): void {
  refuseImage(compose);
  refuseEntrypoint(compose);
  const found = compose.found(['command']).at(-1);
  if (found === undefined) {
    compose.refuseInherited([['command'], ['entrypoint']]);
    edits.addPair(compose.serviceIn(edits.file).map, 'command', options.join(' '));
    return;
  }
  const { file, value, pair, map } = found;
  file.claim(found);
  if (!isCollection(value) && (textOf(value) ?? '') === '') {
    edits.fill(map, pair, options.join(' '));
    return;
  }
  refuseOtherProgram(found);
  if (isSeq(value)) changeList(file, edits, value, options);
  else if (isScalar(value)) changeText(file, edits, value, options);
  else throw file.refusal('form', pair.key);
}

export function hasOption(compose: ComposeFiles, name: string): boolean {
  return words(compose.found(['command']).at(-1)?.value).some(({ text }) =>
    text.split(/\s+/).some((option) => optionName(option) === name),
  );
}

/** Images whose command isn't the server's. Sources: their Dockerfiles. */
const OTHER_COMMAND = /(?:^|\/)(?:bitnami\w*|linuxserver|sclorg|centos|rhscl|rhel\d+)\//;

function refuseImage(compose: ComposeFiles): void {
  const found = compose.found(['image']).at(-1);
  const image = textOf(found?.value);
  if (found !== undefined && image !== undefined && OTHER_COMMAND.test(image)) {
    throw found.file.refusal('image', found.pair.key, { image });
  }
}

function refuseEntrypoint(compose: ComposeFiles): void {
  const found = compose.found(['entrypoint']).at(-1);
  const [first, ...others] = words(found?.value);
  if (found === undefined || first === undefined) return;
  if (others.length > 0 || !isEntrypoint(first.text)) throw found.file.refusal('entrypoint', found.pair.key);
}

function refuseOtherProgram({ file, value, pair }: FoundIn): void {
  const all = isSeq(value) ? words(value).map(({ text }) => text) : (textOf(value) ?? '').trim().split(/\s+/);
  const [first = '', second = ''] = all;
  const program = isEntrypoint(first) ? second : first;
  if (program.startsWith('$')) throw file.refusal('variable', pair.key);
  if (all.length > 0 && !/^["']?-/.test(program) && !isServerProgram(program))
    throw file.refusal('command', pair.key);
}

/** The new option for an old one, and whether its value is the next word. */
function replacing(
  options: readonly string[],
  old: string,
  next: string | undefined,
): { option: string; takesNext: boolean } | undefined {
  const option = options.find((one) => optionName(one) === optionName(old));
  if (option === undefined || optionName(old) === undefined) return undefined;
  return { option, takesNext: option.includes('=') && takesNextWord(old, next) };
}

function changeList(file: YamlFile, edits: TextEdits, seq: YAMLSeq, options: readonly string[]): void {
  const set = new Set<string>();
  const items: unknown[] = seq.items;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const old = textOf(item);
    if (old === undefined || !isScalar(item)) throw file.refusal('form', item ?? seq);
    const found = replacing(options, old, textOf(items[index + 1]));
    if (found === undefined) continue;
    if (set.has(found.option)) edits.removeItem(seq, item);
    else if (old !== found.option) edits.setScalar(item, found.option);
    set.add(found.option);
    if (found.takesNext) edits.removeItem(seq, items[++index]);
  }
  const added = options.filter((option) => !set.has(option));
  if (added.length > 0) edits.addItems(seq, added);
}

/** Words of the text are edited in place; new ones come at its end, in a text of several lines on further lines. */
function changeText(file: YamlFile, edits: TextEdits, scalar: Scalar, options: readonly string[]): void {
  const isBlock = scalar.type === Scalar.BLOCK_FOLDED || scalar.type === Scalar.BLOCK_LITERAL;
  const isQuoted = scalar.type === Scalar.QUOTE_DOUBLE || scalar.type === Scalar.QUOTE_SINGLE;
  const [start, end] = [startOf(scalar), endOf(scalar, file.text)];
  const source = file.text.slice(start, end);
  const head = isBlock ? source.indexOf('\n') + 1 : isQuoted ? 1 : 0;
  const body = source.slice(head, isQuoted ? -1 : undefined);
  const meant = String(scalar.value);
  const inSource = replacedWords(body, options);
  const inMeaning = replacedWords(meant, options);
  const added = options.filter((option) => !inMeaning.set.has(option));
  const lastLine = body.slice(body.lastIndexOf('\n') + 1);
  const isLines = isBlock || body.includes('\n');
  const lineBreak = file.text.includes('\r\n') ? '\r\n' : '\n';
  const indent = /^\s*/.exec(lastLine)?.[0] ?? '';
  const separator = isLines ? lineBreak + indent : ' ';
  const more = added.map((option) => separator + option).join('');
  const between = scalar.type === Scalar.BLOCK_LITERAL ? '\n' : ' ';
  const contentEnd = meant.trimEnd().length;
  const bodyEnd = body.trimEnd().length;
  const shifted = inSource.edits.map((edit) => ({
    ...edit,
    start: edit.start + start + head,
    end: edit.end + start + head,
  }));
  const at = start + head + bodyEnd;
  if (more !== '') shifted.push({ start: at, end: at, text: more });
  const value =
    edited(meant.slice(0, contentEnd), inMeaning.edits) +
    added.map((option) => between + option).join('') +
    meant.slice(contentEnd);
  edits.editScalar(scalar, shifted, value);
}

function replacedWords(text: string, options: readonly string[]): { edits: Edit[]; set: Set<string> } {
  const all = [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index }));
  const set = new Set<string>();
  const edits: Edit[] = [];
  for (let index = 0; index < all.length; index++) {
    const word = all[index];
    const next = all[index + 1];
    const found = word && replacing(options, word.text, next?.text);
    if (word === undefined || found === undefined) continue;
    const last = found.takesNext && next !== undefined ? next : word;
    if (last !== word) index++;
    const end = last.start + last.text.length;
    // The second of two is empty; the first is enough.
    const own = set.has(found.option) ? '' : found.option;
    if (text.slice(word.start, end) !== own) edits.push({ start: word.start, end, text: own });
    set.add(found.option);
  }
  return { edits, set };
}
