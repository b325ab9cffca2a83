import fc from 'fast-check';

/**
 * Values that code does not expect. Some can't be said in a value – they would be too large to copy, or are no JSON –,
 * so words represent them, which `written` replaces when the value has become a text.
 */
const WORDS: Record<string, string> = {
  '\u0001deep\u0001': `${'['.repeat(4000)}1${']'.repeat(4000)}`,
  '\u0001abyss\u0001': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '\u0001cut\u0001': '['.repeat(3000),
  '\u0001huge\u0001': '1e400',
  '\u0001nan\u0001': 'NaN',
  '\u0001precise\u0001': `0.${'1'.repeat(400)}`,
  '\u0001wide\u0001': `[${'0,'.repeat(4000)}0]`,
  '\u0001many\u0001': `[${'{},'.repeat(3000)}{}]`,
};

export const TELLING_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then'];

const STRINGS = [
  '',
  ' ',
  '\0',
  '\uFEFF',
  '\r\n',
  '\ud800',
  '<script>',
  '${}',
  '../../etc/passwd',
  '=1+1',
  '%s%n',
  'x'.repeat(5000),
  'null',
  '2026-01-01',
  '1e400',
  '١٢٣',
  ...TELLING_NAMES,
];

const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1,
  3,
  1e-9,
  255,
  65_536,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
];

/** A value that is hardly ever right where it is. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [{}], [null]) },
  { weight: 6, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 5, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 2, arbitrary: fc.constantFrom(...Object.keys(WORDS)) },
  { weight: 2, arbitrary: fc.string({ maxLength: 20, unit: 'binary' }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** The text of a value, with what the words represent. */
export function written(value: unknown, space?: number): string {
  const text = JSON.stringify(value, null, space) ?? 'null';
  return text.replace(/"\\u0001\w+\\u0001"/g, (word) => WORDS[JSON.parse(word) as string] ?? word);
}
