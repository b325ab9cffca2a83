const MOST_LINES = 50;
const LINE_LENGTH = 1000;

const CONTROL =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const BEFORE_VALUE = /^You may need to escape any \$ with another \$\.?$/;
/** Values and .env lines that Compose quotes if it can't read them. */
const QUOTED: [pattern: RegExp, instead: string][] = [
  [/((?:unterminated quoted value|near) ).*$/i, '$1…'],
  [/`[^`]*`/g, '`…`'],
  [/((?:pass(?:word|wd|phrase)?|pwd|secret|token|key)["']?=)\S+/gi, '$1…'],
];
const LOGGED = /^time="[^"]*" level=(\w+) msg=("(?:[^"\\]|\\.)*"|\S+)/;

/** Compose's own words, without escapes and quoted values. */
export function composeWords(stderr: string): string[] {
  const lines = stderr
    .replace(CONTROL, '')
    .split('\n')
    .map((line) => line.trim());
  const value = lines.findIndex((line) => BEFORE_VALUE.test(line));
  return (value < 0 ? lines : lines.slice(0, value + 1))
    .map((line) => messageIn(line))
    .map((line) => QUOTED.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line))
    .filter((line) => line !== '')
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line));
}

function messageIn(line: string): string {
  const [, , quoted] = LOGGED.exec(line) ?? [];
  if (quoted === undefined) return line;
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Go knows more escapes than JSON.
    return quoted.replace(/^"|"$/g, '').replaceAll('\\"', '"');
  }
}
