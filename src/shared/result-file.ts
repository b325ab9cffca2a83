import type * as z from 'zod';
import { BenchmarkError } from './errors.ts';
import { decodeHistogram } from './histogram.ts';
import { RESULT_FORMAT, RESULT_VERSION, resultFileSchema, type ResultFile } from './model/result.ts';
import type { RunState } from './model/run-state.ts';
import { migratedResult } from './result-migration.ts';

/** The text of a result file: one line of JSON. Everything is in it, private details too; exports go through `shareable`. */
export function serialiseResult(state: RunState): string {
  const file: ResultFile = { format: RESULT_FORMAT, version: RESULT_VERSION, state };
  return `${JSON.stringify(file)}\n`;
}

/**
 * Reads the text of a result file, of an older format too; `name` is what messages call it. Throws a BenchmarkError:
 * RESULT_TOO_NEW for a later format, RESULT_UNREADABLE, with the place of the first fault, for all else.
 */
export function parseResult(text: string, name: string): RunState {
  const unreadable = (reason: string, evidence: string[] = []): BenchmarkError =>
    new BenchmarkError('RESULT_UNREADABLE', { name, reason }, { evidence });

  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (json.trim() === '') throw unreadable('it is empty');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw unreadable(whyNotJson(json, error));
  }
  if (!isRecord(value)) throw unreadable('it is JSON, but not an object');
  if (value['format'] !== RESULT_FORMAT) throw unreadable(`it ${whatElse(value)}`);
  const version = value['version'];
  if (typeof version === 'number' && version > RESULT_VERSION) {
    throw new BenchmarkError('RESULT_TOO_NEW', {
      name,
      found: String(version),
      known: String(RESULT_VERSION),
    });
  }
  const parsed = resultFileSchema.safeParse(migratedResult(value));
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${pathText(issue)}: ${issue.message}`);
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    throw unreadable(`${faults[0] ?? 'unknown fault'}${more}`, faults.slice(0, 20));
  }
  const { state } = parsed.data;
  for (const [index, trial] of state.trials.entries()) {
    try {
      decodeHistogram(trial.totals?.histogram ?? '');
    } catch {
      throw unreadable(`state.trials.${index}.totals.histogram: not a latency histogram`);
    }
  }
  return state;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function pathText(issue: z.core.$ZodIssue): string {
  return issue.path.length === 0 ? 'the file' : issue.path.join('.');
}

/** What a JSON object is, if it is not a result. */
function whatElse(value: Record<string, unknown>): string {
  const format = value['format'];
  if (typeof format === 'string') return `has the format “${format.slice(0, 60)}”, not “${RESULT_FORMAT}”`;
  return `is another kind of JSON (its fields: ${Object.keys(value).slice(0, 5).join(', ') || 'none'})`;
}

/** Engines word their messages differently, and not all tell the place; what they have in common is used. */
function whyNotJson(json: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const place = /position (\d+)/.exec(message)?.[1];
  const bytesUntil = (end: number): number => new TextEncoder().encode(json.slice(0, end)).length;
  const ended =
    place === undefined ? /unexpected end|unterminated/i.test(message) : Number(place) >= json.length;
  const begun = /^\s*[[{]/.test(json);
  if (!begun) return `it is not JSON; it begins with “${json.trimStart().slice(0, 20)}”`;
  if (ended) return `it ends in the middle, at byte ${bytesUntil(json.length)}`;
  return place === undefined
    ? `it is broken JSON: ${message}`
    : `it is broken JSON at byte ${bytesUntil(Number(place))}`;
}
