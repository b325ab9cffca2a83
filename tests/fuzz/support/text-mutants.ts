import fc from 'fast-check';

const OPERATIONS = [
  'drop',
  'repeat',
  'swap',
  'cut',
  'take-out',
  'insert',
  'insert',
  'number',
  'number',
  'character',
  'long',
  'breaks',
] as const;

/** Replacements for numbers. */
const NUMBERS = [
  '1e400',
  '-1e400',
  'NaN',
  'nan',
  'inf',
  '-0',
  '-1',
  '0',
  '',
  '1.234.567,89',
  '1,234',
  '99999999999999999999999999',
  '0x10',
  '1e5',
  '.5',
  '5.',
  '١٢٣',
  '9'.repeat(400),
];

const PIECES = [
  '\0',
  '\uFEFF',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\u001b[31m',
  '\u2028',
  '\ud800',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '#',
  '|',
  '\ufffd',
];

/** Lines that are repeated over and over come to more than a text can be; long ones are the subject of growth.test.ts. */
const LONGEST = 2 ** 20;

interface Change {
  operation: (typeof OPERATIONS)[number];
  at: number;
  other: number;
  piece: string;
}

/** Copies of texts with some of their lines, numbers and characters changed; `pieces` are what this format knows. */
export function textMutants(bases: readonly string[], pieces: readonly string[] = []): fc.Arbitrary<string> {
  const change: fc.Arbitrary<Change> = fc.record({
    operation: fc.constantFrom(...OPERATIONS),
    at: fc.nat(),
    other: fc.nat(),
    piece: fc.oneof(
      fc.constantFrom(...PIECES),
      fc.constantFrom(...(pieces.length === 0 ? PIECES : pieces)),
      fc.string({ maxLength: 12, unit: 'binary' }),
    ),
  });
  const changes = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 2 }) },
    { weight: 4, arbitrary: fc.array(change, { minLength: 3, maxLength: 12 }) },
  );
  return fc
    .tuple(fc.nat(bases.length - 1), changes)
    .map(([base, all]) => all.reduce((text, one) => changed(text, one).slice(0, LONGEST), bases[base] ?? ''));
}

function changed(text: string, { operation, at, other, piece }: Change): string {
  const place = text.length === 0 ? 0 : at % text.length;
  switch (operation) {
    case 'cut':
      return text.slice(0, place);
    case 'take-out':
      return text.slice(0, place) + text.slice(place + (other % 200));
    case 'insert':
      return text.slice(0, place) + piece + text.slice(place);
    case 'character':
      return text.slice(0, place) + piece.slice(0, 1) + text.slice(place + 1);
    case 'long':
      return text.slice(0, place) + piece.repeat(1 + (other % 3000)) + text.slice(place);
    case 'breaks':
      return text.replaceAll('\n', other % 2 === 0 ? '\r' : '\r\n');
    case 'number':
      return withNumber(text, at, NUMBERS[other % NUMBERS.length] ?? '');
    default:
      return withLines(text, operation, at, other);
  }
}

function withNumber(text: string, at: number, number: string): string {
  const all = [...text.matchAll(/\d+(?:\.\d+)?/g)];
  const chosen = all[at % Math.max(1, all.length)];
  if (chosen === undefined) return text;
  return text.slice(0, chosen.index) + number + text.slice(chosen.index + chosen[0].length);
}

function withLines(text: string, operation: 'drop' | 'repeat' | 'swap', at: number, other: number): string {
  const lines = text.split('\n');
  const [one, two] = [at % lines.length, other % lines.length];
  if (operation === 'drop') lines.splice(one, 1 + (other % 5));
  else if (operation === 'repeat') {
    const line = lines[one] ?? '';
    lines.splice(one, 0, ...Array.from({ length: 1 + (other % 40) }, () => line));
  } else [lines[one], lines[two]] = [lines[two] ?? '', lines[one] ?? ''];
  return lines.join('\n');
}
