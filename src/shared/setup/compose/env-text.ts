import { interpolated, type Variables } from './interpolate.ts';

/** What counts in an env file. */
export interface EnvContent {
  /** Without their names; for one look at them, never kept. */
  values: readonly string[];
  /** Of servers' variables. */
  names: readonly string[];
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

/** Of a `.env`; `outer` comes before the file's own variables. Source: Docker documentation, "env file syntax". */
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

/** May go over several lines; undefined without its end. */
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
