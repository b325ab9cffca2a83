import type { CommanderError } from '@commander-js/extra-typings';
import { BenchmarkError } from '../shared/errors.ts';

/** An argument may be a megabyte of anything. */
const MOST_SHOWN = 200;

/** The error of a command line that is wrong; it names the help, of a command where there is one. */
export function usage(problem: string, command?: string): BenchmarkError {
  return new BenchmarkError('USAGE', {
    problem: problem.length <= MOST_SHOWN ? problem : `${problem.slice(0, MOST_SHOWN)}…`,
    fix: `See: ${['whalemark', ...(command === undefined ? [] : [command]), '--help'].join(' ')}`,
  });
}

/** What commander refuses, as USAGE. */
export function usageOf({ message }: CommanderError, command?: string): BenchmarkError {
  return usage(message.replace(/^error: /, '').replaceAll(/\s+/g, ' '), command);
}
