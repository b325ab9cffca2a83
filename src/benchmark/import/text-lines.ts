export interface TextLine {
  number: number;
  /** The program of a shared log ("client_1"), otherwise ''. */
  label: string;
  body: string;
  /** The text ends here without a line break. */
  mayBeCut: boolean;
}

export const LONGEST_LINE = 2000;

const ANSI =
  /\u001b(?:\[[0-9;?]{0,40}[A-Za-z]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|[()][A-Za-z0-9]|[=>78])/g;

/** docker compose: `client_1 | text`. Never a number, since histograms have bars behind numbers. */
const COMPOSE_LABEL = /^([A-Za-z][\w./-]{0,80})\s{1,40}\|(?=\s|$)/;
const PREFIXES = [
  /^(?:>|\||#|\*(?=\s)|-(?=\s)|\/\/|;)/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?:?(?=\s|$)/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?:?(?=\s|$)/,
  /^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d \S{1,100} \S{1,100}:(?=\s|$)/,
  /^\[pod\/[^\]\s]{1,200}\](?=\s|$)/,
  /^std(?:out|err) [FP](?=\s|$)/,
];
const MOST_PREFIXES = 12;

export function* textLines(text: string): Generator<TextLine> {
  const breaks = /\r\n|\n|\r/g;
  for (let number = 1, from = 0; ; number += 1) {
    const found = breaks.exec(text);
    const raw = text.slice(from, found?.index);
    if (raw !== '') yield { number, mayBeCut: found === null, ...withoutPrefixes(raw) };
    if (found === null) return;
    from = breaks.lastIndex;
  }
}

function withoutPrefixes(raw: string): { label: string; body: string } {
  if (raw.length > LONGEST_LINE) return { label: '', body: raw };
  let body = raw.includes('\u001b') ? raw.replace(ANSI, '') : raw;
  body = body.replaceAll('\u00a0', ' ').trim();
  if (body.startsWith('{"log":')) body = loggedText(body);
  let label = '';
  for (let taken = 0; taken < MOST_PREFIXES; taken += 1) {
    const length = prefixLength(body);
    if (length > 0) {
      body = body.slice(length).trimStart();
      continue;
    }
    const named = label === '' ? COMPOSE_LABEL.exec(body) : null;
    if (named === null) break;
    label = named[1] ?? '';
    body = body.slice(named[0].length).trimStart();
  }
  return { label, body };
}

function prefixLength(body: string): number {
  for (const prefix of PREFIXES) {
    const length = prefix.exec(body)?.[0].length ?? 0;
    if (length > 0) return length;
  }
  return 0;
}

/** Of an engine's log file: `{"log":"text\n","stream":"stdout",…}`. */
function loggedText(line: string): string {
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry === 'object' && entry !== null && 'log' in entry && typeof entry.log === 'string') {
      return entry.log.trim();
    }
  } catch {}
  return line;
}

export function unquoted(body: string): string {
  const inner = /^(["'`])(.*)\1,?$/.exec(body)?.[2];
  return inner === undefined ? body.replace(/[|`]$/, '').trimEnd() : inner.trim();
}

/** `read: 5124 # number of reads` */
export function withoutRemark(body: string): string {
  const hash = body.indexOf('#', 1);
  return hash !== -1 && body[hash - 1] === ' ' ? body.slice(0, hash).trimEnd() : body;
}
