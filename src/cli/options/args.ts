import { parseArgs, type ParseArgsConfig } from 'node:util';
import { BenchmarkError, messageOf } from '../../shared/errors.ts';

/** No command has an option of letters behind one hyphen, so more of them are none of anything. */
const MOST_LETTERS = 100;

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses a command's arguments. Rejects with USAGE, naming the option and how to get help. */
export function parse<const O extends Options>(argv: string[], options: O, positionals: number) {
  // Node's parser takes the square of their number in time, and calls as many arguments, for letters behind one hyphen.
  const letters = argv.find((one) => one.length > MOST_LETTERS && /^-[^-]/.test(one));
  if (letters !== undefined) throw usage(`“${shown(letters)}” is no option.`);
  try {
    const parsed = parseArgs({ args: argv, options, allowPositionals: true, strict: true });
    if (parsed.positionals.length > positionals) {
      throw new Error(`“${parsed.positionals[positionals] ?? ''}” is one argument too many.`);
    }
    return parsed;
  } catch (error) {
    throw usage(messageOf(error).split('. To specify')[0] ?? '');
  }
}

/**
 * Lets an option take a value that itself begins with a hyphen: `--option --innodb-io-capacity=200`, which Node's
 * parser takes for two options.
 */
export function joined(argv: string[], option: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const [argument, next] = [argv[index] ?? '', argv[index + 1]];
    if (argument === option && next !== undefined) {
      found.push(`${option}=${next}`);
      index++;
    } else {
      found.push(argument);
    }
  }
  return found;
}

/** The error of a command line that is wrong; it names the help. */
export function usage(problem: string): BenchmarkError {
  return new BenchmarkError('USAGE', { problem, fix: 'See: whalemark --help' });
}

/** A number given as an option; undefined when it wasn't. Rejects with USAGE. */
export function numberOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw usage(`--${name} takes a number, not “${text}”.`);
  return value;
}

/** No field of a preset lies deeper, by far. */
const DEEPEST_FIELD = 20;

/** An argument as messages quote it. */
function shown(argument: string): string {
  return argument.length <= 80 ? argument : `${argument.slice(0, 79)}…`;
}

/**
 * Sets a field of a preset by its dotted path: `workload.tableSize=1000`. Values are read as JSON where they are
 * JSON, else as text. Returns a changed copy. Rejects with USAGE.
 */
export function withField(preset: unknown, assignment: string): unknown {
  const equals = assignment.indexOf('=');
  if (equals < 1) throw usage(`--set takes key=value, not “${shown(assignment)}”.`);
  const path = assignment.slice(0, equals).split('.');
  if (path.length > DEEPEST_FIELD) throw usage(`--set ${shown(assignment)}: no such field.`);
  const text = assignment.slice(equals + 1);
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Plain text.
  }
  return setField(preset, path, value, assignment);
}

function setField(target: unknown, path: string[], value: unknown, assignment: string): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (['__proto__', 'constructor', 'prototype'].includes(key))
    throw usage(`--set ${shown(assignment)}: no such field.`);
  if (typeof target !== 'object' || target === null || Array.isArray(target)) {
    throw usage(`--set ${shown(assignment)}: “${shown(key)}” is not inside a group of fields.`);
  }
  const fields: Record<string, unknown> = { ...target };
  fields[key] = setField(rest.length === 0 ? undefined : (fields[key] ?? {}), rest, value, assignment);
  return fields;
}
