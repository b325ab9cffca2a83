import { parseResult, RESULT_FORMAT, RESULT_VERSION } from '../../../../src/benchmark/store/result-file.ts';
import { runStateSchema, type RunState } from '../../../../src/shared/model/run-state.ts';

/** Formulas of spreadsheets, with signs that some of them skip before one. */
export const FORMULAS = ['=', '+', '-', '@', '\t=', '\r=', '＝', '＋', '－', '＠'].map(
  (sign) => `${sign}cmd|' /C calc'!A0`,
);

/**
 * The run with a text behind every string that a result file may have in it, ids, options and free keys included; `put`
 * puts it elsewhere.
 */
export function withTexts(
  state: RunState,
  text: string,
  put = (value: string, added: string): string => value + added,
): RunState {
  const free = new Set(stringsIn(state));
  for (;;) {
    const texts = new Map([...free].map((value) => [value, put(value, text)]));
    const attempt = replaced(state, texts, (key) => put(key, text));
    const parsed = runStateSchema.safeParse(attempt);
    if (parsed.success) return read(attempt);
    // Values that the schema fixes stay: its issues say where.
    const originals = new Map([...texts].map(([value, changed]) => [changed, value]));
    const fixed = parsed.error.issues
      .flatMap(({ path }) => stringsIn(valueAt(attempt, path), 1))
      .map((value) => originals.get(value) ?? '');
    const before = free.size;
    for (const value of fixed) free.delete(value);
    if (free.size === before) throw parsed.error;
  }
}

/** Encoded histograms are no texts; all else is. */
const ENCODED = new Set(['histogram', 'statements']);

/** Records whose keys are anything: error numbers, kinds of transactions, server variables, counters. */
const RECORDS = new Set(['errors', 'mix', 'variables', 'server']);
/* `servers` has ids for keys, which stand elsewhere as values. */

/** The strings in a value, down to a depth. */
function stringsIn(value: unknown, depth = Number.POSITIVE_INFINITY): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.entries(value).flatMap(([key, one]) => (ENCODED.has(key) ? [] : stringsIn(one, depth - 1)));
}

function keyOf(
  key: string,
  within: string,
  texts: ReadonlyMap<string, string>,
  freeKey: (key: string) => string,
): string {
  if (within === 'servers') return texts.get(key) ?? key;
  return RECORDS.has(within) ? freeKey(key) : key;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null)?.[key], value);
}

function replaced(
  value: unknown,
  texts: ReadonlyMap<string, string>,
  freeKey: (key: string) => string,
  within = '',
): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, texts, freeKey));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      keyOf(key, within, texts, freeKey),
      ENCODED.has(key) ? one : replaced(one, texts, freeKey, key),
    ]),
  );
}

function read(state: unknown): RunState {
  return parseResult(JSON.stringify({ format: RESULT_FORMAT, version: RESULT_VERSION, state }), 'hostile');
}
