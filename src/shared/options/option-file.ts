import { refusedOption } from './tuning.ts';

/** Groups of one version, such as [mysqld-8.4], are refused, since the file serves all servers. */
const GROUPS = new Set(['mysqld', 'server', 'mariadb', 'mariadbd']);
const VERSIONED = /^(mysqld|mariadb|mariadbd|server)-\d/;

interface ConfigOptions {
  options: string[];
  problems: string[];
  leftOut: { line: number; option: string | null }[];
}

/** Syntax: MySQL Reference Manual, "Using Option Files". */
export function parseConfig(
  text: string,
  file: string,
  refusal: (option: string) => string | undefined = refusedOption,
): ConfigOptions {
  const options: string[] = [];
  const problems: string[] = [];
  const leftOut: ConfigOptions['leftOut'] = [];
  let group: string | undefined;
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const line = raw.trim();
    const refuse = (reason: string, option: string | null = null): void => {
      problems.push(`${file} line ${index + 1}: ${reason}`);
      leftOut.push({ line: index + 1, option });
    };
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    if (/^!include(dir)?\b/.test(line)) {
      refuse(`${line.split(/\s/)[0] ?? ''} is not followed; write its options into this file.`);
      continue;
    }
    if (line.startsWith('[')) {
      const end = line.indexOf(']');
      const named = line.slice(1, end === -1 ? 0 : end).trim();
      group = named === '' ? undefined : named.toLowerCase();
      if (group === undefined) refuse('the group has no closing bracket.');
      else if (VERSIONED.test(group)) {
        refuse(`[${group}] is for one version only; put its options in [mysqld], or in a server of its own.`);
      }
      continue;
    }
    if (group === undefined) {
      refuse('an option before the first [group].');
      continue;
    }
    if (!GROUPS.has(group)) continue;
    const option = optionOf(line);
    if (option === undefined) {
      refuse(`“${line.slice(0, 80)}” is no option; write name or name = value.`);
      continue;
    }
    const reason = refusal(option);
    if (reason === undefined) options.push(option);
    else refuse(`${option.split('=', 1).join('').slice(2)}: ${reason}`, option);
  }
  return { options, problems, leftOut };
}

function optionOf(line: string): string | undefined {
  const match = /^([a-z][a-z0-9_.-]*)\s*(?:=(.*))?$/i.exec(withoutComment(line));
  if (match?.[1] === undefined) return undefined;
  return match[2] === undefined ? `--${match[1]}` : `--${match[1]}=${valueOf(match[2].trim())}`;
}

/** The line up to a `#` after whitespace outside quotes. */
function withoutComment(line: string): string {
  let quote = '';
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index] ?? '';
    if (char === '\\') index += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '#' && /\s/.test(line[index - 1] ?? '')) return line.slice(0, index).trim();
  }
  return line;
}

const ESCAPES: Record<string, string> = { b: '\b', t: '\t', s: ' ', '\\': '\\', '"': '"', "'": "'" };

function valueOf(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
  // Unknown escapes stay, as in the manual; \n and \r can't be in a command-line option.
  return quoted.replace(/\\(.)/g, (all, char: string) => ESCAPES[char] ?? all);
}
