import { msg } from '../message.ts';
import { hostPath, type ComposeInput, type EnvContent, type Texts } from './input.ts';
import { interpolated, type Variables } from './interpolate.ts';
import { entriesOf, entryOf, isTrue, itemsOf, type At, type Mapping, type Notes } from './tree.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** Other names could be anything. */
const SERVER_NAME = /^(?:MYSQL|MARIADB|PERCONA|ALLOW_EMPTY)_[A-Z0-9_]+$/;

export interface EnvValue {
  text: string;
  at: At;
}

export interface EnvFile extends EnvContent {
  path: string;
  at: At;
}

export function environmentNames(service: Mapping, files: readonly EnvFile[]): string[] {
  const own = entriesOf(entryOf(service, 'environment')).map(([name]) => name);
  return [
    ...new Set([...own.filter((name) => NAME.test(name)), ...files.flatMap(({ names }) => names)]),
  ].sort();
}

/** Warns about missing files. */
export function envFilesOf(
  service: Mapping,
  input: ComposeInput,
  texts: Texts,
  variables: Variables,
  notes: Notes,
): EnvFile[] {
  const seen = new Set<string>();
  return itemsOf(entryOf(service, 'env_file')).flatMap((item) => {
    const tree = item.kind === 'map' ? entryOf(item, 'path') : item;
    const path = notes.text(tree);
    if (tree === undefined || path === undefined) return [];
    const file = hostPath(path, tree.at, input);
    const found = texts.at(file);
    if (found === undefined || seen.has(file)) return [];
    if (found.kind === 'text') {
      seen.add(file);
      return [
        { path: file, at: tree.at, ...texts.environmentIn(file, () => contentOf(found.text, variables)) },
      ];
    }
    const required = notes.text(entryOf(item, 'required'));
    const reason = found.kind === 'unread' ? found.reason : msg('compose.folder');
    if (required === undefined || isTrue(required)) notes.warn(tree.at, msg('compose.envFile', { reason }));
    return [];
  });
}

function contentOf(text: string, variables: Variables): EnvContent {
  const all = variablesOf(text, variables);
  return { values: [...all.values()], names: [...all.keys()].filter((name) => SERVER_NAME.test(name)) };
}

/** Never kept. */
export function valuesOf(service: Mapping, notes: Notes): EnvValue[] {
  return entriesOf(entryOf(service, 'environment')).flatMap(([, tree]) => {
    const text = notes.quietText(tree);
    return text === undefined ? [] : [{ text, at: tree.at }];
  });
}

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*[=:]\s*(.*)$/;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '\\': '\\',
  '"': '"',
  $: '$$',
};

/** `outer` comes before the file's own. Source: Docker documentation, "env file syntax". */
export function variablesOf(text: string, outer: Variables): Map<string, string> {
  const values = new Map<string, string>();
  const variables: Variables = (name) => outer(name) ?? values.get(name);
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (let index = 0; index < lines.length; index += 1) {
    const [, name, begun] = LINE.exec(lines[index] ?? '') ?? [];
    if (name === undefined || begun === undefined) continue;
    const quote = begun[0] === '"' || begun[0] === "'" ? begun[0] : undefined;
    if (quote === undefined) {
      const plain = begun.startsWith('#') ? '' : begun.replace(/\s+#.*$/, '').trimEnd();
      values.set(name, interpolated(plain, variables).text);
      continue;
    }
    const quoted = quotedValue(lines, index, begun.slice(1), quote);
    if (quoted === undefined) continue;
    index = quoted.last;
    values.set(name, quote === "'" ? quoted.value : interpolated(unescaped(quoted.value), variables).text);
  }
  return values;
}

/** May span lines; undefined without its end. */
function quotedValue(
  lines: readonly string[],
  first: number,
  rest: string,
  quote: string,
): { value: string; last: number } | undefined {
  const parts: string[] = [];
  for (let last = first; last < lines.length; last += 1) {
    const line = last === first ? rest : (lines[last] ?? '');
    const end = endOf(line, quote);
    if (end !== undefined) return { value: [...parts, line.slice(0, end)].join('\n'), last };
    parts.push(line);
  }
  return undefined;
}

function endOf(line: string, quote: string): number | undefined {
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === quote) return at;
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (all, char: string) => ESCAPES[char] ?? all);
}
