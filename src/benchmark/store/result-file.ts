import * as z from 'zod';
import { fieldProblemText, firstProblem } from '../../shared/field-problems.ts';
import { type Message, msg, type Said } from '../../shared/message.ts';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';
import { unreadableHistograms } from '../../shared/model/measurements.ts';
import { MOST_SCENARIOS } from '../../shared/model/preset-checks.ts';
import { MOST_ROUNDS } from '../../shared/model/preset-parts.ts';
import { type RunState, runStateSchema } from '../../shared/model/run-state.ts';
import { type Sharing, sharingSchema } from '../../shared/model/sharing.ts';

/** Private details stay; exports go through `shareable` first. */
export function serializeResult(state: RunState, sharing?: Sharing): string {
  const file: ResultFile = {
    format: RESULT_FORMAT,
    version: RESULT_VERSION,
    ...(sharing === undefined ? {} : { sharing }),
    state,
  };
  return `${JSON.stringify(file)}\n`;
}

/** All of zod's faults for a 10 MB file would take gigabytes. */
const FIRST_FAULT = { abortEarly: true, reportInput: false };

export function parseResult(text: string, name: string): RunState {
  const unreadable = (reason: Said): BenchmarkError =>
    new BenchmarkError('RESULT_UNREADABLE', { name, reason });
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (json.trim() === '') throw unreadable(msg('result.empty'));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw unreadable(whyNotJson(json, error));
  }
  if (!isRecord(value)) throw unreadable(msg('result.notObject'));
  if (value['format'] !== RESULT_FORMAT) throw unreadable(whatElse(value));
  const version = value['version'];
  if (typeof version === 'number' && version !== RESULT_VERSION) {
    const formats = { found: String(version), known: String(RESULT_VERSION) };
    throw version > RESULT_VERSION
      ? new BenchmarkError('RESULT_TOO_NEW', { name, ...formats })
      : unreadable(msg('result.older', formats));
  }
  const parsed = resultFileSchema.safeParse(value, FIRST_FAULT);
  if (!parsed.success) {
    throw unreadable(firstProblem(parsed.error, value));
  }
  const { state } = parsed.data;
  const problem = contentProblem(state);
  if (problem !== undefined) throw unreadable(problem);
  return state;
}

/** The window analyzes all scenarios, so their number is limited. */
function sizeProblem({ plan, trials }: RunState): Said | undefined {
  const { scenarios, rounds } = plan;
  const repeats = scenarios.filter(({ isAaRepeat }) => isAaRepeat).length;
  const servers = new Set(scenarios.map(({ server }) => server)).size;
  const measured = scenarios.length - repeats;
  const planned = rounds.reduce((sum, { length }) => sum + length, 0);
  const problem = (field: string, count: number, most: number): Message | undefined =>
    count > most
      ? msg('field.problem', { field, problem: msg('preset.tooMany', { count, most }) })
      : undefined;
  return (
    problem('state.plan.configs', plan.configs.length, MOST_SCENARIOS) ??
    problem('state.plan.scenarios', measured, MOST_SCENARIOS) ??
    problem('state.plan.scenarios', repeats, servers) ??
    problem('state.plan.rounds', rounds.length, MOST_ROUNDS) ??
    problem('state.plan.rounds', Math.max(0, ...rounds.map(({ length }) => length)), scenarios.length) ??
    problem('state.trials', trials.length, planned)
  );
}

function contentProblem(state: RunState): Said | undefined {
  const size = sizeProblem(state);
  if (size !== undefined) return size;
  const { plan, trials } = state;
  const configs = new Set(plan.configs.map(({ id }) => id));
  for (const [index, { configId }] of plan.scenarios.entries()) {
    if (!configs.has(configId))
      return msg('field.problem', {
        field: `state.plan.scenarios.${index}.configId`,
        problem: msg('preset.noConfig', { name: configId.slice(0, 60) }),
      });
  }
  for (const [index, { totals }] of trials.entries()) {
    const [field] = totals === null ? [] : unreadableHistograms(totals);
    if (field === undefined) continue;
    const path = ['state', 'trials', index, 'totals', ...field];
    return fieldProblemText({ path, problem: msg('field.notHistogram') }, 'result');
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function whatElse(value: Record<string, unknown>): Message {
  const format = value['format'];
  return typeof format === 'string'
    ? msg('result.otherFormat', { format: format.slice(0, 60), wanted: RESULT_FORMAT })
    : msg('result.otherJson', { fields: Object.keys(value).slice(0, 5).join(', ') || msg('list.none') });
}

/** Engines word their errors differently, and not all name the place. */
function whyNotJson(json: string, error: unknown): Message {
  const message = messageOf(error);
  const place = /position (\d+)/.exec(message)?.[1];
  const bytesUntil = (end: number): number => new TextEncoder().encode(json.slice(0, end)).length;
  const ended =
    place === undefined ? /unexpected end|unterminated/i.test(message) : Number(place) >= json.length;
  const begun = /^\s*[[{]/.test(json);
  if (!begun) return msg('result.notJson', { text: json.trimStart().slice(0, 20) });
  if (ended) return msg('result.cutOff', { byte: bytesUntil(json.length) });
  return place === undefined
    ? msg('result.brokenJson', { reason: message })
    : msg('result.brokenJsonAt', { byte: bytesUntil(Number(place)) });
}

export const RESULT_FORMAT = 'whalemark-result';
export const RESULT_VERSION = 5;

const resultFileSchema = z.object({
  format: z.literal(RESULT_FORMAT),
  version: z.literal(RESULT_VERSION),
  sharing: sharingSchema.optional(),
  state: runStateSchema,
});
type ResultFile = z.infer<typeof resultFileSchema>;
