import { isScalar, Scalar, type YAMLSeq } from 'yaml';
import { escapeRegExp } from '../../escape-reg-exp.ts';
import { SERVER_PORT } from '../../kinds/paths.ts';
import { isEntrypoint, isServerProgram, takesNextWord } from '../../options/command-words.ts';
import { serverOption } from '../../options/option.ts';
import { serverImage } from '../image.ts';
import type { ProjectFile } from '../project.ts';
import {
  claim,
  endOf,
  find,
  type Found,
  isEmpty,
  refused,
  refusedAt,
  type ServiceText,
  startOf,
  textOf,
  words,
} from './service-text.ts';
import { edited, TextEdits, type Edit } from './text-edits.ts';
import { entryOf } from '../tree.ts';

/** CPU and memory, and what is only valid with a limit. Compose Specification, service. */
const LIMITS = [
  ...['cpus', 'cpu_count', 'cpu_percent', 'cpu_period', 'cpu_quota', 'mem_limit', 'memswap_limit'].map(
    (field) => [field],
  ),
  ...['cpus', 'memory'].map((field) => ['deploy', 'resources', 'limits', field]),
];

export function withoutLimits(service: ServiceText): TextEdits {
  service.refuseInherited(LIMITS);
  let removed = LIMITS.flatMap((field) => service.found(field).map((found) => ({ field, found })));
  const file = service.inOneFile(removed.map(({ found }) => found));
  if (file === undefined) throw refused('already');
  const edits = new TextEdits(file);
  // A mapping that would be left empty goes as a whole.
  for (let depth = 4; depth > 1; depth--) {
    const parent = removed.find(({ field }) => field.length === depth)?.field.slice(0, -1);
    const holder = parent && find(file, ['services', service.name, ...parent]);
    if (parent === undefined || holder?.value.kind !== 'map') continue;
    const isLeft = holder.value.node?.items.some((pair) => !removed.some(({ found }) => found.pair === pair));
    if (isLeft === true) continue;
    removed = [...removed.filter(({ field }) => field.length < depth), { field: parent, found: holder }];
  }
  for (const { found } of removed) {
    claim(found);
    edits.removePair(found.map, found.pair);
  }
  return edits;
}

export function onImage(service: ServiceText, image: string): TextEdits {
  service.refuseInherited([['image']]);
  const found = service.found(['image']).at(-1);
  const node = found?.value.node;
  if (found === undefined || !isScalar(node)) throw refused('noPatch');
  claim(found);
  if (textOf(node) === image) throw refused('already');
  if (textOf(node)?.includes('$') === true) throw refusedAt(found.value.at, 'variableImage');
  const edits = new TextEdits(found.file);
  edits.setScalar(node, image);
  return edits;
}

export interface PathFacts {
  /** Null: none, or one of the engine's choice. */
  port: number | null;
  /** Connects over a network of the project. */
  client: string | null;
  /** Its network isn't the user's. */
  isVm: boolean;
  isMariaDb: boolean;
}

const NAMING = [
  'depends_on',
  'links',
  'external_links',
  'environment',
  'command',
  'network_mode',
  'volumes_from',
];

/** At the published port, for this machine only; with `more` options of the server. */
export function onHostNetwork(
  service: ServiceText,
  facts: PathFacts,
  more: readonly string[] = [],
): TextEdits {
  if (facts.isVm) throw refused('vm');
  if (facts.client !== null) throw refused('client', { service: facts.client });
  refuseNamed(service);
  service.refuseInherited([['ports'], ['networks'], ['network_mode']]);
  const dropped = ['ports', 'networks', 'links'].flatMap((field) => service.found([field]));
  const modes = service.found(['network_mode']);
  const mode = modes.at(-1);
  if (mode?.value.kind === 'scalar' && mode.value.text === 'host') throw refused('already');
  const command = service.found(['command']).at(-1);
  const file = service.inOneFile([...dropped, ...modes]) ?? commandFile(service);
  if (command !== undefined && command.file !== file) throw refusedAt(command.value.at, 'severalFiles');
  const edits = new TextEdits(file);
  for (const one of dropped) {
    claim(one);
    edits.removePair(one.map, one.pair);
  }
  const isMoved = words(command?.value).some(({ text }) =>
    text.split(/\s+/).some((option) => optionName(option) === 'port'),
  );
  changeOptions(service, edits, [
    '--bind-address=127.0.0.1',
    ...(facts.port === null || (facts.port === SERVER_PORT && !isMoved) ? [] : [`--port=${facts.port}`]),
    ...(facts.isMariaDb ? [] : ['--loose-mysqlx-bind-address=127.0.0.1']),
    ...more,
  ]);
  if (mode === undefined) edits.addPair(service.home(file).map, 'network_mode', 'host');
  else {
    claim(mode);
    const { node } = mode.value;
    if (isEmpty(node, file.text) || !isScalar(node)) edits.fill(mode.map, mode.pair, 'host');
    else edits.setScalar(node, 'host');
  }
  return edits;
}

