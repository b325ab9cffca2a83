import { BenchmarkError, type ErrorCode, type ErrorData } from '../shared/errors.ts';
import type { RunState } from '../shared/model/run-state.ts';
import { isSkipped } from '../shared/run/progress.ts';
import type { CommanderError } from '@commander-js/extra-typings';

export const EXIT = {
  done: 0,
  usage: 2,
  noRuntime: 3,
  someFailed: 4,
  nothingMeasured: 5,
  conditionTrue: 6,
  conditionInconclusive: 7,
  stopped: 130,
} as const;

const USAGE_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'USAGE',
  'PRESET_INVALID',
  'PRESET_UNKNOWN',
  'PRESET_INCOMPLETE',
  'PRESET_EXISTS',
  'PRESET_BUILT_IN',
  'PRESET_NOT_SAVED',
  'DATABASE_REFUSED',
  'COMPOSE_REFUSED',
  'COMPOSE_TOO_MUCH',
  'COMPOSE_OTHER_FILE',
  'POOL_TOO_LARGE',
  'DISK_TOO_SMALL',
  'STORAGE_TOO_SMALL',
  'CONSENT_MISSING',
  'RUN_NOT_RESUMABLE',
  'RUN_LOCKED',
  'ENGINE_UNKNOWN',
  'ENGINES_TOO_FEW',
  'EXPORT_EXISTS',
  'OVERRIDE_NOT_WRITTEN',
  'RESULT_UNREADABLE',
  'RESULT_UNKNOWN',
  'RESULT_TOO_NEW',
  'IMPORT_UNREADABLE',
  'DUMP_UNREADABLE',
  'BIND_UNWRITABLE',
  'BIND_NOT_OURS',
  'BIND_REFUSED',
]);

export function exitCodeOf(error: ErrorData): number {
  if (error.code === 'NO_ENGINE' || error.code === 'WRONG_CONTEXT') return EXIT.noRuntime;
  if (error.code === 'EXPORT_FAILED') return EXIT.someFailed;
  if (USAGE_CODES.has(error.code)) return EXIT.usage;
  return EXIT.nothingMeasured;
}

export function exitCodeOfRun(state: RunState): number {
  if (state.outcome === 'stopped') return EXIT.stopped;
  const measured = state.trials.filter(({ totals }) => totals !== null).length;
  if (measured === 0) return EXIT.nothingMeasured;
  const skipped = state.trials.filter(isSkipped);
  return measured + skipped.length === state.trials.length ? EXIT.done : EXIT.someFailed;
}

const MOST_SHOWN = 200;

export function usage(
  problem: string,
  command?: string,
  fix = `See: ${['whalemark', ...(command === undefined ? [] : [command]), '--help'].join(' ')}`,
): BenchmarkError {
  return new BenchmarkError('USAGE', {
    problem: problem.length <= MOST_SHOWN ? problem : `${problem.slice(0, MOST_SHOWN)}…`,
    fix,
  });
}

export function usageOf({ message }: CommanderError, command?: string): BenchmarkError {
  return usage(message.replace(/^error: /, '').replaceAll(/\s+/g, ' '), command);
}
