import { RESULT_FORMAT, RESULT_VERSION } from '../../../../src/shared/model/result.ts';
import type { RunState } from '../../../../src/shared/model/run-state.ts';
import { parseResultValue } from '../../../../src/shared/result-file.ts';

/** Everything that could mean something in HTML, Markdown, SVG or CSV. */
export const HOSTILE =
  ' "\'><script>alert(1)</script><img src=x onerror=alert(2)>&amp; javascript:alert(3) `|\\ [a](javascript:x) *b* \n# c\n</style>';

/** The run with a text behind every string that a result file may have in it, ids and options included. */
export function withTexts(state: RunState, text: string): RunState {
  const changed = new Map<string, string>();
  for (const value of new Set(stringsIn(state))) {
    const attempt = new Map([...changed, [value, value + text]]);
    if (isResult(replaced(state, attempt))) changed.set(value, value + text);
  }
  return read(replaced(state, changed));
}

/** Encoded histograms are no texts; all else is. */
const ENCODED = new Set(['histogram', 'statements']);

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (ENCODED.has(key) ? [] : stringsIn(one)));
}

function replaced(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return texts.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => replaced(one, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      texts.get(key) ?? key,
      ENCODED.has(key) ? one : replaced(one, texts),
    ]),
  );
}

function read(state: unknown): RunState {
  return parseResultValue({ format: RESULT_FORMAT, version: RESULT_VERSION, state }, 'hostile');
}

function isResult(state: unknown): boolean {
  try {
    read(state);
    return true;
  } catch {
    return false;
  }
}