function refuseNamed(own: ServiceText): void {
  const name = new RegExp(`(?<![\\w.-])${escapeRegExp(own.name)}(?![\\w-])`);
  for (const { name: other, service } of own.others()) {
    const naming = NAMING.flatMap((field) => words(entryOf(service, field))).find(({ text }) =>
      name.test(text),
    );
    if (naming !== undefined) throw refusedAt(naming.at, 'named', { service: other });
  }
}

/** Undefined: no option. */
function optionName(word: string): string | undefined {
  return serverOption(word.replace(/^["']/, ''))?.name;
}

/** Else the first that has the service. */
export function commandFile(service: ServiceText): ProjectFile {
  return service.found(['command']).at(-1)?.file ?? service.home().file;
}

export function changeOptions(service: ServiceText, edits: TextEdits, options: readonly string[]): void {
  refuseImage(service);
  refuseEntrypoint(service);
  const found = service.found(['command']).at(-1);
  if (found === undefined) {
    service.refuseInherited([['command'], ['entrypoint']]);
    edits.addPair(service.home(edits.file).map, 'command', options.join(' '));
    return;
  }
  const { file, value, pair, map } = found;
  claim(found);
  if (value.kind === 'scalar' && (value.text ?? '') === '') {
    edits.fill(map, pair, options.join(' '));
    return;
  }
  refuseOtherProgram(found);
  if (value.kind === 'list' && value.node !== null) changeList(found, edits, value.node, options);
  else if (value.kind === 'scalar' && value.node !== null) changeText(file, edits, value.node, options);
  else throw refusedAt(value.at, 'form');
}

function refuseImage(service: ServiceText): void {
  const [image] = words(service.found(['image']).at(-1)?.value);
  if (image !== undefined && serverImage(image.text)?.startsItself === true) {
    throw refusedAt(image.at, 'image', { image: image.text });
  }
}

function refuseEntrypoint(service: ServiceText): void {
  const [first, ...others] = words(service.found(['entrypoint']).at(-1)?.value);
  if (first === undefined) return;
  if (others.length > 0 || !isEntrypoint(first.text)) throw refusedAt(first.at, 'entrypoint');
}

function refuseOtherProgram({ value }: Found): void {
  const all = words(value).flatMap(({ text }) => (value.kind === 'list' ? [text] : text.trim().split(/\s+/)));
  const [first = '', second = ''] = all;
  const program = isEntrypoint(first) ? second : first;
  if (program.startsWith('$')) throw refusedAt(value.at, 'variable');
  if (all.length > 0 && !/^["']?-/.test(program) && !isServerProgram(program)) {
    throw refusedAt(value.at, 'command');
  }
}

/** And whether its value is the next word. */
function replacing(
  options: readonly string[],
  old: string,
  next: string | undefined,
): { option: string; takesNext: boolean } | undefined {
  const option = options.find((one) => optionName(one) === optionName(old));
  if (option === undefined || optionName(old) === undefined) return undefined;
  return { option, takesNext: option.includes('=') && takesNextWord(old, next) };
}

function changeList({ value }: Found, edits: TextEdits, seq: YAMLSeq, options: readonly string[]): void {
  const set = new Set<string>();
  const items: unknown[] = seq.items;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const old = textOf(item);
    if (old === undefined || !isScalar(item)) throw refusedAt(value.at, 'form');
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

/** New words come at the end, in a text of several lines on further lines. */
function changeText(file: ProjectFile, edits: TextEdits, scalar: Scalar, options: readonly string[]): void {
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
    const own = set.has(found.option) ? '' : found.option;
    if (text.slice(word.start, end) !== own) edits.push({ start: word.start, end, text: own });
    set.add(found.option);
  }
  return { edits, set };
}
