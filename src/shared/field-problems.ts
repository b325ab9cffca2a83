import type * as z from 'zod';
import { isKnownCode, msg, type Message, type MessageCode, type Said } from './message.ts';

interface FieldProblem {
  path: PropertyKey[];
  problem: Said;
}

export function fieldProblemText({ path, problem }: FieldProblem, whole: string): Message {
  return msg('field.problem', { field: path.map(String).join('.') || whole, problem });
}

export function complaint(path: PropertyKey[], code: MessageCode, params: Message['params'] = {}) {
  return { code: 'custom' as const, path, message: code, params };
}

export function fieldProblems({ issues }: z.core.$ZodError, value: unknown): FieldProblem[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, problem: problemOf(issue, value) }];
    return issue.keys.map((key) => ({ path: [...issue.path, key], problem: msg('field.unknown') }));
  });
}

export function firstProblem(error: z.core.$ZodError, value: unknown): Message {
  const [first] = fieldProblems(error, value);
  return fieldProblemText(first ?? { path: [], problem: msg('field.invalid') }, 'JSON');
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): Said {
  if (isKnownCode(issue.message)) {
    return msg(issue.message, issue.code === 'custom' ? (issue.params as Message['params']) : {});
  }
  switch (issue.code) {
    case 'invalid_type': {
      const received = typeAt(value, issue.path);
      const { expected } = issue;
      return received === 'undefined'
        ? msg('field.absent', { expected })
        : msg('field.wrongType', { expected, received });
    }
    case 'invalid_value':
      return msg('field.option', { options: issue.values.map(String).join(', ') });
    case 'too_small':
      return msg(boundCode(issue.origin, 'least'), { bound: String(issue.minimum) });
    case 'too_big':
      return msg(boundCode(issue.origin, 'most'), { bound: String(issue.maximum) });
    case 'invalid_format':
      return issue.pattern === undefined
        ? msg('field.invalid')
        : msg('field.pattern', { pattern: issue.pattern });
    case 'invalid_union': {
      const names = issue.errors.flat().find((one) => one.code === 'invalid_value' && one.values.length > 1);
      return names === undefined ? msg('field.invalid') : problemOf(names, value);
    }
    default:
      return issue.message;
  }
}

function boundCode(origin: string, end: 'least' | 'most'): MessageCode {
  if (origin === 'string') return `field.${end}Characters`;
  return origin === 'array' || origin === 'set' ? `field.${end}Entries` : `field.${end}`;
}

function typeAt(value: unknown, path: readonly PropertyKey[]): string {
  let at = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  if (at === null) return 'null';
  return Array.isArray(at) ? 'array' : typeof at;
}
